import type { Certificate } from '../../certificate/certificate.ts';
import { CertificateError } from '../../certificate/certificate.ts';
import { readCertificate } from '../../certificate/read-certificate.ts';
import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

const MEMORY_KEY = 'certificates';
/** A page's storage is small, and shared with the configuration itself; each certificate was downloaded, too. */
const mostKept = 12;

/** Lists in several places of the page show the same certificates. */
class Changes {
  #count = $state(0);
  get count(): number {
    return this.#count;
  }
  tell(): void {
    this.#count++;
  }
}
const changes = new Changes();

/**
 * The certificates that were made in this browser, the newest first. They stay beside the configuration: the machine would
 * take no notice of them.
 */
export class KeptCertificates {
  readonly #memory: MemoryPort;

  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  readonly list: readonly Certificate[] = $derived.by(() => {
    void changes.count;
    const kept = recall(this.#memory, MEMORY_KEY);
    return Array.isArray(kept) ? kept.flatMap(readOne) : [];
  });

  of(service: string | null): readonly Certificate[] {
    return this.list.filter(({ configuration }) => configuration.entry.service.name === service);
  }

  add(certificate: Certificate): void {
    this.#write([certificate, ...this.list].slice(0, mostKept));
  }

  remove(certificate: Certificate): void {
    const removed = JSON.stringify(certificate);
    this.#write(this.list.filter((one) => JSON.stringify(one) !== removed));
  }

  #write(list: readonly Certificate[]): void {
    remember(this.#memory, MEMORY_KEY, list);
    changes.tell();
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
