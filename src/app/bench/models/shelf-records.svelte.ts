import { isObject } from '../../../machine/config/face/json.ts';
import type { ModelSettings } from '../../../machine/config/face/machine-config.ts';
import type { TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { LabelFile } from '../config/label-files.svelte.ts';

/** A model that was on the stage, with what the configuration said of it then. */
export interface ShelfRecord {
  readonly fileName: string;
  readonly openedAtMs: number;
  /** null: no configuration described it */
  readonly settings: ModelSettings | null;
  /** the label file that the settings name; null: none, or its content is not here */
  readonly labels: { readonly path: string; readonly file: LabelFile } | null;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** Which file a path of a configuration means. */
export interface PathMeaning {
  /** hash of the file, in hex */
  readonly sha256: string;
  /** how that is known: its name is the file's, the bench wrote it, or a person keeps it for another file that is not here */
  readonly by: 'name' | 'bench' | 'person';
}

const MOST_KEPT = 40;
const LATEST = 'shelf';
const MEANINGS = 'shelf-paths';

/**
 * The record of each model by the hash of its file: one record a key of the storage, so that a tab that writes one leaves
 * those that other tabs wrote as they are.
 */
export class ShelfRecords {
  readonly #memory: MemoryPort;
  /** changes with each write, for readers that are derived */
  #version = $state(0);
  /** records read or written before, since lists are drawn anew with every move of a threshold */
  readonly #read: Record<string, ShelfRecord> = {};
  #meanings: Readonly<Record<string, PathMeaning>>;

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    this.#meanings = readMeanings(recall(memory, MEANINGS));
  }

  /** null: nothing is known of it. */
  of(sha256: string): ShelfRecord | null {
    void this.#version;
    const known = this.#read[sha256];
    if (known || sha256 === '') return known ?? null;
    const record = recall(this.#memory, keyOf(sha256));
    if (!isRecord(record)) return null;
    this.#read[sha256] = record;
    return record;
  }

  put(sha256: string, record: ShelfRecord): void {
    if (sha256 === '') return;
    this.#read[sha256] = record;
    this.#version++;
    remember(this.#memory, keyOf(sha256), record);
    const latest = [sha256, ...this.#latest().filter((other) => other !== sha256)];
    for (const old of latest.slice(MOST_KEPT)) remember(this.#memory, keyOf(old), null);
    remember(this.#memory, LATEST, latest.slice(0, MOST_KEPT));
  }

  forget(sha256: string): void {
    delete this.#read[sha256];
    remember(this.#memory, keyOf(sha256), null);
    const latest = this.#latest().filter((other) => other !== sha256);
    remember(this.#memory, LATEST, latest);
    this.#keepMeanings(Object.entries(this.#meanings).filter(([, meaning]) => meaning.sha256 !== sha256));
  }

  /** null: not known. */
  meaningOf(path: string): PathMeaning | null {
    void this.#version;
    return this.#meanings[path] ?? null;
  }

  mean(path: string, meaning: PathMeaning): void {
    if (path === '' || meaning.sha256 === '') return;
    this.#keepMeanings([...Object.entries(this.#meanings).filter(([other]) => other !== path), [path, meaning]]);
  }

  #keepMeanings(meanings: readonly (readonly [string, PathMeaning])[]): void {
    this.#version++;
    this.#meanings = Object.fromEntries(meanings.slice(-MOST_KEPT));
    remember(this.#memory, MEANINGS, this.#meanings);
  }

  #latest(): readonly string[] {
    const latest = recall(this.#memory, LATEST);
    return Array.isArray(latest) ? latest.filter((sha256) => typeof sha256 === 'string') : [];
  }
}

const keyOf = (sha256: string): string => `shelf:${sha256}`;

function readMeanings(value: unknown): Readonly<Record<string, PathMeaning>> {
  if (!isObject(value)) return {};
  const isMeaning = (meaning: unknown): boolean =>
    isObject(meaning) &&
    typeof meaning['sha256'] === 'string' &&
    ['name', 'bench', 'person'].includes(String(meaning['by']));
  const read = Object.entries(value).filter(([, meaning]) => isMeaning(meaning));
  return Object.fromEntries(read) as Readonly<Record<string, PathMeaning>>;
}

function isRecord(value: unknown): value is ShelfRecord {
  if (!isObject(value)) return false;
  const { fileName, openedAtMs, settings, inputs, outputs } = value;
  return (
    typeof fileName === 'string' &&
    typeof openedAtMs === 'number' &&
    (settings === null || (isObject(settings) && isObject(settings['vision']))) &&
    Array.isArray(inputs) &&
    Array.isArray(outputs)
  );
}
