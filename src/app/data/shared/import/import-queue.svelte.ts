import { counted, numberText } from '../../../kit/words/figures.ts';
import { ConnectError } from '@connectrpc/connect';
import { errorWords } from '../../../kit/words/error-words.ts';
import type { RowsPlan } from './upload-rows.ts';

export type ImportState = 'waiting' | 'sending' | 'stored' | 'was-there' | 'failed' | 'cancelled';

/** One file of an import. */
export interface QueuedFile {
  readonly number: number;
  readonly file: File;
  /** how a table becomes readings; null: the file is stored unchanged */
  readonly plan: RowsPlan | null;
  readonly state: ImportState;
  /** named as a picture, but stored as a file */
  readonly isNoPicture: boolean;
  /** 0..1 */
  readonly fraction: number;
  readonly failure: { readonly message: string; readonly cure: string } | null;
}

export interface ImportPorts {
  readonly uploadFile: (
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void },
  ) => Promise<{ readonly wasThere: boolean; readonly isNoPicture: boolean }>;
  readonly uploadRows: (
    file: File,
    plan: RowsPlan,
    options: { readonly signal: AbortSignal; readonly onProgress: (sentRows: number) => void },
  ) => Promise<void>;
  readonly announce: (sentence: string) => void;
  /** Calls `run` once after this many ms. */
  readonly later: (run: () => void, ms: number) => void;
}

/**
 * So many files are sent at once, whatever their size; more of small ones, because a store writes those that arrive
 * together in one transaction.
 */
const atOnce = 8;
const mostAtOnce = 24;
const mostBytesAtOnce = 8 * 2 ** 20;
/**
 * A cancelled file with at most this much left is sent to its end: stopped, it might be stored and yet counted as
 * cancelled.
 */
const mostEndingBytes = 4 * 2 ** 20;
/**
 * Progress and lists are updated at most this often: an update for each of thousands of files would cost a frame each.
 */
const tellEveryMs = 100;
const readAnewEveryMs = 2_000;

const noneOf = (): Record<ImportState, number> => ({
  waiting: 0,
  sending: 0,
  stored: 0,
  'was-there': 0,
  failed: 0,
  cancelled: 0,
});

/** In bytes, plus one for the file itself, so that empty files count. */
const weightOf = (file: File): number => file.size + 1;
const bytesToGo = ({ file, fraction }: QueuedFile): number => file.size * (1 - fraction);
const doneWeightOf = ({ file, state, fraction }: QueuedFile): number =>
  weightOf(file) * (state === 'waiting' || state === 'sending' ? fraction : 1);

/**
 * Imports files into the data service. Failed files stay in the list for another try. Counts are kept up to date file
 * by file and never recomputed, so that each of 10,000 files costs as little as one.
 */
export class ImportQueue {
  readonly #ports: ImportPorts;
  /** by number − first number */
  #items: QueuedFile[] = [];
  #firstNumber = 1;
  #counts = noneOf();
  #weight = 0;
  #doneWeight = 0;
  /** No file before this one is waiting. */
  #next = 0;
  #sending = 0;
  #sendingBytes = 0;
  /** for the files being sent, by number */
  readonly #aborts = new Map<number, AbortController>();
  #isEnding = $state(false);
  /** increased after changes of the fields above, for observers */
  #changes = $state(0);
  /** increased after files were stored, so that lists read again */
  storedCount: number = $state(0);
  #storedUntold = 0;
  readonly #tell: () => void;
  readonly #tellStored: () => void;

  constructor(ports: ImportPorts) {
    this.#ports = ports;
    this.#tell = atMostEvery(tellEveryMs, ports.later, () => (this.#changes += 1));
    this.#tellStored = atMostEvery(readAnewEveryMs, ports.later, () => this.#tellStoredNow());
  }

  get items(): readonly QueuedFile[] {
    void this.#changes;
    return this.#items;
  }

  get isBusy(): boolean {
    return this.count('waiting', 'sending') > 0;
  }

  /** Whether it was cancelled, and waits for files that are nearly complete. */
  get isEnding(): boolean {
    return this.#isEnding && this.isBusy;
  }

