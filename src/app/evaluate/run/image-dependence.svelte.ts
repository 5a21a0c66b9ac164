import { type Dependence, dependenceDoubt, unitsText } from '../../../evidence/datasets/face/independence.ts';
import { type Units, unitsOf } from '../../../evidence/evaluation/face/thresholds.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { TruthImage, TruthSource } from '../ports/truth-source.ts';
import { ImageHashes, type FoundDependence, type OpenScans } from './image-hashes.ts';

interface DependencePorts {
  readonly openScans: OpenScans;
  /** that all tabs share */
  readonly memory: MemoryPort;
}

const memoryKey = 'independent-sets';
/** The list is small: who evaluates more sets is asked again. */
const mostKept = 200;

/** Which images of the evaluated set depend on each other. What is recorded counts at once; pictures are looked at after the run. */
export class ImageDependence {
  readonly #memory: MemoryPort;
  readonly #hashes: ImageHashes;
  #found = $state.raw<FoundDependence | null>(null);
  #isLooking = $state(false);
  #stated = $state.raw<readonly string[]>([]);
  #setId = $state('');
  #images: readonly TruthImage[] = [];
  #life = new AbortController();

  constructor({ openScans, memory }: DependencePorts) {
    this.#memory = memory;
    this.#hashes = new ImageHashes(openScans);
    const kept = recall(memory, memoryKey);
    if (Array.isArray(kept)) this.#stated = kept.filter((id): id is string => typeof id === 'string');
  }

  /** null until the pictures were looked at; another object with each answer */
  get found(): FoundDependence | null {
    return this.#found;
  }

  /** Pictures are being looked at. */
  get isLooking(): boolean {
    return this.#isLooking;
  }

  /** A person says that each image of which nothing is recorded is of another scene or time. */
  get isStated(): boolean {
    return this.isStatedOf(this.#setId);
  }

  isStatedOf(setId: string): boolean {
    return this.#stated.includes(setId);
  }

  /** Whether a person's word would change anything, or has. */
  get canState(): boolean {
    return this.isStated || this.#found === null || this.#found.basis === 'alike' || this.#found.alikeCount > 0 || this.#found.basis === 'unseen'; // prettier-ignore
  }

  /** Keeps the answer with the set, in this browser. */
  async state(isStated: boolean): Promise<void> {
    const others = this.#stated.filter((id) => id !== this.#setId);
    this.#stated = isStated ? [this.#setId, ...others].slice(0, mostKept) : others;
    remember(this.#memory, memoryKey, this.#stated);
    await this.#group(this.#life.signal);
  }

  units(images: readonly TruthImage[]): Units {
    return unitsOf(images.map(({ id, sequence }) => ({ id, sequence: this.#found?.groupOf.get(id) ?? sequence })));
  }

  /** On how many independent units figures of these images stand. */
  text(images: readonly TruthImage[]): string {
    return unitsText(this.#basis, images.length, this.units(images).count);
  }

  /** Why it is not known which images are independent; '': it is. */
  readonly doubt: string = $derived.by(() =>
    this.#isLooking ? 'The images are being looked at for those that look alike.' : dependenceDoubt(this.#basis),
  );

  get #basis(): Pick<Dependence, 'basis' | 'alikeCount'> {
    return this.#found ?? { basis: 'unseen', alikeCount: 0 };
  }

  /** Forgets what was found, as another run begins. */
  begin(setId: string): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#setId = setId;
    this.#images = [];
    this.#found = null;
    this.#isLooking = false;
  }

  /** Looks at the images of which nothing is recorded; those that cannot be read are not known. */
  async look(source: Pick<TruthSource, 'bytes'>, images: readonly TruthImage[]): Promise<void> {
    const { signal } = this.#life;
    this.#images = images;
    this.#isLooking = true;
    try {
      await this.#group(signal);
      const open = images.filter(({ sequence }) => sequence === '');
      await this.#hashes.look(open, (ids) => source.bytes(this.#setId, ids, signal), signal);
      await this.#group(signal);
    } catch {
      // What was not looked at is not known, and the page says so.
    }
    if (!signal.aborted) this.#isLooking = false;
  }

  async #group(signal: AbortSignal): Promise<void> {
    const found = await this.#hashes.group(this.#images, this.isStated);
    if (!signal.aborted) this.#found = found;
  }
}
