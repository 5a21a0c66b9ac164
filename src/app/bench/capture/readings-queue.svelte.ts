import type { CaptureRecorder } from '../../../evidence/capture/capture-recorder.ts';
import type { Reading } from '../../../evidence/capture/readings.ts';
import { browserTarget } from '../../../remote/outbox/outbox-target.ts';
import type { Outbox } from '../../../remote/outbox/outbox.ts';
import { singleFlight } from '../../../base/schedule/single-flight.ts';

/** How long rows may stay only in the page's memory. */
const handOverMs = 3_000;

/** Passes rows of measurements, one a frame, from the bench to the outbox. */
export class ReadingsQueue {
  readonly #recorder: Pick<CaptureRecorder, 'takeReadings' | 'drainReadings'>;
  readonly #outbox: Pick<Outbox, 'sendReadings'>;
  readonly #onFailure: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  isOn: boolean = $state(false);
  /** Number of rows passed to the outbox since the page was opened. */
  queuedRows: number = $state(0);
  #unsaved = $state.raw<readonly Reading[]>([]);
  /** where the rows go */
  public targetId = $state(browserTarget.id);

  constructor(
    recorder: Pick<CaptureRecorder, 'takeReadings' | 'drainReadings'>,
    outbox: Pick<Outbox, 'sendReadings'>,
    onFailure: (error: unknown) => void,
  ) {
    this.#recorder = recorder;
    this.#outbox = outbox;
    this.#onFailure = onFailure;
  }
  /** Rows that could not be stored: kept in memory and passed on again with the next ones. */
  get unsavedRows(): number {
    return this.#unsaved.length;
  }

  start(): void {
    if (this.isOn) return;
    this.isOn = true;
    this.#recorder.takeReadings(true);
    this.#timer ??= setInterval(() => void this.handOver(), handOverMs);
  }

  async stop(): Promise<void> {
    this.isOn = false;
    await this.handOver.running; // that hand-over does not know of the last rows
    await this.handOver();
    if (!this.isOn) this.#recorder.takeReadings(false);
    this.#rest();
  }

  /** Queues the rows since the last call. */
  readonly handOver = singleFlight(() => this.#hand());

  async #hand(): Promise<void> {
    const rows = [...this.#unsaved, ...this.#recorder.drainReadings()];
    if (rows.length === 0) return;
    const isFirst = this.#unsaved.length === 0;
    try {
      await this.#outbox.sendReadings(rows, this.targetId);
      this.queuedRows += rows.length;
      this.#unsaved = [];
    } catch (error) {
      this.#unsaved = rows;
      if (isFirst) this.#onFailure(error);
    }
    this.#rest();
  }

  #rest(): void {
    if (this.isOn || this.#unsaved.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
