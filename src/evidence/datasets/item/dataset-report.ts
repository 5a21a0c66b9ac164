import { joinClasses, type DatasetClass } from './dataset-classes.ts';
import type { LostKind } from './lost-kinds.ts';

/** One item that an import or export left out or changed. */
export interface DatasetProblem {
  /** `error`: the line, box or picture was left out; `note`: it was changed as the message says */
  readonly severity: 'error' | 'note';
  /** path in the dataset; for an export, the picture's name */
  readonly file: string;
  /** counted from 1; null if the format has no lines */
  readonly line: number | null;
  /** the problem in words: what was expected, and what was received */
  readonly message: string;
}

/** Only this many problems are kept: a million bad lines usually have one cause, which the first ones show. */
const keptProblems = 500;
const shownValueLetters = 80;

/** Collects the problems and counts of an import or export. The caller passes one in, and can read it while items arrive. */
export class DatasetReport {
  readonly problems: DatasetProblem[] = [];
  errorCount = 0;
  noteCount = 0;
  imageCount = 0;
  boxCount = 0;
  /** upper limit of the number of pictures of an import; null until it is known */
  expectedImages: number | null = null;
  /** the dataset's own name; null if its files contain none */
  datasetName: string | null = null;
  readonly #lost = new Map<LostKind, number>();
  readonly #classes = new Map<string, number | null>();

  /** the classes of an import in the order of the dataset; empty if its format has none */
  get classes(): readonly DatasetClass[] {
    return joinClasses([...this.#classes].map(([label, id]) => ({ label, id })));
  }

  /** Adds a class. The classes of several files are joined to one list. */
  addClass(label: string, id: number | null = null): void {
    this.#classes.set(label, this.#classes.get(label) ?? id);
  }

  /** kinds of annotations that are not supported, with their counts */
  get lost(): readonly { readonly kind: LostKind; readonly count: number }[] {
    return [...this.#lost].map(([kind, count]) => ({ kind, count }));
  }

  /** Counts annotations that were dropped or simplified. */
  lose(kind: LostKind, count = 1): void {
    if (count > 0) this.#lost.set(kind, (this.#lost.get(kind) ?? 0) + count);
  }

  /** Records that something was left out, and why. */
  error(file: string, line: number | null, message: string): void {
    this.errorCount++;
    this.#keep({ severity: 'error', file, line, message });
  }

  /** Records that something was changed, and how. */
  note(file: string, line: number | null, message: string): void {
    this.noteCount++;
    this.#keep({ severity: 'note', file, line, message });
  }

  /** The first error as text, to explain why nothing was imported; null if there is none. */
  firstError(): string | null {
    const first = this.problems.find(({ severity }) => severity === 'error');
    return first ? `${placeOf(first)}: ${first.message}` : null;
  }

  #keep(problem: DatasetProblem): void {
    if (this.problems.length < keptProblems) this.problems.push(problem);
    else if (problem.severity === 'error') this.#makeRoomForFirstErrors(problem);
  }

  /** The list is full: replace its last note by this error, because errors matter more. */
  #makeRoomForFirstErrors(problem: DatasetProblem): void {
    const note = this.problems.findLastIndex(({ severity }) => severity === 'note');
    if (note < 0) return;
    this.problems.splice(note, 1);
    this.problems.push(problem);
  }
}

/** The location as text: `labels/a.txt, line 3`, or the file alone. */
export function placeOf({ file, line }: Pick<DatasetProblem, 'file' | 'line'>): string {
  return line === null ? file : `${file}, line ${line}`;
}

/** A received value for an error message: quoted, and shortened if it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > shownValueLetters ? `${text.slice(0, shownValueLetters)}…` : text;
  return typeof value === 'string' ? `“${cut}”` : cut;
}
