import { ConnectError } from '@connectrpc/connect';
import { errorWords } from '../error-words.ts';
import type { RowsPlan } from './upload-rows.ts';

export type ImportState = 'waiting' | 'sending' | 'stored' | 'was-there' | 'failed' | 'cancelled';

/** One file of an import. */
export interface ImportItem {
  readonly number: number;
  readonly file: File;
  /** null: it is stored as a file */
  readonly plan: RowsPlan | null;
  readonly state: ImportState;
  /** 0..1 */
  readonly fraction: number;
  readonly failure: { readonly message: string; readonly cure: string } | null;
}

export interface ImportPorts {
  readonly uploadFile: (
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void },
  ) => Promise<{ readonly wasThere: boolean }>;
  readonly uploadRows: (
    file: File,
    plan: RowsPlan,
    options: { readonly signal: AbortSignal; readonly onProgress: (sentRows: number) => void },
  ) => Promise<void>;
  readonly announce: (sentence: string) => void;
}

const atOnce = 3;

/** Files on their way into the data service. What fails stays in the list, to be tried again: nothing is dropped. */
export class ImportQueue {
  readonly #ports: ImportPorts;
  #items = $state.raw<readonly ImportItem[]>([]);
  #lastNumber = 0;
  #sending = 0;
  #abort = new AbortController();
  /** raised by every file that was stored: lists read anew */
  #storedCount = $state(0);

  constructor(ports: ImportPorts) {
    this.#ports = ports;
  }

  get items(): readonly ImportItem[] {
    return this.#items;
  }

  get storedCount(): number {
    return this.#storedCount;
  }

  get isBusy(): boolean {
    return this.#items.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  count(...states: readonly ImportState[]): number {
    return this.#items.filter(({ state }) => states.includes(state)).length;
  }

  /** 0..1 over all files by their sizes. */
  get fraction(): number {
    const total = this.#items.reduce((sum, { file }) => sum + file.size + 1, 0);
    const done = this.#items.reduce((sum, { file, state, fraction }) => {
      return sum + (file.size + 1) * (state === 'waiting' || state === 'sending' ? fraction : 1);
    }, 0);
    return total === 0 ? 0 : done / total;
  }

  add(files: readonly { readonly file: File; readonly plan: RowsPlan | null }[]): void {
    const added = files.map(({ file, plan }): ImportItem => {
      return { number: ++this.#lastNumber, file, plan, state: 'waiting', fraction: 0, failure: null };
    });
    this.#items = [...this.#items, ...added];
    this.#pump();
  }

  /** Stops what is under way and takes back what waits; what is stored stays. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#items = this.#items.map((item) =>
      item.state === 'waiting' || item.state === 'sending' ? { ...item, state: 'cancelled' } : item,
    );
  }

  /** Sends again what failed or was cancelled. */
  retry(): void {
    this.#items = this.#items.map((item) =>
      item.state === 'failed' || item.state === 'cancelled'
        ? { ...item, state: 'waiting', fraction: 0, failure: null }
        : item,
    );
    this.#pump();
  }

  /** Empties the list, once nothing is under way. */
  dismiss(): void {
    if (!this.isBusy) this.#items = [];
  }

  #pump(): void {
    while (this.#sending < atOnce) {
      const next = this.#items.find(({ state }) => state === 'waiting');
      if (!next) return;
      void this.#send(next);
    }
  }

  async #send({ number, file, plan }: ImportItem): Promise<void> {
    this.#sending += 1;
    const { signal } = this.#abort;
    const change = (part: Partial<ImportItem>): void => {
      if (!signal.aborted)
        this.#items = this.#items.map((item) => (item.number === number ? { ...item, ...part } : item));
    };
    change({ state: 'sending' });
    const total = plan ? plan.table.rows.length : Math.max(1, file.size);
    const options = { signal, onProgress: (sent: number) => change({ fraction: Math.min(1, sent / total) }) };
    try {
      const wasThere = plan
        ? await this.#ports.uploadRows(file, plan, options).then(() => false)
        : (await this.#ports.uploadFile(file, options)).wasThere;
      change({ state: wasThere ? 'was-there' : 'stored', fraction: 1 });
      this.#storedCount += 1;
    } catch (error) {
      // A file that was moved or unplugged meanwhile cannot be read: the browser says so itself.
      const words =
        error instanceof DOMException
          ? { message: error.message, cure: 'Drop it again.' }
          : errorWords(ConnectError.from(error));
      if (words) change({ state: 'failed', failure: words });
    } finally {
      this.#sending -= 1;
      this.#pump();
      if (!this.isBusy && this.#sending === 0) this.#ports.announce(this.summary);
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
    const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`);
    return said.length === 0 ? '' : `Import: ${said.join(', ')}.`;
  }
}
