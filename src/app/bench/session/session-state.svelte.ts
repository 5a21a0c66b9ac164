import { untrack } from 'svelte';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { BenchPlan, FrameResult, PlanReport, Problem, RunVerdicts } from '../../../../workers/vision/protocol.ts';
import type { Capabilities } from '../../../platform/ports/inference-runtime.ts';
import { errorCode, errorMessage } from '../../../machine/vision/face/errors.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { FrameHistory } from './frame-history.svelte.ts';
import { SourceStages } from './source-stages.svelte.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import { Notices } from './notices.svelte.ts';
import { PlanInForce } from './plan-in-force.svelte.ts';
import { PlanOfResult } from './plan-of-result.ts';
import { StreamRates } from './stream-rates.svelte.ts';

/**
 * The pace of thumbnails: a person reads no faster, and each update of the panels costs as much as the frame
 * itself.
 */
const LISTED_EVERY_MS = 250;
/** A person who steps on sooner does not look at the thumbnails yet. */
const CAUGHT_UP_AFTER_MS = 150;

/**
 * What the stage shows of the current source: a frame with its result, not yet a frame, or none because the frame
 * failed. "empty": no source was chosen.
 */
export type StageState = 'empty' | 'awaited' | 'shown' | 'failed';

export interface SessionListeners {
  /** Called before a result replaces the one on the stage. */
  readonly onNewResult?: (before: FrameResult | null, now: FrameResult) => void;
  /** Called before the first frame runs under a plan with other results. */
  readonly onNewPlan?: () => void;
}

