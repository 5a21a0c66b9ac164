import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

/** The content of a label file of the machine. */
export interface LabelFile {
  readonly labels: readonly string[];
  /** "coco80.labels.txt", "typed here" or "the model’s own names" */
  readonly from: string;
}

/** Contents by the path of their label file; null: none is given. */
export type LabelContents = Readonly<Record<string, LabelFile | null>>;

const MOST_REMEMBERED = 12;

/** The contents that were given here for label files, by their path on the machine. Undo steps of the configuration bring contents back. */
export class LabelFiles {
  readonly #memory: MemoryPort | null;
  #given = $state.raw<Readonly<Record<string, LabelFile>>>({});

  /** null: nothing is remembered */
  constructor(memory: MemoryPort | null) {
    this.#memory = memory;
    if (memory) this.#given = readRemembered(recall(memory, 'labels'));
  }

  /** another object whenever contents changed */
  get given(): Readonly<Record<string, LabelFile>> {
    return this.#given;
  }

  at(path: string): LabelFile | null {
    return this.#given[path] ?? null;
  }

  put(contents: LabelContents): void {
    const others = Object.entries(this.#given).filter(([path]) => !(path in contents));
    const given = Object.entries(contents).filter((one): one is [string, LabelFile] => one[1] !== null);
    this.#given = Object.fromEntries([...others, ...given]);
    if (this.#memory)
      remember(this.#memory, 'labels', Object.fromEntries(Object.entries(this.#given).slice(-MOST_REMEMBERED)));
  }
}

function readRemembered(value: unknown): Readonly<Record<string, LabelFile>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, file]) => isLabelFile(file)));
}

function isLabelFile(value: unknown): value is LabelFile {
  const file = value as Partial<LabelFile> | null;
  return (
    typeof file?.from === 'string' &&
    Array.isArray(file.labels) &&
    file.labels.every((label) => typeof label === 'string')
  );
}

/** Whether a stored value is contents of label files. */
export const isLabelContents = (value: unknown): value is LabelContents =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((file) => file === null || isLabelFile(file));
