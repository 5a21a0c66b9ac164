import type { LabelPair } from '../../../evidence/datasets/face/labels.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../../kit/words/error-words.ts';
import type { TruthSource } from '../ports/truth-source.ts';

const MEMORY_KEY = 'label-pairs';
const MOST_SETS = 200;

type PairSource = Pick<TruthSource, 'pairs' | 'keepPairs'>;

/** The label pairs of the evaluated set: a label of the set, and the name that a model has for it. Pairs are read, edited and kept with the set. */
export class LabelPairs {
  readonly #memory: MemoryPort;
  #kept = $state.raw<readonly LabelPair[]>([]);
  #past = $state.raw<readonly (readonly LabelPair[])[]>([]);
  #failure = $state.raw<ErrorWords | null>(null);
  #source: PairSource | null = null;
  #setId = '';
  #reading = new AbortController();
  /** the writes so far: each waits for the one before */
  #writing: Promise<void> = Promise.resolve();

  /** @param memory that all tabs share, for sets with which nothing can be kept */
  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  /** The pairs of the set, for all models. */
  get kept(): readonly LabelPair[] {
    return this.#kept;
  }

  /** Why the pairs could not be read or kept. The pairs in memory count nevertheless. null: they could. */
  get failure(): ErrorWords | null {
    return this.#failure;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** Reads the pairs of a set. An answer is discarded if another set was chosen, or a pair was edited, meanwhile. */
  async read(source: PairSource, setId: string): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    const isOther = setId !== this.#setId;
    [this.#source, this.#setId] = [source, setId];
    if (isOther) [this.#kept, this.#past, this.#failure] = [[], [], null];
    try {
      await this.#writing;
      const pairs = await keptPairs(source, setId, this.#memory, signal);
      if (!signal.aborted) this.#take(pairs);
    } catch (error) {
      if (!signal.aborted) this.#failure = errorWords(error);
    }
  }

  #take(pairs: readonly LabelPair[]): void {
    if (JSON.stringify(pairs) !== JSON.stringify(this.#kept)) this.#kept = pairs;
    this.#failure = null;
  }

  /** Replaces the pairs and keeps them with the set. Resolves when the write is done or has failed. */
  async change(pairs: readonly LabelPair[]): Promise<void> {
    this.#past = [...this.#past, this.#kept];
    await this.#put(pairs);
  }

  /** Undoes the last edit. */
  async undo(): Promise<void> {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    await this.#put(before);
  }

  async #put(pairs: readonly LabelPair[]): Promise<void> {
    // The answer to a read under way is older than this edit.
    this.#reading.abort();
    this.#kept = pairs;
    const [source, setId] = [this.#source!, this.#setId];
    const before = this.#writing;
    const write = async (): Promise<void> => {
      await before;
      try {
        await keepPairs(source, setId, pairs, this.#memory);
        if (setId === this.#setId) this.#failure = null;
      } catch (error) {
        if (setId === this.#setId) this.#failure = errorWords(error);
      }
    };
    this.#writing = write();
    await this.#writing;
  }
}

/** The pairs of a set, kept with it, or in this browser where the set can keep none. */
export async function keptPairs(
  source: PairSource,
  setId: string,
  memory: MemoryPort,
  signal: AbortSignal,
): Promise<readonly LabelPair[]> {
  return (await source.pairs(setId, signal)) ?? recalled(memory).get(setId) ?? [];
}

async function keepPairs(
  source: PairSource,
  setId: string,
  pairs: readonly LabelPair[],
  memory: MemoryPort,
): Promise<void> {
  if ((await source.pairs(setId, new AbortController().signal)) !== null) return source.keepPairs(setId, pairs);
  const others = [...recalled(memory)].filter(([id]) => id !== setId);
  const all = [...(pairs.length > 0 ? [[setId, pairs] as const] : []), ...others].slice(0, MOST_SETS);
  if (!remember(memory, MEMORY_KEY, all)) throw new Error('The browser does not keep the names for the next visit.');
}

function recalled(memory: MemoryPort): ReadonlyMap<string, readonly LabelPair[]> {
  const all = recall(memory, MEMORY_KEY);
  return new Map(Array.isArray(all) ? (all as [string, readonly LabelPair[]][]) : []);
}
