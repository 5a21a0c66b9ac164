import { chooseAsking } from '../../../live-machine/choose-asking.ts';
import { firstPicture } from '../../../live-machine/first-picture.ts';
import { mayBeMended, type LinkError } from '../../../live-machine/link-error.ts';
import type {
  FrameAnswer,
  LiveCapture,
  LiveImage,
  LiveMachine,
  VisionAbilities,
} from '../../../live-machine/live-machine.ts';
import type { FrameInfo } from '../../../vision/frame-info.ts';
import { waitFor } from '../../kit/schedule/wait-for.ts';
import { imageBlob } from './image-blob.ts';
import { feedFrames, type FeedFrame } from './machine-feed.ts';

/** How fast frames may come, frames a second; 0 = as fast as it goes. */
export const FRAME_RATES = [0, 10, 5, 2, 1] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** What is shown of a machine, and whose word on it is asked for. */
export interface WatchedCamera {
  readonly machine: LiveMachine;
  readonly cameraName: string;
  /** '' = frames only */
  readonly visionName: string;
  readonly abilities: VisionAbilities | null;
  /** what its frames are called */
  readonly frameName: string;
}

/** Shows an image as a frame of a stream. Resolves when it is on the stage, or was overtaken. */
export type ShowImage = (image: Blob, info: FrameInfo) => Promise<void>;

/** What the machine said of a frame that was shown. */
interface Said {
  readonly index: number;
  readonly answer: FrameAnswer;
}

/** Time as a page tells it. */
export interface FrameClock {
  /** ms since 1970 */
  nowMs(): number;
  /** Runs a task later; returns what calls it off. */
  after(ms: number, task: () => void): () => void;
}

const pageClock: FrameClock = {
  nowMs: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** So long without a frame, and what is on the stage is said to be of the past: twice the slowest rate. */
const QUIET_AFTER_MS = 2_000;

/** As many answers are kept as frames may be under way between the machine and the stage. */
const ANSWERS_KEPT = 8;

/** The frames that come of a live machine, and its word on each. */
export class MachineFrames {
  readonly #onFailed: (error: unknown) => void;
  #said = $state.raw<readonly Said[]>([]);
  /** frames so far: no number is given twice, or an earlier frame would have a later one's word */
  #shown = 0;
  /** of the frame that was shown without its word, until that is there */
  #early: number | null = null;
  #feed = $state.raw<AbortController | null>(null);
  /** ms since 1970; null = it answers */
  #lostSinceMs = $state<number | null>(null);
  #trouble = $state('');
  readonly #clock: FrameClock;
  #cameAtMs = 0;
  /** ms since 1970; null = frames come */
  #quietSinceMs = $state<number | null>(null);
  #endWatch: () => void = () => {};
  rate = $state<FrameRate>(0);

  /** `onFailed` hears why frames that came once come no more. */
  constructor(onFailed: (error: unknown) => void, clock = pageClock) {
    this.#onFailed = onFailed;
    this.#clock = clock;
  }

  get isFollowing(): boolean {
    return this.#feed !== null;
  }
  /** Since when no frame has come, ms since 1970, whether or not the machine was heard to fail; null = frames come, or none is wanted. */
  get waitsSinceMs(): number | null {
    return this.#quietSinceMs ?? this.#lostSinceMs;
  }
  /** The machine's words of a camera or service that fails, while it is asked again; '' = none does. */
  get trouble(): string {
    return this.#trouble;
  }

  /** What the machine said of its frame; null = it was not asked. */
  saidOf(frameIndex: number): FrameAnswer | null {
    return this.#said.find(({ index }) => index === frameIndex)?.answer ?? null;
  }

  /** Another is asked from now on: what was said is not its word. */
  forgetSaid(): void {
    this.#said = [];
  }

  /** Shows frames from now on, until `stop` or a failure that no patience mends. Rejects with LinkError where the first one fails. */
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
      if (this.#feed === feed) this.#feed = null;
      if (!feed.signal.aborted) throw error;
    }
  }

  /** The first frame is shown while the machine is still asked about it, and once more with its word. */
  async #asking(
    { machine, cameraName, visionName, abilities, frameName }: WatchedCamera,
    signal: AbortSignal,
    show: ShowImage,
  ): Promise<(signal: AbortSignal) => Promise<FeedFrame>> {
    if (visionName === '' || !abilities) {
      return async () => ({ image: firstPicture(await machine.images(cameraName, signal), cameraName), said: null });
    }
    const { ask } = await chooseAsking(machine, { visionName, cameraName, abilities }, signal, (image) => {
      if (signal.aborted) return;
      this.#early = this.#shown++;
      this.#noteFrame();
      this.#watch();
      void show(imageBlob(image), infoOf(image, frameName, this.#early)).catch(() => {}); // with its word it says why
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
          wait: waitFor,
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

  /** No more frames. */
  stop(): void {
    this.#early = null;
    this.#endWatch();
    this.#quietSinceMs = null;
    this.#feed?.abort();
    this.#feed = null;
    this.#lose(null);
  }

  #lose(error: LinkError | null): void {
    this.#lostSinceMs = error && (this.#lostSinceMs ?? this.#clock.nowMs());
    this.#trouble = error && mayBeMended(error) ? error.message : '';
  }
}

function infoOf({ capturedAtMs }: LiveImage, name: string, index: number): FrameInfo {
  const takenAt = capturedAtMs !== null && { takenAtMs: capturedAtMs };
  return { name, index, timestampMs: capturedAtMs ?? 0, ...takenAt };
}

function feedFrameOf({ image, ...said }: LiveCapture): FeedFrame {
  return { image, said };
}
