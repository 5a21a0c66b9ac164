import { firstPicture } from '../../../remote/live-machine/first-picture.ts';
import { mayBeMended, type LinkError } from '../../../remote/live-machine/link-error.ts';
import type {
  FrameAnswer,
  LiveCapture,
  LiveImage,
  LiveMachine,
  VisionAbilities,
} from '../../../remote/live-machine/live-machine.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import { waitFor } from '../../../base/schedule/wait-for.ts';
import { imageBlob } from './image-blob.ts';
import { feedFrames, type FeedFrame } from './machine-feed.ts';

/** Frame rates in frames a second; 0: as fast as possible. */
export const FRAME_RATES = [0, 10, 5, 2, 1] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** The camera that is shown, and the vision service whose results are requested. */
export interface WatchedCamera {
  readonly machine: LiveMachine;
  readonly cameraName: string;
  /** '': frames only */
  readonly visionName: string;
  readonly abilities: VisionAbilities | null;
  /** name of its frames */
  readonly frameName: string;
}

/** Shows an image as a frame of a stream. Resolves when it is on the stage, or a newer one replaced it. */
export type ShowImage = (image: Blob, info: FrameInfo) => Promise<void>;

/** The machine's results for a frame that was shown. */
interface Said {
  readonly index: number;
  readonly answer: FrameAnswer;
}

/** The page's clock and timer. */
export interface FrameClock {
  /** ms since 1970 */
  nowMs(): number;
  /** Runs a task later; returns the function that cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Resolves after so long, when the signal aborts, or as soon as this computer is online again. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const pageClock: FrameClock = {
  nowMs: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  async wait(ms, signal) {
    const isOnline = new AbortController();
    const goOn = (): void => isOnline.abort();
    addEventListener('online', goOn);
    await waitFor(ms, AbortSignal.any([signal, isOnline.signal]));
    removeEventListener('online', goOn);
  },
};

/** After this time without a frame, the stage says that its frame is old: twice the slowest frame rate. */
const QUIET_AFTER_MS = 2_000;

/** The number of answers kept, enough for all frames between the machine and the stage. */
const ANSWERS_KEPT = 8;

/** The frames of a live machine, with its own results for each. */
export class MachineFrames {
  readonly #onFailed: (error: unknown) => void;
  #said = $state.raw<readonly Said[]>([]);
  /**
   * number of frames so far: numbers are never reused, so that an earlier frame cannot get the results of a later
   * one
   */
  #shown = 0;
  /** number of the frame that was shown before its results arrived; null: none */
  #early: number | null = null;
  #feed = $state.raw<AbortController | null>(null);
  /** ms since 1970; null: it answers */
  #lostSinceMs = $state<number | null>(null);
  /** The machine's message about a failing camera or service while it is asked again; '': none fails. */
  trouble: string = $state('');
  readonly #clock: FrameClock;
  /** Bytes of a picture as the machine encodes it, kept while they change by less than a quarter; null: none came. */
  pictureBytes: number | null = $state(null);
  #cameAtMs = 0;
  /** ms since 1970; null: frames come */
  #quietSinceMs = $state<number | null>(null);
  #endWatch: () => void = () => {};
  public rate = $state<FrameRate>(0);

  /** `onFailed` is called with the error when frames that once came come no more. */
  constructor(onFailed: (error: unknown) => void, clock = pageClock) {
    this.#onFailed = onFailed;
    this.#clock = clock;
  }

  get isFollowing(): boolean {
    return this.#feed !== null;
  }
  /**
   * Since when no frame has come, ms since 1970, whether or not an error was reported; null: frames come, or none
   * is wanted.
   */
  get waitsSinceMs(): number | null {
    return this.#quietSinceMs ?? this.#lostSinceMs;
  }

  /** The machine's results for its frame; null: not requested. */
  saidOf(frameIndex: number): FrameAnswer | null {
    return this.#said.find(({ index }) => index === frameIndex)?.answer ?? null;
  }

  /** Another service is asked from now on: earlier results do not count. */
  forgetSaid(): void {
    this.#said = [];
  }