  count(...states: readonly ImportState[]): number {
    void this.#changes;
    return states.reduce((sum, state) => sum + this.#counts[state], 0);
  }

  /** 0..1 over all files, weighted by size. */
  get fraction(): number {
    void this.#changes;
    return this.#weight === 0 ? 0 : this.#doneWeight / this.#weight;
  }

  add(files: readonly { readonly file: File; readonly plan: RowsPlan | null }[]): void {
    for (const { file, plan } of files) {
      const number = this.#firstNumber + this.#items.length;
      this.#items.push({ number, file, plan, state: 'waiting', isNoPicture: false, fraction: 0, failure: null });
      this.#counts.waiting += 1;
      this.#weight += weightOf(file);
    }
    this.#isEnding = false;
    this.#pump();
    this.#changes += 1;
  }

  /**
   * Removes waiting files and stops those far from their end; stored files stay. Files that are nearly complete are
   * finished first; a second call stops these, too.
   */
  cancel(): void {
    const mostToGo = this.isEnding ? -1 : mostEndingBytes;
    for (const item of this.#items) {
      if (item.state !== 'waiting' && !(item.state === 'sending' && bytesToGo(item) > mostToGo)) continue;
      this.#aborts.get(item.number)?.abort();
      this.#change(item.number, { state: 'cancelled' });
    }
    this.#isEnding = true;
    this.#changes += 1;
  }

  /** Sends failed and cancelled files again. */
  retry(): void {
    for (const { number, state } of this.#items)
      if (state === 'failed' || state === 'cancelled')
        this.#change(number, { state: 'waiting', fraction: 0, failure: null });
    this.#next = 0;
    this.#isEnding = false;
    this.#pump();
    this.#changes += 1;
  }

  /** Clears the list if nothing is running. */
  dismiss(): void {
    if (this.isBusy) return;
    this.#firstNumber += this.#items.length;
    this.#items = [];
    this.#counts = noneOf();
    this.#weight = this.#doneWeight = this.#next = 0;
    this.#changes += 1;
  }

  #change(number: number, part: Partial<QueuedFile>): void {
    const index = number - this.#firstNumber;
    const before = this.#items[index]!;
    const after = { ...before, ...part };
    this.#items[index] = after;
    this.#counts[before.state] -= 1;
    this.#counts[after.state] += 1;
    this.#doneWeight += doneWeightOf(after) - doneWeightOf(before);
    this.#tell();
  }

  #tellStoredNow(): void {
    this.storedCount += this.#storedUntold;
    this.#storedUntold = 0;
  }

  get #hasRoom(): boolean {
    return this.#sending < (this.#sendingBytes < mostBytesAtOnce ? mostAtOnce : atOnce);
  }

  #pump(): void {
    while (this.#hasRoom) {
      while (this.#items[this.#next] && this.#items[this.#next]!.state !== 'waiting') this.#next += 1;
      const next = this.#items[this.#next];
      if (!next) return;
      void this.#send(next);
    }
  }

  async #send({ number, file, plan }: QueuedFile): Promise<void> {
    this.#sending += 1;
    this.#sendingBytes += file.size;
    const abort = new AbortController();
    this.#aborts.set(number, abort);
    const { signal } = abort;
    const change = (part: Partial<QueuedFile>): void => {
      if (!signal.aborted) this.#change(number, part);
    };
    change({ state: 'sending' });
    const total = plan ? plan.table.rows.length : Math.max(1, file.size);
    const options = { signal, onProgress: (sent: number) => change({ fraction: Math.min(1, sent / total) }) };
    try {
      const { wasThere, isNoPicture } = plan
        ? await this.#ports.uploadRows(file, plan, options).then(() => ({ wasThere: false, isNoPicture: false }))
        : await this.#ports.uploadFile(file, options);
      // A file that was stored before its cancellation arrived is stored.
      const isWaitedFor = !signal.aborted || this.#items[number - this.#firstNumber]?.state === 'cancelled';
      if (isWaitedFor) this.#change(number, { state: wasThere ? 'was-there' : 'stored', isNoPicture, fraction: 1 });
      this.#storedUntold += 1;
      this.#tellStored();
    } catch (error) {
      // A file that was moved or unplugged meanwhile cannot be read: the browser's message says so.
      const words =
        error instanceof DOMException
          ? { message: error.message, cure: 'Drop it again.' }
          : errorWords(ConnectError.from(error));
      if (words) change({ state: 'failed', failure: words });
    } finally {
      this.#sending -= 1;
      this.#sendingBytes -= file.size;
      // After a retry the file has another controller.
      if (this.#aborts.get(number) === abort) this.#aborts.delete(number);
      this.#pump();
      if (!this.isBusy && this.#sending === 0) {
        this.#changes += 1;
        this.#tellStoredNow();
        this.#ports.announce(this.summary);
      }
    }
  }

  /** "12 files stored, 1 was here already, 2 failed." */
  get summary(): string {
    const parts = [
      [this.count('stored'), 'stored'],
      [this.count('was-there'), 'here already'],
      [this.count('failed'), 'failed'],
      [this.count('cancelled'), 'cancelled'],
    ] as const;
    const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${numberText(count)} ${what}`);
    const rows = this.#items.reduce(
      (sum, { plan, state }) => sum + (plan && state === 'stored' ? plan.table.rows.length : 0),
      0,
    );
    const readings = rows > 0 ? ` With ${counted(rows, 'reading')}.` : '';
    const misnamed = this.#items.filter(({ isNoPicture, state }) => isNoPicture && state === 'stored').length;
    const files =
      misnamed === 0
        ? ''
        : misnamed === 1
          ? ' 1 file is named as a picture but is not one: it is in the Files tab.'
          : ` ${numberText(misnamed)} files are named as pictures but are not: they are in the Files tab.`;
    return said.length === 0 ? '' : `Import: ${said.join(', ')}.${readings}${files}`;
  }
}

/** Runs on the first call, and then once for all calls within this many ms. */
function atMostEvery(ms: number, later: ImportPorts['later'], run: () => void): () => void {
  let isResting = false;
  let isAsked = false;
  const rest = (): void => {
    isResting = true;
    isAsked = false;
    later(() => {
      isResting = false;
      if (!isAsked) return;
      run();
      rest();
    }, ms);
  };
  return () => {
    isAsked = true;
    if (isResting) return;
    run();
    rest();
  };
}
