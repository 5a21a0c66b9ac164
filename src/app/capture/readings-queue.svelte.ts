import type { CaptureRecorder } from '../../capture/capture-recorder.ts';
import { browserTarget } from '../../outbox/outbox-target.ts';
import type { Outbox } from '../../outbox/outbox.ts';

/** How long rows stay in the page's memory only. */
const handOverMs = 3_000;

/** Rows of measurements, a row a frame, on their way from the bench to the outbox. */
export class ReadingsQueue {
  readonly #recorder: CaptureRecorder;
  readonly #outbox: Pick<Outbox, 'sendReadings'>;
  readonly #onFailure: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #handing: Promise<void> | null = null;
  #isOn = $state(false);
  #queuedRows = $state(0);
  /** where the rows go */
  targetId = $state(browserTarget.id);

  constructor(recorder: CaptureRecorder, outbox: Pick<Outbox, 'sendReadings'>, onFailure: (error: unknown) => void) {
    this.#recorder = recorder;
    this.#outbox = outbox;
    this.#onFailure = onFailure;
  }

  get isOn(): boolean {
    return this.#isOn;
  }
  /** Rows that were handed to the outbox since the page was opened. */
  get queuedRows(): number {
    return this.#queuedRows;
  }

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#recorder.takeReadings(true);
    this.#timer = setInterval(() => void this.handOver(), handOverMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isOn = false;
    await this.handOver();
    this.#recorder.takeReadings(false);
  }

  /** Queues what came since the last time. */
  handOver(): Promise<void> {
    return (this.#handing ??= this.#hand().finally(() => (this.#handing = null)));
  }

  async #hand(): Promise<void> {
    const rows = this.#recorder.drainReadings();
    if (rows.length === 0) return;
    try {
      await this.#outbox.sendReadings(rows, this.targetId);
      this.#queuedRows += rows.length;
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
