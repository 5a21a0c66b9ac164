import { ShareError, withoutSecrets } from '../../config/share-config.ts';
import { recall, remember, type MemoryPort } from '../view/remembered.ts';

/** One time that a configuration was written. */
export interface JournalEntry {
  /** ms since 1970 */
  readonly atMs: number;
  readonly what: 'written' | 'undone';
  readonly fileName: string;
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

  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  get entries(): readonly JournalEntry[] {
    const kept = recall(this.#memory, MEMORY_KEY);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  }

  add(entry: JournalEntry): void {
    let characters = 0;
    const entries = [entry, ...this.entries].slice(0, mostEntries).filter(({ before, after }, at) => {
      characters += before.length + after.length;
      return at === 0 || characters <= mostCharacters;
    });
    remember(this.#memory, MEMORY_KEY, entries);
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
    [entry.fileName, entry.host, entry.before, entry.after].every((text) => typeof text === 'string')
  );
}
