import { changedResources } from '../../config/export-config.ts';
import { parseDocument } from '../../config/json-document.ts';
import type { ConfigurationWord } from '../../live-machine/await-configuration.ts';
import type { ConfigFile, ConfigFilePort } from '../../ports/config-file.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import { WriteJournal, type JournalEntry } from './journal.ts';
import type { MemoryPort } from '../view/remembered.ts';

export interface WriteBackPlace {
  readonly config: ConfigState;
  /** of the connected machine; '' = none */
  readonly host: () => string;
  /** To be asked before these resources are written anew: gives what hears how the connected machine takes it; null = none is. */
  readonly watch: (resources: readonly string[]) => Promise<HearMachine | null>;
  readonly nowMs: () => number;
}

/** Waits until the machine has what was written, and says how it is. */
export type HearMachine = (signal: AbortSignal) => Promise<ConfigurationWord>;

/** The file of the machine that is connected to the bench, as it was last read or written. */
interface OpenFile {
  readonly file: ConfigFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
}

interface Written {
  readonly before: Uint8Array<ArrayBuffer>;
  readonly after: Uint8Array<ArrayBuffer>;
}

export interface WriteFault {
  readonly message: string;
  readonly cure: string;
}

/** Someone else wrote the file since it was read. */
export interface Conflict {
  readonly base: string;
  readonly there: string;
}

/**
 * Writes the configuration into the file that a machine watches: only where that file is as it was read, every byte that was
 * not tuned as it was, and with one step back to the bytes that were there.
 */
export class WriteBackState {
  readonly #port: ConfigFilePort;
  readonly #place: WriteBackPlace;
  readonly #journal: WriteJournal;
  #isOpen = $state(false);
  #file = $state.raw<OpenFile | null>(null);
  #written = $state.raw<Written | null>(null);
  #conflict = $state.raw<Conflict | null>(null);
  #fault = $state.raw<WriteFault | null>(null);
  #busy = $state(false);
  #word = $state.raw<ConfigurationWord | null>(null);
  #isHearing = $state(false);
  #entries = $state.raw<readonly JournalEntry[]>([]);
  #waiting: AbortController | null = null;

  constructor(port: ConfigFilePort, place: WriteBackPlace, memory: MemoryPort) {
    this.#port = port;
    this.#place = place;
    this.#journal = new WriteJournal(memory);
    this.#entries = this.#journal.entries;
  }

  get canWrite(): boolean {
    return this.#port.canWrite;
  }
  get isOpen(): boolean {
    return this.#isOpen;
  }
  get fileName(): string | null {
    return this.#file?.file.name ?? null;
  }
  /** As it lies in the file. */
  get fileText(): string {
    return this.#file?.text ?? '';
  }
  get differs(): boolean {
    return this.#file !== null && this.#file.text !== this.#place.config.text;
  }
  get conflict(): Conflict | null {
    return this.#conflict;
  }
  get fault(): WriteFault | null {
    return this.#fault;
  }
  get busy(): boolean {
    return this.#busy;
  }
  /** What the machine says of what was last written; null = it was not asked, or has not said yet. */
  get word(): ConfigurationWord | null {
    return this.#word;
  }
  /** The machine is asked whether it has what was written. */
  get isHearing(): boolean {
    return this.#isHearing;
  }
  get canUndo(): boolean {
    return this.#written !== null;
  }
  get journal(): readonly JournalEntry[] {
    return this.#entries;
  }

  open(): void {
    this.#isOpen = true;
    this.#entries = this.#journal.entries; // another tab may have written
  }

  close(): void {
    this.#stopHearing();
    this.#isOpen = false;
  }

