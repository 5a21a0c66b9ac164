import { counted, numberText } from '../words/figures.ts';
import { errorWords } from '../words/error-words.ts';
import { editInBatches, type BatchProgress } from './edit-in-batches.ts';

/** The ids to edit, which may be read while editing, and their known number. */
export interface EditedIds {
  readonly count: number;
  readonly ids: Iterable<string> | AsyncIterable<string>;
}

export interface BulkEdit {
  /** "Tagging 3 images with “dusk”" */
  readonly doing: string;
  /** "tagged": follows the number of edited items */
  readonly done: string;
  readonly edit: (ids: readonly string[]) => Promise<unknown>;
  /** Returns the steps that undo the edit so far; left out if it cannot be undone. */
  readonly undoSteps?: () => readonly UndoStep[];
}

/** One edit that undoes a part of a bulk edit. */
export interface UndoStep {
  readonly ids: readonly string[];
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
  readonly canUndo: boolean;
}

/** Runs one edit of many files at a time, and shows its progress and its result in words. */
export class BulkEdits {
  readonly #announce: (sentence: string) => void;
  readonly #noun: () => string;
  running = $state.raw<RunningEdit | null>(null);
  outcome = $state.raw<EditOutcome | null>(null);
  #abort: AbortController | null = null;
  #undoSteps: readonly UndoStep[] = [];

  /** `noun` is the word for one of the edited items: "image". */
  constructor(announce: (sentence: string) => void, noun: () => string) {
    this.#announce = announce;
    this.#noun = noun;
  }

  dismiss(): void {
    this.outcome = null;
    this.#undoSteps = [];
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** Runs an edit to its end; resolves to whether anything was changed. While one edit runs, another is refused. */
  async run({ doing, done, edit, undoSteps }: BulkEdit, { count, ids }: EditedIds): Promise<boolean> {
    if (this.running || count === 0) return false;
    this.outcome = null;
    this.running = { doing, doneCount: 0, count };
    this.#abort = new AbortController();
    let progress: BatchProgress = { doneCount: 0, refused: [] };
    let failure: unknown = null;
    try {
      await editInBatches(ids, edit, this.#abort.signal, (told) => {
        progress = told;
        this.running = { doing, doneCount: told.doneCount, count };
      });
    } catch (error) {
      failure = error;
    }
    const cancelled = this.#abort.signal.aborted;
    this.running = null;
    const outcome = this.#words(done, progress, count, cancelled, failure);
    this.#undoSteps = undoSteps?.() ?? [];
    const canUndo = this.#undoSteps.length > 0;
    this.outcome = outcome.tone === 'info' && !cancelled && !undoSteps ? null : { ...outcome, canUndo };
    this.#announce(outcome.message);
    return progress.doneCount > progress.refused.length;
  }

  /** Undoes the last edit. Files that were deleted meanwhile are left out. */
  async undo(): Promise<void> {
    const steps = this.#undoSteps;
    if (this.running || steps.length === 0) return;
    this.#undoSteps = [];
    this.outcome = null;
    const count = steps.reduce((sum, { ids }) => sum + ids.length, 0);
    let before = 0;
    this.running = { doing: 'Undoing', doneCount: 0, count };
    this.#abort = new AbortController();
    let outcome: Omit<EditOutcome, 'canUndo'> = { tone: 'info', message: 'Undone.', cure: '' };
    try {
      for (const { ids, edit } of steps) {
        await editInBatches(ids, edit, this.#abort.signal, ({ doneCount }) => {
          this.running = { doing: 'Undoing', doneCount: before + doneCount, count };
        });
        before += ids.length;
      }
    } catch (error) {
      const words = errorWords(error);
      outcome = {
        tone: 'error',
        message: `Not all of it was undone. ${words?.message ?? 'It was stopped.'}`,
        cure: words?.cure ?? '',
      };
    }
    this.running = null;
    this.outcome = { ...outcome, canUndo: false };
    this.#announce(outcome.message);
  }

  #words(
    done: string,
    { doneCount, refused }: BatchProgress,
    count: number,
    cancelled: boolean,
    failure: unknown,
  ): Omit<EditOutcome, 'canUndo'> {
    const edited = doneCount - refused.length;
    const numbers =
      edited === count
        ? `${counted(count, this.#noun())} ${done}.`
        : `${numberText(edited)} of ${counted(count, this.#noun())} ${done}.`;
    if (cancelled) return { tone: 'info', message: `Stopped: ${numbers}`, cure: 'The others are as they were.' };
    if (failure !== null) {
      const words = errorWords(failure);
      return { tone: 'error', message: `${numbers} ${words?.message ?? ''}`.trim(), cure: words?.cure ?? '' };
    }
    if (refused.length === 0) return { tone: 'info', message: numbers, cure: '' };
    const first = errorWords(refused[0]!.error)?.message ?? '';
    return {
      tone: 'warning',
      message: `${numbers} ${numberText(refused.length)} could not be: ${first}`,
      cure: 'They may have been deleted meanwhile.',
    };
  }
}
