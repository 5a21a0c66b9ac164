import type { Certificate } from '../../evidence/certificate/certificate.ts';
import { CertificateError } from '../../evidence/certificate/certificate.ts';
import { readCertificate } from '../../evidence/certificate/read-certificate.ts';
import type { MemoryPort } from '../kit/memory/remembered.ts';
import { KeptList } from './kept-list.svelte.ts';

/** A page's storage is small, and shared with the configuration itself; each certificate was downloaded, too. */
const mostKept = 12;

/**
 * The certificates that were made in this browser, the newest first. They stay beside the configuration: the machine would
 * take no notice of them.
 */
export class KeptCertificates {
  readonly #kept: KeptList;

  /** @param memory that all tabs share */
  constructor(memory: MemoryPort) {
    this.#kept = new KeptList(memory, 'certificates');
  }

  readonly list: readonly Certificate[] = $derived.by(() => this.#kept.values.flatMap(readOne));

  of(service: string | null): readonly Certificate[] {
    return this.list.filter(({ configuration }) => configuration.entry.service.name === service);
  }

  /** @returns false: the browser does not store it, such as where its storage is full */
  add(certificate: Certificate): boolean {
    return this.#kept.change((stored) => [certificate, ...stored.flatMap(readOne)].slice(0, mostKept));
  }

  remove(certificate: Certificate): void {
    const removed = JSON.stringify(certificate);
    this.#kept.change((stored) => stored.flatMap(readOne).filter((one) => JSON.stringify(one) !== removed));
  }
}

/** What another version stored, or somebody edited, is left out. */
function readOne(value: unknown): readonly Certificate[] {
  try {
    return [readCertificate(JSON.stringify(value))];
  } catch (error) {
    if (error instanceof CertificateError) return [];
    throw error;
  }
}
