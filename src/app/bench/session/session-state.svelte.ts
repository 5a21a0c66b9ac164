import { untrack } from 'svelte';
import { StreamMeter } from '../../../../workers/vision/client/stream-meter.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type {
  BenchPlan,
  CameraComparison,
  FrameResult,
  Notice,
  PlanReport,
  Problem,
  RunVerdicts,
  StreamStats,
} from '../../../../workers/vision/protocol.ts';
import type { Capabilities } from '../../../ports/inference-runtime.ts';
import { errorCode, errorMessage } from '../../../vision/error-words.ts';
import type { FrameInfo } from '../../../vision/frame-info.ts';
import type { PictureSize } from '../../../vision/trace.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { FrameHistory } from './frame-history.svelte.ts';
import { FrameWay } from './frame-way.svelte.ts';
import { Throttle } from '../../kit/schedule/throttle.ts';
import { PlanInForce } from './plan-in-force.svelte.ts';

const STATS_EVERY_MS = 500;
/** As often as thumbnails: an eye follows no more, and each time the panels are drawn anew costs as much as the frame itself. */
const LISTED_EVERY_MS = 250;
/** One who steps on sooner does not look at the small pictures yet. */
const CAUGHT_UP_AFTER_MS = 150;
/** A frame comes back long before so many plans were set after the one that it ran under. */
const MOST_PLANS_UNDER_WAY = 8;

/**
 * What the stage shows of the source that was chosen last: a frame with its result, none yet, none because the frame gave
 * none. "empty" = no source was chosen.
 */
export type StageState = 'empty' | 'awaited' | 'shown' | 'failed';

export interface SessionListeners {
  /** Called before a result takes the place of the one on the stage. */
  readonly onNewResult?: (before: FrameResult | null, now: FrameResult) => void;
  /** Called before the first frame runs under a plan that gives other results. */
  readonly onNewPlan?: () => void;
}