/** The state of the worker: its plan, the frame on the stage, the raw results seen so far. */
export class SessionState {
  readonly #client: VisionClient;
  readonly history: FrameHistory;
  readonly way = new SourceStages();
  readonly #plan = new PlanInForce({
    set: (plan) => {
      this.#planOfResult.give();
      return this.#client.setPlan(plan);
    },
    rerun: () => this.rerun(),
    working: (work) => this.#working('plan', work),
    onNewModel: () => this.notices.forgetRestart(),
    onNewResults: (results) => this.#forgetResults(results),
  });
  /** The result of the frame on the stage; null: the source's first result is awaited, or it gave none. */
  current = $state.raw<FrameResult | null>(null);
  /**
   * The result that panels list: the same one, but of a stream only every now and then. When the stream rests, both
   * are equal.
   */
  listed = $state.raw<FrameResult | null>(null);
  /** The models of all services when the result on the stage was made. */
  #madeBy = $state.raw<BenchPlan['models']>({});
  /** The tuned service then; null: unknown. */
  #madeFor = $state.raw<string | null>(null);
  readonly #planOfResult = new PlanOfResult();
  readonly #throttle: Throttle;
  #isFollowing = false;
  #isAtRest = false;
  #catchingUp: ReturnType<typeof setTimeout> | undefined;
  /** The judgement of the last result under this plan; null: there was none yet. */
  verdicts = $state.raw<RunVerdicts | null>(null);
  readonly rates = new StreamRates();
  capabilities = $state.raw<Capabilities | null>(null);
  readonly notices = new Notices();
  /** Why the last frame or plan gave no result. */
  failure = $state.raw<Problem | null>(null);
  /** A new object for each source, by which late answers for another source are recognised. */
  #source = $state.raw<{ readonly name: string } | null>(null);
  #sourceGaveNone = $state(false);
  /** A frame has been running for long, and no result came. */
  isStalled: boolean = $state(false);
  #busy = $state(0);
  readonly #listeners: SessionListeners;

  /** @param memory stores the scores over a reload; null: they are not stored */
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
    client.onStats((stats) => this.rates.take(stats));
    client.onNotice((notice) => {
      this.notices.hear(notice);
      if (notice.code === 'gpu-lost' && this.current) void this.rerun(); // the GPU may have computed wrongly
    });
    client.onFailure((error) => this.#fail(error));
    client.onStall((isStalled) => (this.isStalled = isStalled));
  }
  get report(): PlanReport | null {
    return this.#plan.report;
  }
  /** The plan under which the frame on the stage was run last. */
  get applied(): BenchPlan | null {
    return this.#plan.applied;
  }
  /** Whether the frame on the stage was run by this model in this service, not by the one before it. */
  ranWith(service: string, modelId: string): boolean {
    return this.applied?.models[service]?.modelId === modelId;
  }
  /** Whether the result on the stage was made by this model in this service; undefined: by none. */
  isMadeBy(service: string, modelId: string | undefined): boolean {
    // Without a model, the service alone tells: what another one found is none of a colour detector's.
    if (modelId === undefined && this.#madeFor !== null && this.#madeFor !== service) return false;
    return this.#madeBy[service]?.modelId === modelId;
  }
  /** The `resultsKey` of the plan that made a result; undefined: unknown. */
  resultsKeyOf(result: FrameResult): string | undefined {
    return this.#planOfResult.keyOf(result);
  }
  get busy(): boolean {
    return this.#busy > 0;
  }
  /** The current source; '': none. */
  get sourceName(): string {
    return this.#source?.name ?? '';
  }
  get stage(): StageState {
    if (this.current) return 'shown';
    if (!this.#source) return 'empty';
    return this.#sourceGaveNone ? 'failed' : 'awaited';
  }

  /** Interrupts a model that does not return. It stays loaded, and the frame is not run again automatically. */
  stopModel(): void {
    this.#client.endRun();
    const message = `The model was stopped: it gave no answer on ${this.sourceName}.`;
    this.#fail(new Error(`${message} Choose another picture or model, or run it again (M).`));
  }

  /**
   * Starts another source: frames of the former one disappear and are not shown again. `among` is the source under
   * which scores are counted: for a picture, the set that it belongs to.
   */
  changeSource(name: string, among = name): void {
    this.history.enter(among);
    this.#client.changeSource();
    this.#source = { name };
    this.way.leave();
    this.current = null;
    this.#throttle.now(this.#list);
    this.verdicts = null;
    this.failure = null;
    this.#sourceGaveNone = false;
  }

  /** The current source gives no frame. */
  sourceFailed(error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown, where = this.sourceName): void {
    this.failure = { code: errorCode(error, 'unexpected'), message: errorMessage(error), where };
    if (where !== 'plan') this.#sourceGaveNone = true;
  }

  async askCapabilities(): Promise<void> {
    this.capabilities = await this.#client.capabilities();
  }

  /**
   * A canvas that replaces another one, as when the window becomes narrow, is empty until a frame is drawn on it.
   */
  attachStage(canvas: HTMLCanvasElement): void {
    this.#client.attachStage(canvas);
    // The effect must depend on the canvas alone, not on what running the frame reads.
    untrack(() => {
      if (this.current) void this.rerun();
    });
  }

  /**
   * Sets the size in screen px that pictures have to fill; null: full size. `restsWithin`: the same for a picture
   * at rest.
   */
  fillStage(within: PictureSize | null, restsWithin: PictureSize | null = null): void {
    this.#client.fillStage(within, restsWithin);
  }

  /** Results of another plan do not belong to this one. */
  #forgetResults(results: string): void {
    this.#planOfResult.enter(results);
    this.history.enterPlan(results);
    this.#listeners.onNewPlan?.();
    this.verdicts = null;
  }

  /**
   * Applies a plan and runs the frame on the stage again. A plan without changes costs nothing; of several that
   * arrive while one is being applied, the last wins.
   */
  applyPlan(plan: BenchPlan): Promise<void> {
    return this.#plan.apply(plan);
  }

  /**
   * Shows and runs one frame of the current source and transfers it to the worker. Resolves to false if a newer
   * frame or source replaced it.
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

  /**
   * Runs a picture, or a frame that it takes over, under the wanted plan, or through another camera than the plan's, without showing it.
   * `place`: of a frame in its video. Rejects with the worker's error.
   */
  async runAside(
    image: Blob | VideoFrame | ImageBitmap,
    name: string,
    cameraName?: string | null,
    place = { index: 0, timestampMs: 0 },
  ): Promise<FrameResult> {
    await this.#plan.applying;
    return this.#client.runAside(image, { name, ...place }, cameraName);
  }

  /** Draws results into what a service sees of an image, as the machine draws them. Rejects with the worker's error. */
  async drawAside(...given: Parameters<VisionClient['drawAside']>): Promise<ImageBitmap> {
    await this.#plan.applying;
    return this.#client.drawAside(...given);
  }

  /** Asks the worker under the wanted plan. Rejects with the worker's error. */
  async underPlan<Answer>(ask: (client: VisionClient) => Promise<Answer>): Promise<Answer> {
    await this.#plan.applying;
    return ask(this.#client);
  }

  /** Like `run`, for frames of a stream, whose rates are measured too. */
  runStreamed(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<void> {
    return this.rates.measure(() => this.run(frame, info));
  }

  /** The next streamed frame starts a new measurement. */
  endStream(): void {
    this.#isFollowing = false;
    this.rates.end();
  }

  /** Runs the frame on the stage again. Resolves to false if that failed. */
  async rerun(): Promise<boolean> {
    return this.#working(this.sourceName, () => this.#client.rerun());
  }

  /**
   * Whether frames do not follow each other automatically now: a stream is stopped or paused, or there is none. Its
   * last frame is then listed at once, and run again for its own thumbnails if only an earlier one had some.
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

  /** Follows a live stream, which is the current source. */
  async follow(frames: ReadableStream<VideoFrame>, name: string): Promise<void> {
    this.endStream();
    this.#isFollowing = true;
    await this.#client.follow(frames, { name });
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    this.endStream();
  }

  /** Resolves to false if the work failed. */
  async #working(where: string, work: () => Promise<unknown>): Promise<boolean> {
    const source = this.#source;
    this.#busy += 1;
    try {
      await work();
      // A frame's failure is cleared by the next result, but not by a frame that was replaced or stopped.
      if (where === 'plan' && this.failure?.where === where) this.failure = null;
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
    const isOfStream = !this.#isAtRest && (this.#isFollowing || this.rates.isMeasuring);
    this.way.take(result.stages, isOfStream);
    this.#catchUpSoon();
    const isOfPlanInForce = this.#planOfResult.note(result);
    this.#listeners.onNewResult?.(this.current, result);
    this.current = result;
    this.failure = null;
    this.#sourceGaveNone = false;
    if (isOfPlanInForce) this.#count(result); // the result of another plan is shown, but not counted
    if (isOfStream) this.#throttle.schedule(this.#list);
    else this.#throttle.now(this.#list);
  }

  #count(result: FrameResult): void {
    this.#madeBy = this.#plan.inForce?.models ?? {};
    this.#madeFor = this.#plan.inForce?.visionName ?? null;
    if (result.verdicts) this.verdicts = result.verdicts;
    this.history.add(result);
  }

  readonly #list = (): void => {
    this.listed = this.current;
    this.history.renew();
  };
}
