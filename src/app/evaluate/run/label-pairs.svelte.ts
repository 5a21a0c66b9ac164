import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../../kit/words/error-words.ts';
import type { TruthSource } from '../ports/truth-source.ts';

const MEMORY_KEY = 'label-pairs';
const MOST_SETS = 200;

type PairSource = Pick<TruthSource, 'pairs' | 'keepPairs'>;

/** Which labels of the evaluated set models call by other names: read with the set, changed by a person, and kept with it. */
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

  /** Those of all models. */
  get kept(): readonly LabelPair[] {
    return this.#kept;
  }

  /** Why they could not be read or kept; what is here counts all the same. */
  get failure(): ErrorWords | null {
    return this.#failure;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** Reads those of a set. The answer for a set that was left meanwhile counts for nothing, nor does one after a change. */
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

  /** Counts these from now on, and keeps them with the set. Resolves when they are kept, or could not be. */
  async change(pairs: readonly LabelPair[]): Promise<void> {
    this.#past = [...this.#past, this.#kept];
    await this.#put(pairs);
  }

  /** Takes the last change back. */
  async undo(): Promise<void> {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    await this.#put(before);
  }

  async #put(pairs: readonly LabelPair[]): Promise<void> {
    // An answer under way is older than this.
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

/** The pairs that are kept with a set, or in this browser where nothing can be kept with it. */
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
