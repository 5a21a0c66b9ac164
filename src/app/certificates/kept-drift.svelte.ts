import { readImageDrift, type ImageDrift } from '../../certificate/image-drift.ts';
import type { MemoryPort } from '../kit/memory/remembered.ts';
import { KeptList } from './kept-list.svelte.ts';

/** As many as there are certificates: each is of other images, as a rule. */
const mostKept = 12;

/** The newest comparison of each reference's images with later ones of the same camera, the newest first. */
export class KeptDrift {
  readonly #kept: KeptList;

  constructor(memory: MemoryPort) {
    this.#kept = new KeptList(memory, 'image-drift');
  }

  readonly list: readonly ImageDrift[] = $derived.by(() => this.#kept.values.flatMap(readOne));

  add(drift: ImageDrift): void {
    const others = this.list.filter(({ imagesSha256 }) => imagesSha256 !== drift.imagesSha256);
    this.#kept.write([drift, ...others].slice(0, mostKept));
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
