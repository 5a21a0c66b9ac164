import { StreamMeter } from '../../../workers/vision/client/stream-meter.ts';
import type { VisionClient } from '../../../workers/vision/client/vision-client.ts';
import type {
  BenchPlan,
  FrameResult,
  Notice,
  PlanReport,
  Problem,
  RunVerdicts,
  StreamStats,
} from '../../../workers/vision/protocol.ts';
import type { Capabilities } from '../../ports/inference-runtime.ts';
import { runKey } from '../../config/run-key.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';
import { FrameHistory } from './frame-history.svelte.ts';

const STATS_EVERY_MS = 500;

/** What the worker is doing: the plan it runs, the frame on the stage, the raw results seen so far. */
export class SessionState {
  readonly #client: VisionClient;
  readonly history = new FrameHistory();
  /** The frame on the stage with its raw results. */
  #current = $state.raw<FrameResult | null>(null);
  #report = $state.raw<PlanReport | null>(null);
  #verdicts = $state.raw<RunVerdicts | null>(null);
  #applied = $state.raw<BenchPlan | null>(null);
  #stats = $state.raw<StreamStats | null>(null);
  #capabilities = $state.raw<Capabilities | null>(null);
  #notices = $state.raw<readonly Notice[]>([]);
  #failure = $state.raw<Problem | null>(null);
  #busy = $state(0);
  #wanted: BenchPlan | null = null;
  #meter: StreamMeter | null = null;
  #measuredMs = -Infinity;
  #planInForce = '';
  #resultsInForce = '';
  #applying: Promise<void> | null = null;
  /** Called before a result takes the place of the one on the stage. */
  onNewResult: (before: FrameResult | null, now: FrameResult) => void = () => {};

  constructor(client: VisionClient) {
    this.#client = client;
    client.onResult((result) => this.#take(result));
    client.onStats((stats) => (this.#stats = stats));
    client.onNotice((notice) => this.#hear(notice));
  }

  get current(): FrameResult | null {
    return this.#current;
  }
  get report(): PlanReport | null {
    return this.#report;
  }
  /** Whether what was last seen under this plan can be right; null = nothing was seen yet. */
  get verdicts(): RunVerdicts | null {
    return this.#verdicts;
  }
  /** The plan under which the frame on the stage was last run again. */
  get applied(): BenchPlan | null {
    return this.#applied;
  }
  /** Whether what is on the stage came of this model in this service, not of the one before it. */
  ranWith(service: string, modelId: string): boolean {
    return this.#applied?.models[service]?.modelId === modelId;
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

  async askCapabilities(): Promise<void> {
    this.#capabilities = await this.#client.capabilities();
  }

  attachStage(canvas: HTMLCanvasElement): void {
    this.#client.attachStage(canvas);
  }

  dismissNotice(notice: Notice): void {
    this.#notices = this.#notices.filter((other) => other !== notice);
  }

  /**
   * Puts a plan in force and runs the frame on the stage again. A plan that changes nothing costs nothing;
   * of several that arrive while one is being set, the last wins.
   */
  applyPlan(plan: BenchPlan): Promise<void> {
    this.#wanted = plan;
    this.#applying ??= this.#applyWanted().finally(() => (this.#applying = null));
    return this.#applying;
  }

  async #applyWanted(): Promise<void> {
    while (this.#wanted) {
      const plan = this.#wanted;
      this.#wanted = null;
      const { results, picture } = keysOf(plan);
      if (results + picture === this.#planInForce) continue;
      await this.#working('plan', async () => {
        this.#report = await this.#client.setPlan(plan);
        this.#planInForce = results + picture;
        if (results !== this.#resultsInForce) {
          this.#resultsInForce = results;
          this.history.clear();
          this.#verdicts = null;
        }
        if (this.#wanted) return;
        await this.#client.rerun();
        this.#applied = plan;
      });
    }
  }

  /** Shows and runs one frame, which the worker takes over. Resolves to false when a newer frame overtook it. */
  async run(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<boolean> {
    await this.#applying; // A frame must not run under a plan that is being replaced.
    let shown = false;
    await this.#working(info.name, async () => {
      shown = (await this.#client.run(frame, info)) !== null;
    });
    return shown;
  }

  /** Runs a picture beside the stage under the plan that is wanted now. Rejects with what the worker says. */
  async runAside(image: Blob, name: string): Promise<FrameResult> {
    await this.#applying;
    return this.#client.runAside(image, { name, index: 0, timestampMs: 0 });
  }

  /** As `run`, for the frames of a video: the figures of the stream are kept too. */
  async runStreamed(frame: VideoFrame | ImageBitmap, info: FrameInfo): Promise<void> {
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
    this.#measuredMs = -Infinity;
    this.#stats = null;
  }

  /** Runs the frame on the stage once more. */
  async rerun(): Promise<void> {
    await this.#working('', () => this.#client.rerun());
  }

  async follow(frames: ReadableStream<VideoFrame>, name: string): Promise<void> {
    this.endStream();
    await this.#client.follow(frames, { name });
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    this.endStream();
  }

  async #working(where: string, work: () => Promise<unknown>): Promise<void> {
    this.#busy += 1;
    try {
      await work();
      if (this.#failure?.where === where) this.#failure = null;
    } catch (error) {
      this.#failure = { code: codeOf(error), message: messageOf(error), where };
    } finally {
      this.#busy -= 1;
    }
  }

  #take(result: FrameResult): void {
    for (const stage of this.#current?.stages ?? []) stage.thumbnail?.close();
    this.onNewResult(this.#current, result);
    this.#current = result;
    if (result.verdicts) this.#verdicts = result.verdicts;
    this.#failure = null;
    this.history.add(result);
  }

  #hear(notice: Notice): void {
    const others = this.#notices.filter((other) => other.code !== notice.code);
    this.#notices = notice.code === 'stream-ended' ? others : [...others, notice];
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What of a plan decides the raw results, and what only the picture on the stage, as text. */
/**
 * Texts that differ where results and where the picture must come anew. A list of labels that leaves out the first one is
 * judged otherwise, for which the frame runs again; the scores seen so far stay, as they are the same.
 */
function keysOf({ config, visionName, cameraName, models, shownStage, undistortPreview, thumbnails }: BenchPlan) {
  return {
    results: runKey(config, visionName, cameraName, withoutJudging(models)),
    picture: JSON.stringify([shownStage, undistortPreview, thumbnails, models]),
  };
}

const withoutJudging = (models: BenchPlan['models']): unknown =>
  Object.entries(models).map(([service, { modelId, labels }]) => [service, modelId, labels]);
