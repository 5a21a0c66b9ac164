import type {
  BackendChoice,
  BackendDecided,
  BenchPlan,
  DecodingTrial,
  FoundCauses,
  FoundReadings,
  FrameEncoding,
  FrameResult,
  FrameTimings,
  KeptFrame,
  LoadProgress,
  ModelDescription,
  Notice,
  PlanReport,
  ReadingSide,
  ShownFrame,
  StageInfo,
  TriedDecoding,
  SymptomReport,
} from '../protocol.ts';
import type { Capabilities } from '../../../src/ports/inference-runtime.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { ModelSource } from '../../../src/ports/model-source.ts';
import type { StoredModel, ModelStore } from '../../../src/ports/model-store.ts';
import { greyThumbnail } from '../../../src/capture/grey-thumbnail.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import type { FrameRun } from '../../../src/vision/machine.ts';
import type { ProbedService } from '../../../src/vision/vision-service.ts';
import type { TextFace } from '../../../src/vision/overlay/font/text-face.ts';
import type { StretchKernel } from '../../../src/vision/preprocess/stretch-kernel.ts';
import type { Stage } from '../../../src/vision/sighting.ts';
import { findInputReadings, findOutputReadings } from './find-readings.ts';
import { FrameKeeper } from './frame-keeper.ts';
import { judgeRun } from './judge-run.ts';
import { ModelShelf } from './model-shelf.ts';
import { PlanRunner } from './plan-runner.ts';
import type { PictureIo, SourceImage } from '../../../src/ports/picture-io.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import { Projector, shownFrame } from './projector.ts';
import { DecodingTrials } from './try-decoding.ts';
import { solveSymptom } from './solve-symptom.ts';
import { testCard } from './warm-up.ts';

export interface VisionEnginePorts {
  readonly runtime: ThreadedRuntime;
  readonly store: ModelStore;
  readonly pictures: PictureIo;
  readonly kernel: StretchKernel;
  readonly font: TextFace;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly nowMs: () => number;
  readonly documentBase: string;
  readonly onNotice: (notice: Notice | BackendDecided) => void;
}

type Decoder = NonNullable<FrameResult['decodedBy']>;

/** A frame with where it came from, kept so that it can run again. */
interface SourceFrame {
  /** its number: later frames have higher ones */
  readonly frameId: number;
  readonly frame: Frame;
  readonly info: FrameInfo;
  /** the file that it was decoded from, null for a live one */
  readonly original: Blob | null;
  readonly decodedBy: Decoder;
  readonly decodeMs: number;
}

const thumbnailsEveryMs = 250;
/** A person waits ten seconds; what was begun by then still ends. */
const solvingMs = 7000;
const mostSolvedOn = 3;

/** What the vision worker does: models on a shelf, a plan in force, one frame at a time. */
export class VisionEngine {
  readonly #ports: VisionEnginePorts;
  readonly #shelf: ModelShelf;
  readonly #runner: PlanRunner;
  readonly #projector: Projector;
  readonly #keeper: FrameKeeper;
  readonly #trials: DecodingTrials;
  #source: SourceFrame | null = null;
  /** the newest frame that was given, whether or not it could be read */
  #newestId = 0;
  #thumbnailsAtMs = -Infinity;
  /** frames under way */
  readonly #running = new Map<Promise<unknown>, Frame>();
  #isDeciding = false;
  #verdictsAtMs = -Infinity;
  /** of the frame on the stage, so that its outputs are read again without being run again */
  #lastRun: { readonly frame: Frame; readonly vision: ProbedService | null; readonly run: FrameRun } | null = null;

