import { proxy } from 'comlink';
import { CrashRow } from '../../boundary/crash-row.ts';
import { callByName, routeCalls } from '../../boundary/route-calls.ts';
import { linkWorker, type WorkerLink } from '../../boundary/worker-link.ts';
import type { StartVision, VisionApi } from '../api.ts';
import type { BackendDecided, Notice } from '../protocol.ts';
import type { LostModel, Setup } from './setup.ts';
import { whenUnanswered } from './when-unanswered.ts';
import { isInterrupted, WorkerCrash, WorkerInterrupted } from './worker-errors.ts';

/** If a call has not ended this long after its abort, the worker does not react any more. */
const abortPatienceMs = 2000;

/** A worker whose small script does not run after this long is started again; each time it is given twice as long. */
const startPatienceMs = 15_000;
const mostSilentStarts = 3;

/** Calls that transfer memory cannot be repeated, and live frames come again by themselves. */
const askedOnce: readonly string[] = [
  'run',
  'rerun',
  'runAside',
  'drawAside',
  'keepUnseen',
] satisfies (keyof VisionApi)[];

interface RestartedWorkerPorts {
  readonly startWorker: () => Worker;
  readonly documentBase: string;
  readonly setup: Setup;
  readonly onNotice: (notice: Notice | BackendDecided) => void;
  /** Called when the worker is gone, and with it the last frame. */
  readonly onGone: () => void;
  /** Called when the setup is restored; `showsStill`: the frame on the stage is to be run again. */
  readonly onRestored: (showsStill: boolean) => void;
  /** Called when a model could not be restored. */
  readonly onModelLost: (model: LostModel) => void;
}

/**
 * A vision worker that starts with the first call, and is restarted when it dies: its models and plan are restored,
 * pending calls reject with `worker-crashed`, and a notice is shown. After several crashes in a row it restarts without
 * the models that may have caused them, and then not at all. A worker that does not start, or does not react to an abort, is ended and
 * restarted too; calls that did not cause this wait and are repeated.
 */
export class RestartedWorker {
  /** Calls wait until the worker is restored. */
  readonly api = routeCalls<VisionApi>(async (operation, given) => {
    this.start();
    const signal = given.find((value) => value instanceof AbortSignal);
    for (;;) {
      await this.#restored();
      signal?.throwIfAborted();
      const call = this.#call(operation, given, signal);
      try {
        return await call;
      } catch (error) {
        if (!isInterrupted(error) || askedOnce.includes(operation)) throw error;
      }
    }
  });
  readonly #ports: RestartedWorkerPorts;
  readonly #crashes = new CrashRow();
  #link: WorkerLink<VisionApi & StartVision> | null = null;
  #ready: Promise<void> = Promise.resolve();
  #isClosed = false;
  #silentStarts = 0;

  constructor(ports: RestartedWorkerPorts) {
    this.#ports = ports;
  }

  /** Starts the worker ahead of the first call. */
  start(): void {
    this.#link ??= this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#link?.close();
  }

  /**
   * Ends the worker and restarts it with its setup. The pending work rejects with `worker-interrupted`.
   * `showsStill` false: the frame on the stage is not run again, since it may be what the worker hung on.
   */
  interrupt(reason: string, showsStill: boolean): void {
    const hung = this.#link;
    if (!hung) return;
    this.#startAgain(showsStill);
    hung.close(new WorkerInterrupted(reason));
  }

  #call(operation: string, given: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown> {
    const link = this.#link!; // calls start it
    const call = callByName(link.api, operation, given);
    if (signal)
      whenUnanswered(call, signal, abortPatienceMs, () => {
        if (link !== this.#link || this.#isClosed) return;
        const reason = 'The model did not stop when it was told to, so it was ended.';
        this.interrupt(reason, true);
        this.#tell(this.#ports.setup.hasModels ? `${reason} ${this.#whatIsBack()}` : reason);
      });
    return call;
  }

  /** While this waits for a restart, another may follow. */
  async #restored(): Promise<void> {
    for (let ready: Promise<void> | null = null; ready !== this.#ready;) {
      ready = this.#ready;
      await ready;
    }
  }

  #open(): WorkerLink<VisionApi & StartVision> {
    const { startWorker, documentBase, onNotice } = this.#ports;
    const stopped = (words: string): Error => new WorkerCrash(`The vision worker stopped: ${words}.`);
    const link = linkWorker<VisionApi & StartVision>(startWorker(), stopped);
    this.#crashes.started(performance.now());
    link.api.start(documentBase, proxy(onNotice)).catch(() => undefined); // every later call rejects with it
    void link.ended.then((reason) => {
      if (!this.#isClosed && link === this.#link) this.#recover(reason);
    });
    const silence = setTimeout(() => this.#startAnother(link), startPatienceMs * 2 ** this.#silentStarts);
    void Promise.race([link.started, link.ended]).then(() => clearTimeout(silence));
    return link;
  }

  /** In Firefox a worker sometimes waits for ever while it starts another, at least when developer tools watch. */
  #startAnother(silent: WorkerLink<VisionApi>): void {
    if (silent !== this.#link || this.#isClosed) return;
    if (this.#silentStarts === mostSilentStarts)
      return this.#tell('The vision worker does not start: reload the page.');
    this.#silentStarts++;
    this.#tell('The vision worker did not start, and was started again.');
    this.interrupt('The vision worker did not start.', true);
  }

  #recover({ message }: Error): void {
    const crashesInARow = this.#crashes.crashed(performance.now());
    if (crashesInARow > 2) return this.#tell(`${message} It stopped three times in a row: reload the page.`);
    if (crashesInARow === 2) this.#ports.setup.removeModels().forEach(this.#ports.onModelLost);
    this.#startAgain(true);
    this.#tell(`${message} ${this.#whatIsBack()}`);
  }

  #startAgain(showsStill: boolean): void {
    this.#ports.onGone();
    const suspect = this.#ports.setup.removeSuspect();
    if (suspect) this.#ports.onModelLost(suspect);
    const link = (this.#link = this.#open());
    this.#ready = this.#restore(link, showsStill).catch(() => undefined); // the next call says what is missing
  }

  async #restore(link: WorkerLink<VisionApi>, showsStill: boolean): Promise<void> {
    await this.#ports.setup.restore(link, this.#ports.onModelLost);
    if (link === this.#link) this.#ports.onRestored(showsStill);
  }

  #tell(message: string): void {
    this.#ports.onNotice({ code: 'worker-restarted', message });
  }

  #whatIsBack(): string {
    return this.#ports.setup.hasModels ? 'Models and settings were restored.' : 'It was started again without models.';
  }
}
