import { transfer } from 'comlink';
import type { SourceImage } from '../../../src/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { VisionApi } from '../api.ts';
import type { FrameResult, FrameTimings, ShownFrame } from '../protocol.ts';
import { LatestWins } from '../../../src/schedule/latest-wins.ts';
import { StagePicture } from './stage-picture.ts';
import { wallClockMs } from './wall-clock.ts';
import { isInterrupted } from './worker-errors.ts';

interface FrameScheduleEvents {
  readonly onResult: (result: FrameResult) => void;
  /**
   * Called with true when no result has come back for 3 s while a frame is pending, and with false when that is
   * over.
   */
  readonly onStall: (isStalled: boolean) => void;
  /** Called with the error when a still that was shown again automatically gave no result. */
  readonly onFailure: (error: unknown) => void;
}

interface SourceFrame {
  /** Number in the order of submission; a result belongs to the frame with its number. */
  readonly frameId: number;
  readonly image: SourceImage;
  readonly info: FrameInfo;
  /** ms of the page's clock */
  readonly offeredAtMs: number;
}

/**
 * How long before the expected end of a run the next frame is prepared: enough time to be ready, and the frame is
 * as fresh as possible.
 */
const readyAheadMs = 50;
const mostUnderWay = 3;
/** After this time a person may want to stop the run. */
const stallAfterMs = 3000;

/**
 * The frames on their way through the worker: a newer frame replaces one that waits, there is no queue, and no
 * result is shown after a newer one.
 */
export class FrameSchedule {
  readonly stage: StagePicture;
  readonly #api: Pick<VisionApi, 'run' | 'rerun' | 'redraw'>;
  readonly #events: FrameScheduleEvents;
  /** null: run the last frame again */
  readonly #frames = new LatestWins<SourceFrame | null, FrameResult | null>(
    (frame) => this.#run(frame),
    (frame) => close(frame),
    () => this.#lanes(),
  );
  #still: SourceFrame | null = null;
  #underWay = 0;
  /** when the model started the frame that it runs now, ms */
  #runningSinceMs = 0;
  /** expected duration of a run, ms */
  #runMs = Infinity;
  #newestId = 0;
  /** number of the newest frame that the worker received; 0: none */
  #givenId = 0;
  /** number of the first frame of the current source */
  #firstIdOfSource = 1;
  #runs = 0;
  #shownRun = 0;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<VisionApi, 'run' | 'rerun' | 'redraw'>, events: FrameScheduleEvents) {
    this.#api = api;
    this.stage = new StagePicture((order) => api.redraw(order));
    this.#events = events;
  }

  /** Submits the image and takes ownership of it. Resolves to null if a newer frame replaced it. */
  show(image: SourceImage, info: FrameInfo): Promise<FrameResult | null> {
    const frame = { frameId: ++this.#newestId, image, info, offeredAtMs: performance.now() };
    this.#still = image instanceof Blob ? frame : null;
    return this.#frames.offer(frame);
  }

  /**
   * Runs the last frame again; if a newer one waits, that runs under the new plan anyway. Resolves to null if there
   * is no frame.
   */
  showAgain(): Promise<FrameResult | null> {
    if (this.#frames.waiting) return this.#frames.waiting;
    return this.#still && this.#givenId === 0
      ? this.show(this.#still.image, this.#still.info)
      : this.#frames.offer(null);
  }

  /** Forgets the last frame, which the dead worker held. */
  forgetWorker(): void {
    this.#givenId = 0;
  }

  /** Shows the last still again unless a frame is on its way to the new worker; live frames come by themselves. */
  restoreStill(): void {
    const image = this.#still?.image;
    if (!image || this.#givenId !== 0) return;
    this.showAgain().catch((error: unknown) => {
      if (this.#still?.image === image) this.#events.onFailure(error);
    });
  }

  /** Starts another source: results of earlier frames are not shown any more. */
  changeSource(): void {
    this.dropWaiting();
    this.#still = null;
    this.stage.leave();
    this.#firstIdOfSource = this.#newestId + 1;
  }

  dropWaiting(): void {
    this.#frames.dropWaiting();
  }

  async #run(frame: SourceFrame | null): Promise<FrameResult | null> {
    if (frame) this.#givenId = frame.frameId;
    const frameId = this.#givenId;
    if (frameId < this.#firstIdOfSource) return null;
    const order = { runId: ++this.#runs, within: this.stage.within };
    const givenAtMs = performance.now();
    if (this.#underWay++ === 0) this.#beginWait();
    const asked = frame
      ? this.#api.run(handedOver(frame.image), frame.info, frameId, order)
      : this.#api.rerun(frameId, order);
    const shown = await asked
      .catch((error: unknown) => {
        if (isInterrupted(error)) return null; // whoever interrupts knows what is shown next
        throw error;
      })
      .finally(() => {
        this.#underWay--;
        this.#beginWait();
        close(frame); // gone already, unless it was never handed over
      });
    const answeredAtMs = performance.now();
    if (!shown) return null;
    if (order.runId < this.#shownRun || frameId < this.#firstIdOfSource) {
      closeBitmaps(shown);
      return null;
    }
    this.#shownRun = order.runId;
    this.#runMs = runMsOf(shown.result.timings) + (shown.result.besideMs ?? 0);
    this.stage.show(shown, order);
    const offeredAtMs = frame?.offeredAtMs ?? givenAtMs; // one that runs again was there before
    const result = { ...shown.result, receivedAtMs: wallClockMs(), offeredAtMs, givenAtMs, answeredAtMs };
    this.#events.onResult(result);
    return result;
  }

  /** The model starts the next frame now, if one is pending. */
  #beginWait(): void {
    this.#runningSinceMs = performance.now();
    clearTimeout(this.#stallTimer);
    this.#events.onStall(false);
    if (this.#underWay > 0) this.#stallTimer = setTimeout(() => this.#events.onStall(true), stallAfterMs);
  }

  /** How many frames may be pending at once. */
  #lanes(): number {
    const ranMs = performance.now() - this.#runningSinceMs;
    return Math.min(mostUnderWay, 1 + Math.floor((ranMs + readyAheadMs) / this.#runMs));
  }
}

/** A GPU that also makes the model's input works on no other frame meanwhile, so that time counts too. */
function runMsOf({ inferenceMs, transformMs, preprocessMs, isGpuTimed }: FrameTimings): number {
  return inferenceMs + (isGpuTimed ? transformMs + preprocessMs : 0);
}

function handedOver(image: SourceImage): SourceImage {
  return image instanceof Blob ? image : transfer(image, [image]);
}

function close(frame: SourceFrame | null): void {
  if (frame && !(frame.image instanceof Blob)) frame.image.close();
}

function closeBitmaps({ picture, result }: ShownFrame): void {
  picture.close();
  for (const { thumbnail } of result.stages) thumbnail?.close();
}
