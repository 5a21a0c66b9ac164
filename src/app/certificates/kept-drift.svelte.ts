import { concerns, readImageDrift, replaces, type ImageDrift } from '../../evidence/certificate/image-drift.ts';
import type { MemoryPort } from '../kit/memory/remembered.ts';
import { KeptCertificates } from './kept-certificates.svelte.ts';
import { KeptList } from './kept-list.svelte.ts';

/** A page's storage is small; comparisons that concern a certificate are kept beyond this number. */
const mostKept = 12;

/**
 * Comparisons of references' images with later ones of the same camera, the newest first: of each reference the newest
 * comparison, and earlier ones whose shifts no newer comparison replaces.
 */
export class KeptDrift {
  readonly #kept: KeptList;
  readonly #certificates: KeptCertificates;

  /** @param memory that all tabs share */
  constructor(memory: MemoryPort) {
    this.#certificates = new KeptCertificates(memory);
    this.#kept = new KeptList(memory, 'image-drift');
  }

  readonly list: readonly ImageDrift[] = $derived.by(() => this.#kept.values.flatMap(readOne));

  add(drift: ImageDrift): void {
    const isNeeded = (one: ImageDrift): boolean => this.#certificates.list.some((of) => concerns(one, of));
    this.#kept.change((stored) => {
      const others = stored
        .flatMap(readOne)
        .filter((one) => one.imagesSha256 !== drift.imagesSha256 || !replaces(drift, one));
      return [drift, ...others].filter((one, at) => at < mostKept || isNeeded(one));
    });
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