  #stopHearing(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.#isHearing = false;
    this.#word = null;
  }

  /** Asks for the file. Where the bench tunes another configuration, this one is imported; one undo brings the other back. */
  pick(): Promise<void> {
    return this.#working(async () => {
      const file = await this.#port.pick();
      if (file) this.#take(file, await file.read());
    });
  }

  /** Takes what is in the file now in the place of what is tuned here; one undo brings that back. */
  readAgain(): Promise<void> {
    return this.#working(async () => {
      const { file } = this.#file!;
      this.#take(file, await file.read());
    });
  }

  #take(file: ConfigFile, bytes: Uint8Array<ArrayBuffer>): void {
    const { config } = this.#place;
    const text = textOf(bytes);
    if (text === null) {
      this.#fault = {
        message: `${file.name} is not UTF-8 text, so it could not be written back as it was.`,
        cure: 'Open the configuration that the machine reads, a JSON file.',
      };
      return;
    }
    // An edit of a broken text starts from the last good one: it would write another configuration over this file.
    if (parseDocument(text).errors.length > 0) {
      this.#fault = { message: `${file.name} is no valid JSON.`, cure: 'Mend the file, and open it then.' };
      return;
    }
    // What came from this very file may be tuned already.
    if (config.importedText !== text && !config.importFile(text, file.name)) {
      this.#fault = {
        message: `${file.name} holds no machine configuration that can be read.`,
        cure: 'Open the file that viam-server was started with.',
      };
      return;
    }
    if (config.importedText !== text) {
      this.#fault = {
        message: `${file.name} holds a part of a configuration, not a whole one.`,
        cure: 'Open the file that viam-server was started with; it holds components and services.',
      };
      return;
    }
    this.#file = { file, bytes, text };
    this.#written = null;
    this.#conflict = null;
  }

  /** Writes what is tuned, if the file is as it was read. */
  write(): Promise<void> {
    return this.#working(async () => {
      const { config } = this.#place;
      if (config.broken) {
        this.#fault = { message: 'The JSON is broken at the moment.', cure: 'Mend it, or undo, and write it then.' };
        return;
      }
      await this.#replace(new TextEncoder().encode(config.text), 'written');
    });
  }

  /** Puts the bytes back that were there before. */
  undo(): Promise<void> {
    return this.#working(async () => {
      if (this.#written) await this.#replace(this.#written.before, 'undone');
    });
  }

  async #replace(after: Uint8Array<ArrayBuffer>, what: JournalEntry['what']): Promise<void> {
    const { file, bytes: before, text } = this.#file!;
    const afterText = textOf(after)!;
    const { host, nowMs, watch } = this.#place;
    // Before the file is looked at: a machine may take its time, and somebody else the file meanwhile.
    const hear = await watch(changedResources(text, afterText)).catch(() => null);
    const there = await file.read();
    if (!sameBytes(there, before)) {
      this.#conflict = { base: text, there: new TextDecoder().decode(there) };
      return;
    }
    await file.write(after);
    this.#file = { file, bytes: after, text: afterText };
    this.#written = what === 'written' ? { before, after } : null;
    this.#journal.add({ atMs: nowMs(), what, fileName: file.name, host: host(), before: text, after: afterText });
    this.#entries = this.#journal.entries;
    if (hear) void this.#listen(hear);
  }

  async #listen(hear: HearMachine): Promise<void> {
    const waiting = (this.#waiting = new AbortController());
    this.#isHearing = true;
    const word = await hear(waiting.signal).catch((error: unknown) => ({
      ...{ isWell: false, words: error instanceof Error ? error.message : String(error) },
    }));
    if (waiting.signal.aborted) return;
    this.#isHearing = false;
    this.#word = word;
  }

  exportJournal(): string {
    return this.#journal.export();
  }

  async #working(work: () => Promise<void>): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.#fault = null;
    this.#conflict = null;
    this.#stopHearing();
    try {
      await work();
    } catch (error) {
      this.#fault = {
        message: error instanceof Error ? error.message : String(error),
        cure: 'See that the file is still there and may be written, and try again. Nothing was changed on the bench.',
      };
    } finally {
      this.#busy = false;
    }
  }
}

/** The text of bytes that come out the same when it is encoded again; null of others. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
