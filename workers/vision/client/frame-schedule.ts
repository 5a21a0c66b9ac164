import { transfer } from 'comlink';
import type { SourceImage } from '../../../src/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { VisionApi } from '../api.ts';
import type { FrameResult, ShownFrame } from '../protocol.ts';
import { LatestWins } from './latest-wins.ts';
import type { StageCanvas } from './stage-canvas.ts';
import { wallClockMs } from './wall-clock.ts';

interface SourceFrame {
  readonly image: SourceImage;
  readonly info: FrameInfo;
}

/** So long before a run is expected to end the next frame is made ready: long enough to be, and no older than needed. */
const readyAheadMs = 50;
const mostUnderWay = 3;

/** Frames on their way through the worker and back: the newest always wins, nothing queues, and none is shown after a newer one. */
export class FrameSchedule {
  stage: StageCanvas | null = null;
  readonly #api: Pick<VisionApi, 'run' | 'rerun'>;
  readonly #onResult: (result: FrameResult) => void;
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
  #inferenceMs = Infinity;
  #offered = 0;
  #shownSerial = 0;

  constructor(api: Pick<VisionApi, 'run' | 'rerun'>, onResult: (result: FrameResult) => void) {
    this.#api = api;
    this.#onResult = onResult;
  }

  /** Takes the image over. null when a newer frame overtook it. */
  show(image: SourceImage, info: FrameInfo): Promise<FrameResult | null> {
    this.#still = image instanceof Blob ? { image, info } : null;
    return this.#frames.offer({ image, info });
  }

  /** Runs the last frame again; a newer one that waits runs under the new plan anyway. */
  showAgain(): Promise<FrameResult | null> {
    return this.#frames.waiting ?? this.#frames.offer(null);
  }

  /** Shows the last still again, which a worker that was started anew does not know; live frames come by themselves. */
  restoreStill(): void {
    if (this.#still) this.#frames.offer(this.#still).catch(() => undefined);
  }

  /** From now on frames come live. */
  forgetStill(): void {
    this.#still = null;
  }

  dropWaiting(): void {
    this.#frames.dropWaiting();
  }

  async #run(frame: SourceFrame | null): Promise<FrameResult | null> {
    const serial = ++this.#offered;
    if (this.#underWay++ === 0) this.#runningSinceMs = performance.now();
    const asked = frame ? this.#api.run(handedOver(frame.image), frame.info) : this.#api.rerun();
    const shown = await asked.finally(() => {
      this.#underWay--;
      this.#runningSinceMs = performance.now();
      close(frame); // gone already, unless it was never handed over
    });
    if (!shown) return null;
    if (serial < this.#shownSerial) {
      closeBitmaps(shown);
      return null;
    }
    this.#shownSerial = serial;
    this.#inferenceMs = shown.result.timings.inferenceMs;
    if (this.stage) this.stage.show(shown.picture);
    else shown.picture.close();
    const result = { ...shown.result, receivedAtMs: wallClockMs() };
    this.#onResult(result);
    return result;
  }

  /** How many frames may be under way. */
  #lanes(): number {
    const ranMs = performance.now() - this.#runningSinceMs;
    return Math.min(mostUnderWay, 1 + Math.floor((ranMs + readyAheadMs) / this.#inferenceMs));
  }
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
