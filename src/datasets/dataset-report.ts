import { joinClasses, type DatasetClass } from './dataset-classes.ts';
import type { LostKind } from './lost-kinds.ts';

/** One thing that an import or an export could not take as it stands. */
export interface DatasetProblem {
  /** `error`: the line, box or picture was left out; `note`: it was taken, changed as the message says */
  readonly severity: 'error' | 'note';
  /** path inside the dataset; of an export the picture's name */
  readonly file: string;
  /** counted from 1; null where the format has no lines */
  readonly line: number | null;
  /** says what was expected and what was received */
  readonly message: string;
}

/** A dataset with a million bad lines has one cause: the first few hundred show it. */
const keptProblems = 500;
const shownValueLetters = 80;

/** What an import or an export has done so far: give one along, and read it while items come. */
export class DatasetReport {
  readonly problems: DatasetProblem[] = [];
  errorCount = 0;
  noteCount = 0;
  imageCount = 0;
  boxCount = 0;
  /** how many pictures an import will give at most; null until known */
  expectedImages: number | null = null;
  /** how the dataset calls itself; null where it does not */
  datasetName: string | null = null;
  readonly #lost = new Map<LostKind, number>();
  readonly #classes = new Map<string, number | null>();

  /** what an import's boxes may be, in the order of the dataset; empty where it has none */
  get classes(): readonly DatasetClass[] {
    return joinClasses([...this.#classes].map(([label, id]) => ({ label, id })));
  }

  /** Takes note of a class: those of several files are one list. */
  addClass(label: string, id: number | null = null): void {
    this.#classes.set(label, this.#classes.get(label) ?? id);
  }

  /** what there is no place for, and how often it occurs */
  get lost(): readonly { readonly kind: LostKind; readonly count: number }[] {
    return [...this.#lost].map(([kind, count]) => ({ kind, count }));
  }

  /** Counts what comes without, or not at all. */
  lose(kind: LostKind, count = 1): void {
    if (count > 0) this.#lost.set(kind, (this.#lost.get(kind) ?? 0) + count);
  }

  /** Leaves something out, and says which and why. */
  error(file: string, line: number | null, message: string): void {
    this.errorCount++;
    this.#keep({ severity: 'error', file, line, message });
  }

  /** Takes something changed, and says how. */
  note(file: string, line: number | null, message: string): void {
    this.noteCount++;
    this.#keep({ severity: 'note', file, line, message });
  }

  /** The first error in words, for a dataset of which nothing was imported; null without one. */
  firstError(): string | null {
    const first = this.problems.find(({ severity }) => severity === 'error');
    return first ? `${placeOf(first)}: ${first.message}` : null;
  }

  #keep(problem: DatasetProblem): void {
    if (this.problems.length < keptProblems) this.problems.push(problem);
    else if (problem.severity === 'error') this.#makeRoomForFirstErrors(problem);
  }

  /** Notes that came first must not hide what was left out. */
  #makeRoomForFirstErrors(problem: DatasetProblem): void {
    const note = this.problems.findLastIndex(({ severity }) => severity === 'note');
    if (note < 0) return;
    this.problems.splice(note, 1);
    this.problems.push(problem);
  }
}

/** `labels/a.txt, line 3`, or the file alone. */
export function placeOf({ file, line }: Pick<DatasetProblem, 'file' | 'line'>): string {
  return line === null ? file : `${file}, line ${line}`;
}

/** A received value as a message shows it: quoted, and cut when long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > shownValueLetters ? `${text.slice(0, shownValueLetters)}…` : text;
  return typeof value === 'string' ? `“${cut}”` : cut;
}
