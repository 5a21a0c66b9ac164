import { proxy } from 'comlink';
import { CrashRow } from '../../boundary/crash-row.ts';
import { callByName, routeCalls } from '../../boundary/route-calls.ts';
import { linkWorker, type WorkerLink } from '../../boundary/worker-link.ts';
import type { StartVision, VisionApi } from '../api.ts';
import type { BackendDecided, Notice } from '../protocol.ts';
import type { Setup } from './setup.ts';

/** The worker died under a call, which was lost with it. */
class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
  readonly code = 'worker-crashed';
}

interface RestartedWorkerPorts {
  readonly startWorker: () => Worker;
  readonly documentBase: string;
  readonly setup: Setup;
  readonly onNotice: (notice: Notice | BackendDecided) => void;
  /** Called when the setup is back after a crash. */
  readonly onRestored: () => void;
}

/**
 * A vision worker that is started again when it dies: its setup comes back, calls that were under way reject with
 * `worker-crashed`, and a notice says so. In a row of crashes it comes back without the models that may have killed it,
 * then not at all.
 */
export class RestartedWorker {
  /** Calls wait for the restored worker. */
  readonly api = routeCalls<VisionApi>(async (operation, given) => {
    await this.#ready;
    return callByName(this.#link.api, operation, given);
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

  #start(): WorkerLink<VisionApi & StartVision> {
    const { startWorker, documentBase, onNotice } = this.#ports;
    const stopped = (words: string): Error => new WorkerCrash(`The vision worker stopped: ${words}.`);
    const link = linkWorker<VisionApi & StartVision>(startWorker(), stopped);
    this.#crashes.started(performance.now());
    link.api.start(documentBase, proxy(onNotice)).catch(() => undefined); // every later call rejects with it
    void link.ended.then((reason) => {
      if (!this.#isClosed) this.#restart(reason);
    });
    return link;
  }

  #restart({ message }: Error): void {
    const { setup, onNotice } = this.#ports;
    const tell = (words: string): void => onNotice({ code: 'worker-restarted', message: `${message} ${words}` });
    const crashesInARow = this.#crashes.crashed(performance.now());
    if (crashesInARow > 2) return tell('It stopped three times in a row: reload the page.');
    if (crashesInARow === 2) setup.removeModels();
    this.#link = this.#start();
    this.#ready = this.#restore().catch(() => undefined); // the next call says what is missing
    tell(setup.hasModels ? 'Models and settings were restored.' : 'It was started again without models.');
  }

  async #restore(): Promise<void> {
    await this.#ports.setup.restore(this.#link.api);
    this.#ports.onRestored();
  }
}
