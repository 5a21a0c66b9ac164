import { concerns, readImageDrift, replaces, type ImageDrift } from '../../certificate/image-drift.ts';
import type { MemoryPort } from '../kit/memory/remembered.ts';
import { KeptCertificates } from './kept-certificates.svelte.ts';
import { KeptList } from './kept-list.svelte.ts';

/** Besides those that concern a certificate. */
const mostKept = 12;

/**
 * Comparisons of references' images with later ones of the same camera, the newest first: of each reference the newest, and
 * those with shifts that none takes back.
 */
export class KeptDrift {
  readonly #kept: KeptList;
  readonly #certificates: KeptCertificates;

  constructor(memory: MemoryPort) {
    this.#certificates = new KeptCertificates(memory);
    this.#kept = new KeptList(memory, 'image-drift');
  }

  readonly list: readonly ImageDrift[] = $derived.by(() => this.#kept.values.flatMap(readOne));

  add(drift: ImageDrift): void {
    const others = this.list.filter((one) => one.imagesSha256 !== drift.imagesSha256 || !replaces(drift, one));
    const isNeeded = (one: ImageDrift): boolean => this.#certificates.list.some((of) => concerns(one, of));
    this.#kept.write([drift, ...others].filter((one, at) => at < mostKept || isNeeded(one)));
  }
}

/** What another version stored, or somebody edited, is left out. */
function readOne(value: unknown): readonly ImageDrift[] {
  try {
    return [readImageDrift(value)];
  } catch {
    return [];
  }
}
