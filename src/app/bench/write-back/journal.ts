import { ShareError } from '../../../config/share-error.ts';
import { withoutSecrets } from '../../../config/without-secrets.ts';
import type { WatchedConfig } from '../../../ports/watched-config.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

/** One time that a configuration was written. */
export interface JournalEntry {
  /** ms since 1970 */
  readonly atMs: number;
  readonly what: 'written' | 'undone';
  /** of the file, or of the part */
  readonly name: string;
  /** which part of which account service; '' of a file */
  readonly place: string;
  /** of the machine that was connected; '' = none */
  readonly host: string;
  readonly before: string;
  readonly after: string;
}

const MEMORY_KEY = 'write-journal';
/** The storage of a page is small, and shared with the configuration itself. */
const mostEntries = 20;
const mostCharacters = 500_000;

/** What was written when, the newest first, kept in this browser as far as there is room. */
export class WriteJournal {
  readonly #memory: MemoryPort;
  /** what the browser had no room for: it lasts as long as the page */
  #unkept: readonly JournalEntry[] = [];

  /** @param memory what all tabs share: each of them writes into it */
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

  /** What was there before the last write, if that is what is there now; null = someone else wrote since, or it was undone. */
  beforeLast(watched: WatchedConfig, there: string): string | null {
    const last = this.#of(watched)[0];
    return last?.what === 'written' && last.after === there ? last.before : null;
  }

  /** Whether this browser made what is there now, step by step, of a text that was there once. */
  leads(watched: WatchedConfig, from: string, there: string): boolean {
    const entries = this.#of(watched);
    return entries[0]?.after === there && entries.some(({ before }) => before === from);
  }

  #of({ name, place }: WatchedConfig): readonly JournalEntry[] {
    return this.entries.filter((entry) => entry.name === name && entry.place === place);
  }

  /** All of it as JSON, without the keys and passwords of the configurations. */
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

/** '' of a text whose mistakes could hide a key. */
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
    [entry.name, entry.place, entry.host, entry.before, entry.after].every((text) => typeof text === 'string')
  );
}