/** What the worker is doing: the plan it runs, the frame on the stage, the raw results seen so far. */
export class SessionState {
  readonly #client: VisionClient;
  readonly history: FrameHistory;
  readonly way = new FrameWay();
  readonly #plan = new PlanInForce({
    set: (plan) => {
      this.#planGivenAtMs = performance.now();
      return this.#client.setPlan(plan);
    },
    rerun: () => this.rerun(),
    working: (work) => this.#working('plan', work),
    onNewModel: () => this.#forgetRestart(),
    onNewResults: (results) => this.#forgetResults(results),
  });
  /** The frame on the stage with its raw results. */
  #current = $state.raw<FrameResult | null>(null);
  #listed = $state.raw<FrameResult | null>(null);
  /** What ran in each service when the result on the stage was made. */
  #madeBy = $state.raw<BenchPlan['models']>({});
  /** since when frames that the worker is given run under plans of which results, the plan in force last */
  #plansFrom: readonly { readonly givenAtMs: number; readonly resultsKey: string }[] = [];
  readonly #resultsKeys = new WeakMap<FrameResult, string>();
  readonly #throttle: Throttle;
  #isFollowing = false;
  #isAtRest = false;
  #catchingUp: ReturnType<typeof setTimeout> | undefined;
  #verdicts = $state.raw<RunVerdicts | null>(null);
  #stats = $state.raw<StreamStats | null>(null);
  #capabilities = $state.raw<Capabilities | null>(null);
  #notices = $state.raw<readonly Notice[]>([]);
  #failure = $state.raw<Problem | null>(null);
  /** A new object with each source: what was asked for another one is known by it. */
  #source = $state.raw<{ readonly name: string } | null>(null);
  #sourceGaveNone = $state(false);
  #isStalled = $state(false);
  #busy = $state(0);
  #meter: StreamMeter | null = null;
  #measuredMs = -Infinity;
  #planGivenAtMs = -Infinity;
  /** A frame that the worker was given before is of another plan: it is seen, and not counted. */
  #countedFromMs = -Infinity;
  readonly #listeners: SessionListeners;

  /** @param memory where the scores seen are kept over a reload; null = nowhere */
  constructor(
    client: VisionClient,
    memory: MemoryPort | null = null,
    {
      throttle = new Throttle(LISTED_EVERY_MS),
      ...listeners
    }: SessionListeners & { readonly throttle?: Throttle } = {},
  ) {
    this.#listeners = listeners;
    this.history = new FrameHistory(memory);
    this.#client = client;
    this.#throttle = throttle;
    client.onResult((result) => this.#take(result));
    client.onStats((stats) => (this.#stats = stats));
    client.onNotice((notice) => this.#hear(notice));
    client.onFailure((error) => this.#fail(error));
    client.onStall((isStalled) => (this.#isStalled = isStalled));
  }

  /** The result of the frame on the stage; null while the source's first one is awaited, or gave none. */
  get current(): FrameResult | null {
    return this.#current;
  }
  /** What panels list: that same result, of a stream now and then only. Once nothing comes any more they are the same. */
  get listed(): FrameResult | null {
    return this.#listed;
  }
  get report(): PlanReport | null {
    return this.#plan.report;
  }
  /** Whether what was last seen under this plan can be right; null = nothing was seen yet. */
  get verdicts(): RunVerdicts | null {
    return this.#verdicts;
  }
  /** The plan under which the frame on the stage was last run again. */
  get applied(): BenchPlan | null {
    return this.#plan.applied;
  }
  /** Whether what is on the stage came of this model in this service, not of the one before it. */
  ranWith(service: string, modelId: string): boolean {
    return this.applied?.models[service]?.modelId === modelId;
  }
  /** Whether the result on the stage was made by this model in this service, undefined = by none. */
  isMadeBy(service: string, modelId: string | undefined): boolean {
    return this.#madeBy[service]?.modelId === modelId;
  }
  /** The `resultsKey` of the plan that a result was made under; undefined = of none that is known. */
  resultsKeyOf(result: FrameResult): string | undefined {
    return this.#resultsKeys.get(result);
  }
  get stats(): StreamStats | null {
    return this.#stats;
  }
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }
  get notices(): readonly Notice[] {
    return this.#notices;
  }
  /** Why the last frame or plan gave nothing at all. */
  get failure(): Problem | null {
    return this.#failure;
  }
  get busy(): boolean {
    return this.#busy > 0;
  }
  /** The source that was chosen last; '' = none. */
  get sourceName(): string {
    return this.#source?.name ?? '';
  }
  get stage(): StageState {
    if (this.#current) return 'shown';
    if (!this.#source) return 'empty';
    return this.#sourceGaveNone ? 'failed' : 'awaited';
  }

  /** A frame has been with the model for long, and none came back. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Ends the model at the frame that it does not come back from. It stays loaded, and the frame is not run again by itself. */
  stopModel(): void {
    this.#client.endRun();
    const message = `The model was stopped: it gave no answer on ${this.sourceName}.`;
    this.#fail(new Error(`${message} Choose another picture or model, or run it again (M).`));
  }

  /**
   * From now on the stage is for frames of this source: what it shows of another one goes, and comes back no more. `among` is
   * what its scores are counted with: for a picture the set that it is one of.
   */
  changeSource(name: string, among = name): void {
    this.history.enter(among);
    this.#client.changeSource();
    this.#source = { name };
    this.way.leave();
    this.#current = null;
    this.#throttle.now(this.#list);
    this.#verdicts = null;
    this.#failure = null;
    this.#sourceGaveNone = false;
  }

  /** The source that was chosen last gives no frame. */
  sourceFailed(error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown, where = this.sourceName): void {
    this.#failure = { code: errorCode(error, 'unexpected'), message: errorMessage(error), where };
    if (where !== 'plan') this.#sourceGaveNone = true;
  }

  async askCapabilities(): Promise<void> {
    this.#capabilities = await this.#client.capabilities();
  }

  /** A canvas that takes the place of another one, as where the window becomes narrow, is empty until a frame is drawn on it. */
  attachStage(canvas: HTMLCanvasElement): void {
    this.#client.attachStage(canvas);
    // Not for what runs the frame then: the canvas alone is why.
    untrack(() => {
      if (this.#current) void this.rerun();
    });
  }

  /**
   * How large a picture the stage has room for, px of the screen; null = pictures are wanted in full. `restsWithin`: the same for one
   * that comes to rest.
   */
  fillStage(within: PictureSize | null, restsWithin: PictureSize | null = null): void {
    this.#client.fillStage(within, restsWithin);
  }

  /** That a model was ended is old news once others run. */
  #forgetRestart(): void {
    this.#notices = this.#notices.filter(({ code }) => code !== 'worker-restarted');
  }

  dismissNotice(notice: Notice): void {
    this.#notices = this.#notices.filter((other) => other !== notice);
  }

  /** Results of another plan are none of this one. */
  #forgetResults(results: string): void {
    this.#countedFromMs = this.#planGivenAtMs;
    this.#plansFrom = [
      ...this.#plansFrom.slice(-MOST_PLANS_UNDER_WAY),
      { givenAtMs: this.#planGivenAtMs, resultsKey: results },
    ];
    this.history.enterPlan(results);
    this.#listeners.onNewPlan?.();
    this.#verdicts = null;
  }

  /**
   * Puts a plan in force and runs the frame on the stage again. A plan that changes nothing costs nothing;
   * of several that arrive while one is being set, the last wins.
   */
  applyPlan(plan: BenchPlan): Promise<void> {
    return this.#plan.apply(plan);
  }

  /**
   * Shows and runs one frame of the source that was chosen last, which the worker takes over. Resolves to false when a newer
   * frame or source overtook it.
   */
  async run(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<boolean> {
    const source = this.#source;
    await this.#plan.applying; // A frame must not run under a plan that is being replaced.
    if (source !== this.#source) {
      if (!(frame instanceof Blob)) frame.close();
      return false;
    }
    let shown = false;
    await this.#working(info.name, async () => {
      shown = (await this.#client.run(frame, info)) !== null;
    });
    return shown;
  }

  /** Runs a picture beside the stage under the plan that is wanted now. Rejects with what the worker says. */
  async runAside(image: Blob, name: string): Promise<FrameResult> {
    await this.#plan.applying;
    return this.#client.runAside(image, { name, index: 0, timestampMs: 0 });
  }

  /** What a transform camera of the wanted plan makes of a frame, beside what a machine's own made of it. */
  async compareCamera(source: Blob, theirs: Blob, cameraName: string): Promise<CameraComparison> {
    await this.#plan.applying;
    return this.#client.compareCamera(source, theirs, cameraName);
  }

  /** As `run`, for the frames of a stream: its figures are kept too. */
  async runStreamed(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<void> {
    const meter = (this.#meter ??= new StreamMeter(performance.now()));
    const arrivedMs = performance.now();
    meter.frameArrived(arrivedMs);
    const shown = await this.run(frame, info);
    if (meter !== this.#meter) return; // The stream ended meanwhile.
    const nowMs = performance.now();
    if (shown) meter.frameFinished(nowMs, nowMs - arrivedMs);
    else meter.frameDropped();
    if (nowMs - this.#measuredMs < STATS_EVERY_MS) return;
    this.#measuredMs = nowMs;
    this.#stats = meter.stats(nowMs);
  }

  /** The next streamed frame begins a new count. */
  endStream(): void {
    this.#meter = null;
    this.#isFollowing = false;
    this.#measuredMs = -Infinity;
    this.#stats = null;
  }

  /** Runs the frame on the stage once more. Resolves to false when that failed. */
  async rerun(): Promise<boolean> {
    return this.#working(this.sourceName, () => this.#client.rerun());
  }

  /**
   * Whether frames do not follow each other by themselves now: a stream stopped or paused, or there is none. What it shows last is then
   * listed at once, and run again for small pictures of its own where only one before it had some.
   */
  set isAtRest(isAtRest: boolean) {
    this.#isAtRest = isAtRest;
    if (!isAtRest) return;
    this.#throttle.now(this.#list);
    this.#catchUpSoon();
  }

  #catchUpSoon(): void {
    clearTimeout(this.#catchingUp);
    if (this.#isAtRest && this.way.isBehind) this.#catchingUp = setTimeout(() => this.#catchUp(), CAUGHT_UP_AFTER_MS);
  }

  #catchUp(): void {
    if (!this.#isAtRest || !this.way.isBehind) return;
    this.way.catchUp();
    void this.rerun();
  }

  /** Follows a live source, the one that was chosen last. */
  async follow(frames: ReadableStream<VideoFrame>, name: string): Promise<void> {
    this.endStream();
    this.#isFollowing = true;
    await this.#client.follow(frames, { name });
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    this.endStream();
  }

  /** Resolves to false when the work failed. */
  async #working(where: string, work: () => Promise<unknown>): Promise<boolean> {
    const source = this.#source;
    this.#busy += 1;
    try {
      await work();
      // A frame's failure goes with the next result: one that was overtaken or stopped tells nothing.
      if (where === 'plan' && this.#failure?.where === where) this.#failure = null;
      return true;
    } catch (error) {
      const isGone = source !== this.#source && where !== 'plan';
      if (!isGone) this.#fail(error, where);
      return false;
    } finally {
      this.#busy -= 1;
    }
  }

  #take(result: FrameResult): void {
    const isOfStream = !this.#isAtRest && (this.#isFollowing || this.#meter !== null);
    this.way.take(result.stages, isOfStream);
    this.#catchUpSoon();
    this.#noteItsPlan(result);
    this.#listeners.onNewResult?.(this.#current, result);
    this.#current = result;
    this.#failure = null;
    this.#sourceGaveNone = false;
    if ((result.givenAtMs ?? Infinity) >= this.#countedFromMs) this.#count(result);
    if (isOfStream) this.#throttle.schedule(this.#list);
    else this.#throttle.now(this.#list);
  }

  #noteItsPlan(result: FrameResult): void {
    const givenAtMs = result.givenAtMs ?? Infinity;
    const plan = this.#plansFrom.findLast((from) => from.givenAtMs <= givenAtMs);
    if (plan) this.#resultsKeys.set(result, plan.resultsKey);
  }

  #count(result: FrameResult): void {
    this.#madeBy = this.#plan.inForce?.models ?? {};
    if (result.verdicts) this.#verdicts = result.verdicts;
    this.history.add(result);
  }

  readonly #list = (): void => {
    this.#listed = this.#current;
    this.history.renew();
  };

  #hear(notice: Notice): void {
    const others = this.#notices.filter((other) => other.code !== notice.code);
    this.#notices = notice.code === 'stream-ended' ? others : [...others, notice];
  }
}
