import { proxy } from 'comlink';
import { CrashRow } from '../../boundary/crash-row.ts';
import { callByName, routeCalls } from '../../boundary/route-calls.ts';
import { linkWorker, type WorkerLink } from '../../boundary/worker-link.ts';
import type { StartVision, VisionApi } from '../api.ts';
import type { BackendDecided, Notice } from '../protocol.ts';
import type { LostModel, Setup } from './setup.ts';
import { whenUnanswered } from './when-unanswered.ts';
import { isInterrupted, WorkerCrash, WorkerInterrupted } from './worker-errors.ts';

/** A call that was told to stop and goes on so long will not stop. */
const abortPatienceMs = 2000;

/** What hands memory over cannot be asked again, and frames come again by themselves. */
const askedOnce: readonly string[] = ['run', 'rerun', 'runAside', 'keepUnseen'] satisfies (keyof VisionApi)[];

interface RestartedWorkerPorts {
  readonly startWorker: () => Worker;
  readonly documentBase: string;
  readonly setup: Setup;
  readonly onNotice: (notice: Notice | BackendDecided) => void;
  /** Called when the worker is gone, and with it the frame that it held. */
  readonly onGone: () => void;
  /** Called when the setup is back; `showsStill` = what was on the stage is to be run again. */
  readonly onRestored: (showsStill: boolean) => void;
  /** Called when a model did not come back. */
  readonly onModelLost: (model: LostModel) => void;
}

/**
 * A vision worker that is started again when it dies: its setup comes back, calls that were under way reject with
 * `worker-crashed`, and a notice says so. In a row of crashes it comes back without the models that may have killed it,
 * then not at all. One that does not answer an abort is ended and started again likewise; calls that had no part in it
 * wait, and are asked again.
 */
export class RestartedWorker {
  /** Calls wait for the restored worker. */
  readonly api = routeCalls<VisionApi>(async (operation, given) => {
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
  #link: WorkerLink<VisionApi & StartVision>;
  #ready: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(ports: RestartedWorkerPorts) {
    this.#ports = ports;
    this.#link = this.#start();
  }

  close(): void {
    this.#isClosed = true;
    this.#link.close();
  }

  /**
   * Ends the worker, whatever it is at, and starts it again with its setup. What it was at rejects with
   * `worker-interrupted`. `showsStill` false = the still on the stage is not run again: it may be what the worker hung on.
   */
  interrupt(reason: string, showsStill: boolean): void {
    const hung = this.#link;
    this.#startAgain(showsStill);
    hung.close(new WorkerInterrupted(reason));
  }

  #call(operation: string, given: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown> {
    const link = this.#link;
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

  /** Another restart may follow the one that is waited for. */
  async #restored(): Promise<void> {
    for (let ready: Promise<void> | null = null; ready !== this.#ready;) {
      ready = this.#ready;
      await ready;
    }
  }

  #start(): WorkerLink<VisionApi & StartVision> {
    const { startWorker, documentBase, onNotice } = this.#ports;
    const stopped = (words: string): Error => new WorkerCrash(`The vision worker stopped: ${words}.`);
    const link = linkWorker<VisionApi & StartVision>(startWorker(), stopped);
    this.#crashes.started(performance.now());
    link.api.start(documentBase, proxy(onNotice)).catch(() => undefined); // every later call rejects with it
    void link.ended.then((reason) => {
      if (!this.#isClosed && link === this.#link) this.#recover(reason);
    });
    return link;
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
    this.#link = this.#start();
    this.#ready = this.#restore(this.#link, showsStill).catch(() => undefined); // the next call says what is missing
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
