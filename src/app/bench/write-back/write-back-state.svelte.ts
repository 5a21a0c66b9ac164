import { changedResources, importConfig, mergeConfig, type MergedConfig } from '../../../machine/config/face/edits.ts';
import { parseDocument } from '../../../machine/config/face/json.ts';
import type { ConfigurationWord } from '../../../remote/live-machine/await-configuration.ts';
import type { Doubt } from '../../../remote/live-machine/doubt-of-machine.ts';
import type { ConfigFilePort } from '../../../platform/ports/config-file.ts';
import { ChangedMeanwhile, type WatchedConfig } from '../../../platform/ports/watched-config.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { AccountState } from '../account/account-state.svelte.ts';
import type { ReadConfig } from './ask-doubt.ts';
import { WriteJournal, type JournalEntry } from './journal.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { watchFile } from './watch-file.ts';
import { WriteError, writeFaultOf, type WriteFault } from '../account/write-error.ts';

export interface WriteBackDependencies {
  readonly config: ConfigState;
  /** the connected machine; '': none */
  readonly host: () => string;
  /**
   * Called before a write: returns the function that waits for the connected machine's answer; null: no machine is
   * connected.
   */
  readonly watch: (coming: ComingConfig) => Promise<HearMachine | null>;
  /**
   * Asks whether a configuration belongs to the connected machine; null: nothing suggests otherwise, or none is
   * connected.
   */
  readonly doubt: (read: ReadConfig) => Promise<Doubt | null>;
  /** What the certificates state that hold for the configuration on the bench. */
  readonly certified: () => readonly string[];
  readonly nowMs: () => number;
}

/** A configuration that is about to be written. */
export interface ComingConfig {
  /** the resources that change */
  readonly resources: readonly string[];
  /** whether the bench runs it, so that results can be compared */
  readonly isOnBench: boolean;
  /** the configuration that it replaces */
  readonly read: ReadConfig;
}

/**
 * Waits until the machine has read the new configuration, and reports its state; calls `say` with what it waits
 * for.
 */
export type HearMachine = (signal: AbortSignal, say: (doing: string) => void) => Promise<ConfigurationWord>;

/** Somebody else has written the configuration since it was read. */
export interface Conflict {
  readonly base: string;
  readonly there: string;
}

/**
 * Writes the configuration to where a machine reads it: only if it is unchanged there since it was read, with
 * everything that was not tuned unchanged, and with one step of undo.
 */
export class WriteBackState {
  readonly account: AccountState;
  readonly #files: ConfigFilePort;
  readonly #dependencies: WriteBackDependencies;
  readonly #journal: WriteJournal;
  #isOpen = $state(false);
  /** The file or part that is written to; null: none yet. */
  watched = $state.raw<WatchedConfig | null>(null);
  /** the text there, as it was last read or written */
  there: string = $state.raw('');
  /** the text that undo restores; null: nothing was written, or not by this browser */
  #before = $state.raw<string | null>(null);
  conflict = $state.raw<Conflict | null>(null);
  /** The things changed on both sides, once the changes made here were applied to the text there; null: they were not. */
  applied = $state.raw<readonly string[] | null>(null);
  fault = $state.raw<WriteFault | null>(null);
  busy: boolean = $state(false);
  /** The last action there since it was read. */
  done = $state.raw<JournalEntry['what'] | null>(null);
  /** The machine's answer to the last write; null: not asked, or no answer yet. */
  word = $state.raw<ConfigurationWord | null>(null);
  /** The answer awaited from the machine about the last write, in words; '': none. */
  hearing: string = $state('');
  /**
   * Why the connected machine may not be the one that is written to; null: nothing suggests it, or none is
   * connected.
   */
  doubt = $state.raw<Doubt | null>(null);
  journal = $state.raw<readonly JournalEntry[]>([]);
  #waiting: AbortController | null = null;
  /** the last request; an earlier one may be answered later */
  #doubtAsked: Promise<Doubt | null> | null = null;

  /** @param memory storage of the journal, which all tabs share */
  constructor(files: ConfigFilePort, account: AccountState, dependencies: WriteBackDependencies, memory: MemoryPort) {
    this.#files = files;
    this.account = account;
    this.#dependencies = dependencies;
    this.#journal = new WriteJournal(memory);
    this.journal = this.#journal.entries;
  }

  /** The text that will be written. */
  readonly tuned: string = $derived.by(() => {
    const { text } = this.#dependencies.config;
    return this.watched?.inForm(text) ?? text;
  });

  /** The text there with the changes made here applied again; null: there is no conflict, or one text is unreadable. */
  readonly merged: MergedConfig | null = $derived.by(() => {
    if (!this.conflict || this.#dependencies.config.broken) return null;
    return mergeConfig(this.conflict.base, this.conflict.there, this.tuned);
  });

  get canOpenFiles(): boolean {
    return this.#files.canWrite;
  }
  get differs(): boolean {
    return this.watched !== null && this.there !== this.tuned;
  }
  /** Whether a write was undone and the bench still has the text that was written. */
  get keepsOther(): boolean {
    return this.done === 'undone' && this.differs;
  }
  get canUndo(): boolean {
    return this.#before !== null;
  }

  open(): void {
    this.#isOpen = true;
    this.journal = this.#journal.entries; // another tab may have written
    void this.#askDoubt(); // another machine may be connected
  }

  async #askDoubt(): Promise<void> {
    this.doubt = null;
    const watched = this.watched;
    const asked = watched && this.#dependencies.doubt({ partId: watched.partId, text: this.there });
    this.#doubtAsked = asked;
    const doubt = await asked;
    if (asked === this.#doubtAsked) this.doubt = doubt;
  }

  close(): void {
    this.#stopHearing();
    this.#isOpen = false;
  }

  #stopHearing(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.hearing = '';
    this.word = null;
  }