  /**
   * Shows frames until `stop` or a failure that retrying cannot repair. Rejects with LinkError if the first frame
   * fails.
   */
  async follow(camera: WatchedCamera, show: ShowImage): Promise<void> {
    this.stop();
    const feed = (this.#feed = new AbortController());
    this.#said = [];
    this.#noteFrame();
    this.#watch();
    try {
      const ask = await this.#asking(camera, feed.signal, show);
      if (feed.signal.aborted) return;
      void this.#run(ask, camera, show, feed);
    } catch (error) {
      if (feed.signal.aborted) return;
      this.stop();
      throw error;
    }
  }

  /**
   * A picture is shown before the service has run its model, and the first frame that it saw before the machine's results have arrived,
   * and again with them.
   */
  async #asking(
    { machine, cameraName, visionName, abilities, frameName }: WatchedCamera,
    signal: AbortSignal,
    show: ShowImage,
  ): Promise<(signal: AbortSignal) => Promise<FeedFrame>> {
    if (visionName === '' || !abilities) {
      return async () => ({ image: firstPicture(await machine.images(cameraName, signal), cameraName), said: null });
    }
    const early = (image: LiveImage): number => {
      const index = this.#shown++;
      this.#noteFrame();
      this.#watch();
      void show(imageBlob(image), infoOf(image, frameName, index)).catch(() => {}); // with the machine's word it says why
      return index;
    };
    let isCaptured = false;
    const showFirst = (images: readonly LiveImage[]): void => {
      if (!signal.aborted && !isCaptured) early(firstPicture(images, cameraName));
    };
    machine
      .images(cameraName, signal)
      .then(showFirst)
      .catch(() => {}); // the service's frame says why
    const { chooseAsking } = await import('../../../remote/live-machine/choose-asking.ts');
    const { ask } = await chooseAsking(machine, { visionName, cameraName, abilities }, signal, (image) => {
      isCaptured = true;
      if (!signal.aborted) this.#early = early(image);
    });
    return async () => feedFrameOf(await ask());
  }

  async #run(
    ask: (signal: AbortSignal) => Promise<FeedFrame>,
    { frameName }: WatchedCamera,
    show: ShowImage,
    feed: AbortController,
  ): Promise<void> {
    try {
      await feedFrames(
        {
          ask,
          show: (frame) => this.#show(frame, frameName, show),
          onLost: (error) => this.#lose(error),
          leastGapMs: () => (this.rate === 0 ? 0 : 1000 / this.rate),
          wait: this.#clock.wait,
          nowMs: () => performance.now(),
        },
        feed.signal,
      );
    } catch (error) {
      if (!feed.signal.aborted) this.#onFailed(error);
    } finally {
      if (this.#feed === feed) this.stop();
    }
  }

  async #show({ image, said }: FeedFrame, name: string, show: ShowImage): Promise<void> {
    this.#noteFrame();
    const index = this.#early ?? this.#shown++;
    this.#early = null;
    const { length } = image.bytes;
    if (Math.abs(length - (this.pictureBytes ?? 0)) > length / 4) this.pictureBytes = length;
    if (said) this.#said = [...this.#said.slice(1 - ANSWERS_KEPT), { index, answer: said }];
    await show(imageBlob(image), infoOf(image, name, index));
    if (this.isFollowing) this.#watch(); // a model that takes its time here is no silence of the machine
  }

  #noteFrame(): void {
    this.#endWatch();
    this.#cameAtMs = this.#clock.nowMs();
    this.#quietSinceMs = null;
  }

  #watch(): void {
    this.#endWatch();
    this.#endWatch = this.#clock.after(QUIET_AFTER_MS, () => (this.#quietSinceMs = this.#cameAtMs));
  }

  /** Ends the frames. */
  stop(): void {
    this.#early = null;
    this.pictureBytes = null;
    this.#endWatch();
    this.#quietSinceMs = null;
    this.#feed?.abort();
    this.#feed = null;
    this.#lose(null);
  }

  #lose(error: LinkError | null): void {
    this.#lostSinceMs = error && (this.#lostSinceMs ?? this.#clock.nowMs());
    this.trouble = error && mayBeMended(error) ? error.message : '';
  }
}

function infoOf({ capturedAtMs }: LiveImage, name: string, index: number): FrameInfo {
  const takenAt = capturedAtMs !== null && { takenAtMs: capturedAtMs };
  return { name, index, timestampMs: capturedAtMs ?? 0, ...takenAt };
}

function feedFrameOf({ image, ...said }: LiveCapture): FeedFrame {
  return { image, said };
}
