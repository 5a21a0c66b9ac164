import { errorWords } from '../../error-words.ts';
import { editInBatches, type BatchProgress } from './edit-in-batches.ts';

/** What is edited: a known number of ids, which may be read as one goes. */
export interface EditedIds {
  readonly count: number;
  readonly ids: Iterable<string> | AsyncIterable<string>;
}

export interface BulkEdit {
  /** "Tagging 3 images with “dusk”" */
  readonly doing: string;
  /** "tagged": after the number of those it was done to */
  readonly done: string;
  readonly edit: (ids: readonly string[]) => Promise<unknown>;
}

export interface RunningEdit {
  readonly doing: string;
  readonly doneCount: number;
  readonly count: number;
}

export interface EditOutcome {
  readonly tone: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly cure: string;
}

/** One edit of many files at a time: how far it is, and in words how it ended. */
export class BulkEdits {
  readonly #announce: (sentence: string) => void;
  readonly #noun: (count: number) => string;
  #running = $state.raw<RunningEdit | null>(null);
  #outcome = $state.raw<EditOutcome | null>(null);
  #abort: AbortController | null = null;

  /** `noun` says "1 image", "3 images". */
  constructor(announce: (sentence: string) => void, noun: (count: number) => string) {
    this.#announce = announce;
    this.#noun = noun;
  }

  get running(): RunningEdit | null {
    return this.#running;
  }

  get outcome(): EditOutcome | null {
    return this.#outcome;
  }

  dismiss(): void {
    this.#outcome = null;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** Runs an edit to its end; whether anything was changed. A second one waits for nobody: it is refused. */
  async run({ doing, done, edit }: BulkEdit, { count, ids }: EditedIds): Promise<boolean> {
    if (this.#running || count === 0) return false;
    this.#outcome = null;
    this.#running = { doing, doneCount: 0, count };
    this.#abort = new AbortController();
    let progress: BatchProgress = { doneCount: 0, refused: [] };
    let failure: unknown = null;
    try {
      await editInBatches(ids, edit, this.#abort.signal, (told) => {
        progress = told;
        this.#running = { doing, doneCount: told.doneCount, count };
      });
    } catch (error) {
      failure = error;
    }
    const cancelled = this.#abort.signal.aborted;
    this.#running = null;
    const outcome = this.#words(done, progress, count, cancelled, failure);
    this.#outcome = outcome.tone === 'info' && !cancelled ? null : outcome;
    this.#announce(outcome.message);
    return progress.doneCount > progress.refused.length;
  }

  #words(
    done: string,
    { doneCount, refused }: BatchProgress,
    count: number,
    cancelled: boolean,
    failure: unknown,
  ): EditOutcome {
    const edited = doneCount - refused.length;
    const numbers =
      edited === count
        ? `${this.#noun(count)} ${done}.`
        : `${edited.toLocaleString('en')} of ${this.#noun(count)} ${done}.`;
    if (cancelled) return { tone: 'info', message: `Stopped: ${numbers}`, cure: 'The others are as they were.' };
    if (failure !== null) {
      const words = errorWords(failure);
      return { tone: 'error', message: `${numbers} ${words?.message ?? ''}`.trim(), cure: words?.cure ?? '' };
    }
    if (refused.length === 0) return { tone: 'info', message: numbers, cure: '' };
    const first = errorWords(refused[0]!.error)?.message ?? '';
    return {
      tone: 'warning',
      message: `${numbers} ${refused.length.toLocaleString('en')} could not be: ${first}`,
      cure: 'They may have been deleted meanwhile.',
    };
  }
}