  constructor(ports: VisionEnginePorts) {
    const { kernel, nowMs, font, runtime } = ports;
    this.#ports = ports;
    this.#shelf = new ModelShelf({ ...ports, trialFrame: () => this.#source?.frame ?? testCard() });
    this.#runner = new PlanRunner({ modelOf: (modelId) => this.#shelf.get(modelId), font, kernel, nowMs });
    this.#projector = new Projector(ports.pictures);
    this.#trials = new DecodingTrials(runtime);
    this.#keeper = new FrameKeeper({ ...ports, onRelease: (frame) => this.#recycle(frame) });
    runtime.onGpuLost(() => {
      if (this.#shelf.gpuLost() === 0) return;
      ports.onNotice({ code: 'gpu-lost', message: 'The GPU went away. Its models go on running on the CPU.' });
    });
  }

  capabilities(): Promise<Capabilities> {
    return this.#ports.runtime.capabilities();
  }

  async loadModel(
    source: ModelSource,
    backend: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<ModelDescription> {
    const { description } = await this.#shelf.load(source, backend, onProgress, signal);
    const { stored, storedReason } = description;
    if (!stored && source.kind !== 'builtin') this.#ports.onNotice({ code: 'storage-full', message: storedReason });
    await this.#runner.set(this.#runner.plan);
    return description;
  }

  /** Frees the session and its memory; the stored bytes stay. */
  async unloadModel(modelId: string): Promise<void> {
    await this.#shelf.unload(modelId);
    await this.#runner.set(this.#runner.plan);
  }

  /** [] where the browser gives no storage. */
  storedModels(): Promise<readonly StoredModel[]> {
    return this.#ports.store.list().catch(() => []);
  }

  /** Removes the stored bytes. */
  forgetModel(sha256: string): Promise<void> {
    return this.#ports.store.remove(sha256);
  }

  /** Sets what runs on every frame and probes the tuned service. Does not run the current frame again: that is `rerun`. */
  setPlan(plan: BenchPlan): Promise<PlanReport> {
    return this.#runner.set(plan);
  }

  /** Shows and runs one frame, numbered `frameId`. Takes the image over and closes it. @throws ImageDecodeError */
  async run(image: SourceImage, info: FrameInfo, frameId: number): Promise<ShownFrame> {
    const { pictures, nowMs } = this.#ports;
    const startMs = nowMs();
    let picture: Promise<ImageBitmap> | null = null;
    this.#newestId = frameId;
    try {
      const [frame, decodedBy] = await Promise.all([pictures.read(image), this.#decoderOf(image)]);
      const original = image instanceof Blob ? image : null;
      const decodeMs = nowMs() - startMs;
      const source = { frameId, frame, info, original, decodedBy, decodeMs };
      this.#replaceSource(source);
      // A still may be transparent, and is drawn over black.
      const copySource = image instanceof Blob ? null : () => (picture = pictures.copy(image, frame));
      return await this.#runSource(source, copySource);
    } catch (error) {
      if (frameId === this.#newestId && this.#source?.frameId !== frameId) this.#forgetSource();
      throw error;
    } finally {
      if (!(image instanceof Blob)) void Promise.allSettled([Promise.resolve(picture)]).then(() => image.close());
    }
  }

  /** Runs a frame again, under the current plan; null when it is not the last one that could be read. */
  async rerun(frameId: number): Promise<ShownFrame | null> {
    if (this.#source?.frameId !== frameId) return null;
    return this.#runSource({ ...this.#source, decodeMs: 0 }, null);
  }

  /**
   * Runs a picture under the current plan beside the bench: what is on the stage stays there, and runs again. Its result
   * has no thumbnails. @throws ImageDecodeError
   */
  async runAside(image: Blob, info: FrameInfo): Promise<FrameResult> {
    const startMs = this.#ports.nowMs();
    const [frame, decodedBy] = await Promise.all([this.#ports.pictures.read(image), this.#decoderOf(image)]);
    const decodeMs = this.#ports.nowMs() - startMs;
    const source = { frameId: 0, frame, info, original: image, decodedBy, decodeMs };
    const { picture, result } = await this.#runSource(source, null, 'aside');
    picture.close();
    for (const { thumbnail } of result.stages) thumbnail?.close();
    return { ...result, stages: result.stages.map((stage) => ({ ...stage, thumbnail: null })) };
  }

  /**
   * Reads the tuned service's model in other ways, on the frame of the stage; none where there is no frame or no service.
   * @throws InferenceError; the signal's reason when it aborts
   */
  async findReadings(
    side: ReadingSide,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundReadings> {
    const nothing = { picture: null, readings: [], left: 0 };
    return this.#onStage(nothing, (source, vision) => this.#findReadings(side, source, vision, onProgress, signal));
  }

  /**
   * Puts a decoding behind the tuned service's model, on the frame of the stage; null where there is no frame or no service. The model
   * runs once for all decodings of one feeding. @throws InferenceError
   */
  async tryDecoding(trial: DecodingTrial): Promise<TriedDecoding | null> {
    return this.#onStage(null, async ({ frame }, vision) => {
      const { seen } = await this.#seenBy(frame, vision);
      const tried = await this.#trials.read(trial, seen, vision.service, this.#runner.pipelinePorts);
      return { ...tried, picture: await this.#projector.preview(seen) };
    });
  }

  /** Works on the frame of the stage under the tuned service, and keeps its pixels until then. */
  async #onStage<T>(nothing: T, work: (source: SourceFrame, vision: ProbedService) => Promise<T>): Promise<T> {
    const source = this.#source;
    const vision = await this.#runner.tunedService();
    if (!source || !vision) return nothing;
    return this.#whileHeld(source.frame, work(source, vision));
  }

  /** What the tuned service's model sees of a frame, and what it gave where it was run on it. */
  async #seenBy(frame: Frame, vision: ProbedService) {
    const isLast = this.#lastRun?.frame === frame && this.#lastRun.vision === vision;
    const { stages, sighting } = isLast ? this.#lastRun!.run : await this.#runner.run(frame);
    return { seen: stages.at(-1)!.frame, inference: sighting?.inference ?? null };
  }

  /**
   * What may be wrong with the tuned service, tried on the frame of the stage and on those held before it; none where
   * there is no frame or no service. @throws InferenceError; the signal's reason when it aborts
   */
  async findCauses(
    report: SymptomReport,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundCauses> {
    const source = this.#source;
    const vision = await this.#runner.tunedService();
    if (!source || !vision) return { picture: null, causes: [] };
    const { frame } = source;
    const frames = [frame, ...this.#keeper.frames.filter((held) => held !== frame).toReversed()].slice(0, mostSolvedOn);
    const finding = this.#findCauses(report, frames, vision, onProgress, signal);
    return frames.reduce((work, held) => this.#whileHeld(held, work), finding);
  }

  /** A frame is not recycled while something runs on it. */
  async #whileHeld<T>(frame: Frame, work: Promise<T>): Promise<T> {
    this.#running.set(work, frame);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      this.#recycle(frame);
    }
  }

  /** What was drawn is of the first frame. */
  async #findCauses(
    { symptom, drawn, ownLabels }: SymptomReport,
    frames: readonly Frame[],
    { service }: ProbedService,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundCauses> {
    const { dropsFirstLabel, pipelinePorts: ports, plan } = this.#runner;
    const filter = plan.config.visionServices.find(({ name }) => name === service.config.name) ?? service.config;
    const seen = [];
    for (const frame of frames) {
      const { stages, sighting } = await this.#runner.run(frame);
      seen.push({
        frame: stages.at(-1)!.frame,
        run: sighting?.inference ?? null,
        drawn: seen.length === 0 ? drawn : [],
      });
    }
    const causes = await solveSymptom({
      ...{ service, filter, dropsFirstLabel, frames: seen, symptom, ownLabels, ports },
      ...{ budgetMs: solvingMs, onProgress, signal },
    });
    return { causes, picture: causes.length > 0 ? await this.#projector.preview(seen[0]!.frame) : null };
  }

  async #findReadings(
    side: ReadingSide,
    { frame }: SourceFrame,
    vision: ProbedService,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundReadings> {
    const { seen, inference } = await this.#seenBy(frame, vision);
    const { dropsFirstLabel, pipelinePorts: ports } = this.#runner;
    const search = { vision, dropsFirstLabel, seen, inference, ports };
    const find = side === 'outputs' ? findOutputReadings : findInputReadings;
    const found = await find({ ...search, onProgress, signal });
    const picture = found.readings.length > 0 ? await this.#projector.preview(seen) : null;
    return { ...found, picture };
  }

  /** The source frame on the stage, encoded; the original bytes when it came as a file. */
  async currentFrame(): Promise<Blob | null> {
    return this.#source && (this.#source.original ?? this.#ports.pictures.encode(this.#source.frame));
  }

  /** The source frame of one of the last results; null when it is held no longer. */
  capture(frame: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame | null> {
    return this.#keeper.keep(frame, encoding);
  }

  /** A frame that is not run: its pixels are read at once. Takes the image over and closes it. @throws ImageDecodeError */
  async keepUnseen(image: VideoFrame | ImageBitmap, info: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame> {
    try {
      return this.#keeper.encode(await this.#keeper.read(image, info), encoding);
    } finally {
      image.close();
    }
  }

  async #runSource(
    source: SourceFrame,
    copySource: (() => Promise<ImageBitmap>) | null,
    place: 'stage' | 'aside' = 'stage',
  ): Promise<ShownFrame> {
    const running = this.#runFrame(source, copySource, place);
    this.#running.set(running, source.frame);
    try {
      const shown = await running;
      if (place === 'stage') this.#keeper.hold(source);
      return shown;
    } finally {
      this.#running.delete(running);
      this.#recycle(source.frame);
      if (!this.#isDeciding) void this.#decideBackends();
    }
  }

  async #decoderOf(image: SourceImage): Promise<Decoder> {
    const isExact = await this.#ports.pictures.readsExactly(image).catch(() => false); // the read beside it says why
    return isExact ? 'sightglass' : 'browser';
  }

  /** A frame that took longer to read than a later one leaves that in place. */
  #replaceSource(source: SourceFrame): void {
    const before = this.#source;
    if (before && before.frameId > source.frameId) return;
    this.#source = source;
    if (before) this.#recycle(before.frame);
  }

  /** The newest frame could not be read: what is asked of the stage from now on is not answered with the one before. */
  #forgetSource(): void {
    const before = this.#source;
    this.#source = null;
    if (before) this.#recycle(before.frame);
  }

  /** Once nothing runs it, and it will not run again. */
  #recycle(frame: Frame): void {
    if (this.#source?.frame === frame || this.#keeper.holds(frame) || [...this.#running.values()].includes(frame))
      return;
    this.#ports.pictures.recycle(frame);
  }

  async #runFrame(
    { frame, info, original, decodedBy, decodeMs }: SourceFrame,
    copySource: (() => Promise<ImageBitmap>) | null,
    place: 'stage' | 'aside',
  ): Promise<ShownFrame> {
    const [vision, run] = await Promise.all([this.#runner.tunedService(), this.#runner.run(frame)]);
    if (place === 'stage') this.#lastRun = { frame, vision, run };
    const { lastRunMs } = this.#ports.runtime;
    const { plan } = this.#runner;
    const showsSource = !plan.undistortPreview && shownFrame(run.stages, plan) === frame;
    const withThumbnails = plan.thumbnails && this.#thumbnailsAreDue(original !== null);
    const [stages, shown] = await Promise.all([
      Promise.all(run.stages.map((stage) => this.#describe(stage, frame, withThumbnails))),
      copySource && showsSource
        ? copySource().then((picture) => ({ picture, problems: [] }))
        : this.#projector.show(run.stages, plan),
    ]);
    const { sighting } = run;
    const problems = [...problemsOf(run), ...shown.problems];
    return {
      picture: shown.picture,
      result: {
        frame: info,
        stages,
        detections: sighting?.detections ?? null,
        classifications: sighting?.classifications ?? null,
        problems,
        timings: frameTimings(decodeMs, run, lastRunMs),
        decodedBy,
        ...this.#verdictsOf(vision, run, original !== null),
        grey: greyThumbnail(frame),
      },
    };
  }

  /** The first frame was seen: now there is time to try its models on the GPU. Frames go on meanwhile. */
  async #decideBackends(): Promise<void> {
    this.#isDeciding = true;
    for (const { modelId } of Object.values(this.#runner.plan.models)) {
      const decision = await this.#shelf.decide(modelId).catch(() => null); // it goes on where it is
      if (!decision) continue;
      await this.#runner.set(this.#runner.plan);
      const { model, retire } = decision;
      this.#ports.onNotice({ code: 'backend-decided', model: model.description });
      await Promise.allSettled(this.#running.keys());
      await retire().catch(() => undefined);
    }
    this.#isDeciding = false;
  }

  /** Four a second are enough for an eye on a live stream; a still always gets its own. */
  #thumbnailsAreDue(isStill: boolean): boolean {
    const nowMs = this.#ports.nowMs();
    if (!isStill && nowMs - this.#thumbnailsAtMs < thumbnailsEveryMs) return false;
    this.#thumbnailsAtMs = nowMs;
    return true;
  }

  /** As often as thumbnails: an eye follows no more. */
  #verdictsOf(vision: ProbedService | null, { sighting }: FrameRun, isStill: boolean) {
    const nowMs = this.#ports.nowMs();
    if (!vision || !sighting?.inference || (!isStill && nowMs - this.#verdictsAtMs < thumbnailsEveryMs)) return {};
    this.#verdictsAtMs = nowMs;
    return { verdicts: judgeRun(vision, sighting.inference, this.#runner.dropsFirstLabel) };
  }

  async #describe({ type, step, frame }: Stage, source: Frame, withThumbnail: boolean): Promise<StageInfo> {
    const { widthPx, heightPx } = frame;
    const uncut = step < 0 && frame !== source && { uncut: { widthPx: source.widthPx, heightPx: source.heightPx } };
    const thumbnail = withThumbnail ? await this.#projector.thumbnail(frame) : null;
    return { type, step, widthPx, heightPx, ...uncut, thumbnail };
  }
}

/** A frame's run may have waited for the one before it: what counts is how long it took itself. */
function frameTimings(decodeMs: number, { sighting }: FrameRun, lastRunMs: number): FrameTimings {
  const { transformMs = 0, preprocessMs = 0, inferenceMs = 0, postprocessMs = 0 } = sighting?.timings ?? {};
  const ranMs = Math.min(inferenceMs, lastRunMs);
  const totalMs = decodeMs + transformMs + preprocessMs + ranMs + postprocessMs;
  return { decodeMs, transformMs, preprocessMs, inferenceMs: ranMs, postprocessMs, totalMs };
}

function problemsOf({ failure }: FrameRun) {
  return failure ? [{ code: failure.code, message: failure.message, where: failure.where }] : [];
}