  /** Opens a file. If the bench tunes another configuration, the file is imported; one undo restores the other. */
  pickFile(): Promise<void> {
    return this.#working(async () => {
      const file = await this.#files.pick();
      if (file) await this.#take(watchFile(file));
    });
  }

  /** Opens the selected part of the account, as `pickFile` opens a file. */
  openPart(): Promise<void> {
    return this.#working(async () => this.#take(await this.account.watch()));
  }

  /** Imports the present text from there instead of the tuned one; one undo restores that. */
  readAgain(): Promise<void> {
    return this.#working(() => this.#take(this.watched!));
  }

  /**
   * Imports the present text from there and applies what was changed here again: two steps to undo. Nothing is written.
   */
  applyAgain(): Promise<void> {
    return this.#working(async (conflict) => {
      if (!conflict) return;
      const { config } = this.#dependencies;
      const mine = this.tuned;
      const { name } = this.watched!;
      await this.#take(this.watched!);
      // It may have changed once more since the conflict was shown.
      const merged = mergeConfig(conflict.base, this.there, mine);
      const isApplied = merged && config.editSteps(`Apply my changes to ${name} again`, () => withText(merged.text));
      if (!isApplied) throw new WriteError('The changes could not be applied again.', 'Undo brings them back.');
      this.applied = merged.both;
    });
  }

  /** Goes back to choosing a file or part. */
  leave(): void {
    this.#stopHearing();
    this.done = null;
    this.watched = null;
    this.conflict = null;
    this.applied = null;
    this.fault = null;
    void this.#askDoubt();
  }

  async #take(watched: WatchedConfig): Promise<void> {
    const { config } = this.#dependencies;
    const { name } = watched;
    const text = await watched.read();
    // The bench would continue with the last valid text, and write another configuration over this one.
    if (parseDocument(text).errors.length > 0) {
      throw new WriteError(`${name} is not valid JSON.`, 'Fix it there, then open it.');
    }
    if (importConfig(text).pastedAs !== 'machine') {
      throw new WriteError(
        `${name} is not a complete configuration: it has neither components nor services.`,
        'Open one that has them. What comes from a fragment is tuned in the fragment.',
      );
    }
    // A text that this browser wrote may be tuned already.
    const isTuned = config.importedText === text || this.#journal.leads(watched, config.importedText, text);
    if (!isTuned) config.importFile(text, name);
    this.watched = watched;
    this.done = null;
    this.there = text;
    this.#before = this.#journal.beforeLast(watched, text);
    void this.#askDoubt();
  }

  /** Writes the tuned text, if nobody else has written since it was read. */
  write(): Promise<void> {
    return this.#working(async () => {
      const { config } = this.#dependencies;
      if (config.broken) {
        throw new WriteError('The JSON has a mistake.', 'Fix it or undo, then write it.');
      }
      await this.#replace(this.tuned, 'written');
    });
  }

  /** Restores the text from before the last write. */
  undo(): Promise<void> {
    return this.#working(async () => {
      if (this.#before !== null) await this.#replace(this.#before, 'undone');
    });
  }

  /** Takes the text there into the bench, as one undo step. false: the text on the bench cannot be read. */
  takeThere(): boolean {
    return this.#dependencies.config.editSteps(`Use the text of ${this.watched!.name}`, () => withText(this.there));
  }

  async #replace(after: string, what: JournalEntry['what']): Promise<void> {
    const watched = this.watched!;
    const before = this.there;
    const { host, nowMs, watch } = this.#dependencies;
    // Read before waiting: a machine may take its time, and somebody else may write meanwhile.
    const read = { partId: watched.partId, text: before };
    const coming = { resources: changedResources(before, after), isOnBench: after === this.tuned, read };
    const certified = what === 'written' ? this.#dependencies.certified() : [];
    const hear = await watch(coming).catch((error: unknown) => () => Promise.reject(error as Error));
    try {
      this.there = await watched.replace(before, after);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      this.conflict = { base: before, there: error.there };
      return;
    }
    const { name, place } = watched;
    this.done = what;
    this.#before = what === 'written' ? before : null;
    const entry = { atMs: nowMs(), what, name, place, host: host(), before, after: this.there };
    this.#journal.add(certified.length > 0 ? { ...entry, certified } : entry);
    this.journal = this.#journal.entries;
    if (hear && this.#isOpen) void this.#listen(hear);
  }

  async #listen(hear: HearMachine): Promise<void> {
    const waiting = (this.#waiting = new AbortController());
    const say = (doing: string): void => {
      if (!waiting.signal.aborted) this.hearing = doing;
    };
    const word = await hear(waiting.signal, say).catch((error: unknown) => ({
      isWell: false,
      words: `It is not known whether the machine has it: ${errorMessage(error)}`,
    }));
    if (waiting.signal.aborted) return;
    this.hearing = '';
    this.word = word;
  }

  exportJournal(): string {
    return this.#journal.export();
  }

  async #working(work: (conflict: Conflict | null) => Promise<void>): Promise<void> {
    if (this.busy) return;
    const { conflict } = this;
    this.busy = true;
    this.fault = null;
    this.conflict = null;
    this.applied = null;
    this.#stopHearing();
    try {
      await work(conflict);
    } catch (error) {
      this.fault = writeFaultOf(error, 'Check that it is still there and writable, then try again.');
    } finally {
      this.busy = false;
    }
  }
}

/** A text with no step switched off. */
function withText(text: string) {
  return { text, disabled: [] };
}
