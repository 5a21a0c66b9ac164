import { transfer } from 'comlink';
import type { SourceImage } from '../../../src/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { VisionApi } from '../api.ts';
import type { FrameResult, FrameTimings, ShownFrame } from '../protocol.ts';
import { LatestWins } from './latest-wins.ts';
import { StagePicture } from './stage-picture.ts';
import { wallClockMs } from './wall-clock.ts';
import { isInterrupted } from './worker-errors.ts';

interface FrameScheduleEvents {
  readonly onResult: (result: FrameResult) => void;
  /** Told when no frame has come back for 3 s though one is under way, and when that is over. */
  readonly onStall: (isStalled: boolean) => void;
  /** Told why the still that was shown again by itself gave no result. */
  readonly onFailure: (error: unknown) => void;
}

interface SourceFrame {
  /** Frames are numbered as they are offered: what comes back belongs to the frame of its number. */
  readonly frameId: number;
  readonly image: SourceImage;
  readonly info: FrameInfo;
  /** ms of the page's clock */
  readonly offeredAtMs: number;
}

/** So long before a run is expected to end the next frame is made ready: long enough to be, and no older than needed. */
const readyAheadMs = 50;
const mostUnderWay = 3;
/** A person who waits so long wonders, and may want to stop it. */
const stallAfterMs = 3000;

/** Frames on their way through the worker and back: the newest always wins, nothing queues, and none is shown after a newer one. */
export class FrameSchedule {
  readonly stage: StagePicture;
  readonly #api: Pick<VisionApi, 'run' | 'rerun' | 'redraw'>;
  readonly #events: FrameScheduleEvents;
  /** null = the last frame again */
  readonly #frames = new LatestWins<SourceFrame | null, FrameResult | null>(
    (frame) => this.#run(frame),
    (frame) => close(frame),
    () => this.#lanes(),
  );
  #still: SourceFrame | null = null;
  #underWay = 0;
  /** since when the model has been at the frame that it runs */
  #runningSinceMs = 0;
  /** how long it is at a frame */
  #runMs = Infinity;
  #newestId = 0;
  /** the newest frame that the worker was given; 0 = it has none */
  #givenId = 0;
  /** the first frame of the source that is on the stage */
  #firstIdOfSource = 1;
  #runs = 0;
  #shownRun = 0;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<VisionApi, 'run' | 'rerun' | 'redraw'>, events: FrameScheduleEvents) {
    this.#api = api;
    this.stage = new StagePicture((order) => api.redraw(order));
    this.#events = events;
  }

  /** Takes the image over. null when a newer frame overtook it. */
  show(image: SourceImage, info: FrameInfo): Promise<FrameResult | null> {
    const frame = { frameId: ++this.#newestId, image, info, offeredAtMs: performance.now() };
    this.#still = image instanceof Blob ? frame : null;
    return this.#frames.offer(frame);
  }

  /** Runs the last frame again; a newer one that waits runs under the new plan anyway. null when there is none. */
  showAgain(): Promise<FrameResult | null> {
    if (this.#frames.waiting) return this.#frames.waiting;
    return this.#still && this.#givenId === 0
      ? this.show(this.#still.image, this.#still.info)
      : this.#frames.offer(null);
  }

  /** The worker that held the last frame is gone. */
  forgetWorker(): void {
    this.#givenId = 0;
  }

  /** Shows the last still again, unless a frame is on its way to the new worker; live frames come by themselves. */
  restoreStill(): void {
    const image = this.#still?.image;
    if (!image || this.#givenId !== 0) return;
    this.showAgain().catch((error: unknown) => {
      if (this.#still?.image === image) this.#events.onFailure(error);
    });
  }

  /** From now on frames are of another source: nothing of those before is shown any more. */
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
    this.#runMs = runMsOf(shown.result.timings);
    this.stage.show(shown, order);
    const offeredAtMs = frame?.offeredAtMs ?? givenAtMs; // one that runs again was there before
    const result = { ...shown.result, receivedAtMs: wallClockMs(), offeredAtMs, givenAtMs, answeredAtMs };
    this.#events.onResult(result);
    return result;
  }

  /** From now on the model is at the next frame, if one is under way. */
  #beginWait(): void {
    this.#runningSinceMs = performance.now();
    clearTimeout(this.#stallTimer);
    this.#events.onStall(false);
    if (this.#underWay > 0) this.#stallTimer = setTimeout(() => this.#events.onStall(true), stallAfterMs);
  }

  /** How many frames may be under way. */
  #lanes(): number {
    const ranMs = performance.now() - this.#runningSinceMs;
    return Math.min(mostUnderWay, 1 + Math.floor((ranMs + readyAheadMs) / this.#runMs));
  }
}

/** A GPU that makes the model's input too is at no other frame meanwhile. */
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
