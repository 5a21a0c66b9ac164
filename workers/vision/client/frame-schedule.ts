import { transfer } from 'comlink';
import type { SourceImage } from '../../../src/platform/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/machine/vision/face/frames.ts';
import type { VisionApi } from '../api.ts';
import type { FrameResult, FrameTimings, ShownFrame } from '../protocol.ts';
import { LatestWins } from '../../../src/base/schedule/latest-wins.ts';
import { RunsUnderWay } from './runs-under-way.ts';
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

/** What can be shown again of the present source. */
type Shown =
  | { readonly kind: 'nothing' }
  /** a still that no worker has: the next one gets it again */
  | { readonly kind: 'still'; readonly still: SourceFrame }
  /** The worker has the frame of that number; `still` is the last frame offered, where it can be given to another worker. */
  | { readonly kind: 'in-worker'; readonly frameId: number; readonly still: SourceFrame | null };

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
    () => this.#underWay.lanes,
  );
  readonly #underWay: RunsUnderWay;
  #shown: Shown = { kind: 'nothing' };
  /** Counts the sources: the result of a run that began under an earlier one is not shown. */
  #source = 0;
  #newestId = 0;
  #runs = 0;
  #shownRun = 0;

  constructor(api: Pick<VisionApi, 'run' | 'rerun' | 'redraw'>, events: FrameScheduleEvents) {
    this.#api = api;
    this.stage = new StagePicture((order) => api.redraw(order));
    this.#events = events;
    this.#underWay = new RunsUnderWay(events.onStall);
  }

  /** Submits the image and takes ownership of it. Resolves to null if a newer frame replaced it. */
  show(image: SourceImage, info: FrameInfo): Promise<FrameResult | null> {
    const frame = { frameId: ++this.#newestId, image, info, offeredAtMs: performance.now() };
    this.#remember(image instanceof Blob ? frame : null);
    return this.#frames.offer(frame);
  }

  /**
   * Runs the last frame again; if a newer one waits, that runs under the new plan anyway. Resolves to null if there
   * is no frame.
   */
  showAgain(): Promise<FrameResult | null> {
    if (this.#frames.waiting) return this.#frames.waiting;
    return this.#shown.kind === 'still'
      ? this.show(this.#shown.still.image, this.#shown.still.info)
      : this.#frames.offer(null);
  }

  /** Forgets the last frame, which the dead worker held. */
  forgetWorker(): void {
    this.#shown = shownWithoutWorker(stillOf(this.#shown));
  }

  /** Shows the last still again unless a frame is on its way to the new worker; live frames come by themselves. */
  restoreStill(): void {
    if (this.#shown.kind !== 'still') return;
    const { image } = this.#shown.still;
    this.showAgain().catch((error: unknown) => {
      if (stillOf(this.#shown)?.image === image) this.#events.onFailure(error);
    });
  }

  /** Starts another source: results of earlier frames are not shown any more. */
  changeSource(): void {
    this.dropWaiting();
    this.#shown = { kind: 'nothing' };
    this.#source++;
    this.stage.leave();
  }

  dropWaiting(): void {
    this.#frames.dropWaiting();
  }

  /** Keeps the still for another worker; null: the last frame was none. */
  #remember(still: SourceFrame | null): void {
    this.#shown = this.#shown.kind === 'in-worker' ? { ...this.#shown, still } : shownWithoutWorker(still);
  }

  async #run(frame: SourceFrame | null): Promise<FrameResult | null> {
    if (frame) this.#shown = { kind: 'in-worker', frameId: frame.frameId, still: stillOf(this.#shown) };
    if (this.#shown.kind !== 'in-worker') return null;
    const { frameId } = this.#shown;
    const source = this.#source;
    const order = { runId: ++this.#runs, within: this.stage.within };
    const givenAtMs = performance.now();
    this.#underWay.begin();
    const asked = frame
      ? this.#api.run(handedOver(frame.image), frame.info, frameId, order)
      : this.#api.rerun(frameId, order);
    const shown = await asked
      .catch((error: unknown) => {
        if (isInterrupted(error)) return null; // whoever interrupts knows what is shown next
        throw error;
      })
      .finally(() => {
        this.#underWay.end();
        close(frame); // gone already, unless it was never handed over
      });
    const answeredAtMs = performance.now();
    if (!shown) return null;
    if (order.runId < this.#shownRun || source !== this.#source) {
      closeBitmaps(shown);
      return null;
    }
    this.#shownRun = order.runId;
    this.#underWay.expectedRunMs = runMsOf(shown.result.timings) + (shown.result.besideMs ?? 0);
    this.stage.show(shown, order);
    const offeredAtMs = frame?.offeredAtMs ?? givenAtMs; // one that runs again was there before
    const result = { ...shown.result, receivedAtMs: wallClockMs(), offeredAtMs, givenAtMs, answeredAtMs };
    this.#events.onResult(result);
    return result;
  }
}

function stillOf(shown: Shown): SourceFrame | null {
  return shown.kind === 'nothing' ? null : shown.still;
}

function shownWithoutWorker(still: SourceFrame | null): Shown {
  return still ? { kind: 'still', still } : { kind: 'nothing' };
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
