import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

// beside this file, as a source or in the bundle
const entry = import.meta.url.endsWith('.ts')
  ? new URL('./checkpoint-thread.ts', import.meta.url)
  : new URL('./checkpoint-thread.js', import.meta.url);

/** Copies a write-ahead log into its database on a thread of its own, because the copy waits for the disk. */
export class Checkpoints {
  readonly #path: string;
  #thread: Worker | null = null;

  /** @param path the file of an open database */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when all was copied that no reader needs in the log, or when the thread has failed; the log stays intact. */
  run(): Promise<void> {
    const thread = (this.#thread ??= this.#start());
    return new Promise((resolve) => {
      const end = (): void => {
        thread.off('message', end).off('exit', end);
        thread.unref();
        resolve();
      };
      thread.ref();
      thread.on('message', end).on('exit', end);
      thread.postMessage('run');
    });
  }

  async close(): Promise<void> {
    if (this.#thread === null) return;
    this.#thread.ref();
    const ended = once(this.#thread, 'exit');
    this.#thread.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const thread = new Worker(entry, { workerData: this.#path, env: {}, execArgv: [] });
    thread.unref(); // an idle thread must not keep the process alive
    thread.on('error', () => undefined);
    thread.once('exit', () => (this.#thread = null));
    return thread;
  }
}
