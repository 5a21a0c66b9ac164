import { ShareError, withoutSecrets } from '../../../machine/config/face/edits.ts';
import type { WatchedConfig } from '../../../platform/ports/watched-config.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

/** A record of one write of a configuration. */
export interface JournalEntry {
  /** ms since 1970 */
  readonly atMs: number;
  readonly what: 'written' | 'undone';
  /** name of the file or of the part */
  readonly name: string;
  /** the account service and part; '': a file */
  readonly place: string;
  /** the connected machine; '': none */
  readonly host: string;
  readonly before: string;
  readonly after: string;
  /** what the certificates state that were not void when it was written; they are never part of what is written */
  readonly certified?: readonly string[];
}

const MEMORY_KEY = 'write-journal';
/** A page's storage is small, and shared with the configuration itself. */
const mostEntries = 20;
const mostCharacters = 500_000;

/** A record of all writes, the newest first, stored in this browser as far as there is space. */
export class WriteJournal {
  readonly #memory: MemoryPort;
  /** entries that the browser had no space for: they last as long as the page */
  #unkept: readonly JournalEntry[] = [];

  /** @param memory storage that all tabs share and write to */
  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#unkept, ...this.#kept].toSorted((a, b) => b.atMs - a.atMs);
  }

  get #kept(): readonly JournalEntry[] {
    const kept = recall(this.#memory, MEMORY_KEY);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  }

  add(entry: JournalEntry): void {
    let characters = 0;
    const entries = [entry, ...this.#kept].slice(0, mostEntries).filter(({ before, after }, at) => {
      characters += before.length + after.length;
      return at === 0 || characters <= mostCharacters;
    });
    remember(this.#memory, MEMORY_KEY, entries);
    if (this.#kept[0]?.atMs !== entry.atMs) this.#unkept = [entry, ...this.#unkept];
  }

  /**
   * The text before the last write, if that write's text is still in place; null: somebody else has written since,
   * or it was undone.
   */
  beforeLast(watched: WatchedConfig, there: string): string | null {
    const last = this.#of(watched)[0];
    return last?.what === 'written' && last.after === there ? last.before : null;
  }

  /** Whether this browser has written the present text, step by step, starting from `from`. */
  leads(watched: WatchedConfig, from: string, there: string): boolean {
    const entries = this.#of(watched);
    return entries[0]?.after === there && entries.some(({ before }) => before === from);
  }

  #of({ name, place }: WatchedConfig): readonly JournalEntry[] {
    return this.entries.filter((entry) => entry.name === name && entry.place === place);
  }

  /** All entries as JSON, without the keys and passwords of the configurations. */
  export(): string {
    const entries = this.entries.map(({ before, after, atMs, ...rest }) => ({
      at: new Date(atMs).toISOString(),
      ...rest,
      before: withoutKeys(before),
      after: withoutKeys(after),
    }));
    return `${JSON.stringify(entries, null, 2)}\n`;
  }
}

/** '' for a text whose errors could hide a key. */
function withoutKeys(text: string): string {
  try {
    return withoutSecrets(text).text;
  } catch (error) {
    if (error instanceof ShareError) return '';
    throw error;
  }
}

function isEntry(value: unknown): value is JournalEntry {
  const entry = value as Partial<JournalEntry> | null;
  return (
    typeof entry === 'object' &&
    entry !== null &&
    typeof entry.atMs === 'number' &&
    (entry.what === 'written' || entry.what === 'undone') &&
    [entry.name, entry.place, entry.host, entry.before, entry.after].every((text) => typeof text === 'string') &&
    (entry.certified === undefined || Array.isArray(entry.certified))
  );
}
