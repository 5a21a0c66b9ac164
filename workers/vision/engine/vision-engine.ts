import type {
  BackendChoice,
  BackendDecided,
  BenchPlan,
  CameraComparison,
  DrawnResults,
  FrameEncoding,
  FrameResult,
  GpuParity,
  KeptFrame,
  LoadProgress,
  ModelDescription,
  Notice,
  PictureOrder,
  PlanReport,
  ShownFrame,
  StageInfo,
} from '../protocol.ts';
import type { BackendDecisions } from '../../../src/platform/ports/backend-decisions.ts';
import type { Capabilities } from '../../../src/platform/ports/inference-runtime.ts';
import type { FrameInfo } from '../../../src/machine/vision/face/frames.ts';
import type { AnyModelSource, ModelSource } from '../../../src/platform/ports/model-source.ts';
import type { StoredModel, ModelStore } from '../../../src/platform/ports/model-store.ts';
import { closePictures, type DrawnPictures, pixelsOf } from '../../../src/machine/vision/face/runs.ts';
import type { TextFace } from '../../../src/machine/vision/face/traces.ts';
import type { StretchKernel } from '../../../src/machine/vision/face/feeding.ts';
import type { Stage } from '../../../src/machine/vision/face/results.ts';
import { compareCamera } from './compare-camera.ts';
import { drawAside } from './draw-aside.ts';
import { FrameKeeper } from './frame-keeper.ts';
import { besideResult, detailsOf, FrameReport, pictureStage, type RanFrame } from './frame-report.ts';
import { GpuWatch } from './gpu-watch.ts';
import { LoadedModels } from './loaded-models.ts';
import { PlanRunner } from './plan-runner.ts';
import type { PictureIo, SourceImage } from '../../../src/platform/ports/picture-io.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import { allDrawn, projected, Projector, shownFrame } from './projector.ts';
import { StageFrames, type Decoder, type SourceFrame } from './stage-frames.ts';
import { StageSearch } from './stage-search.ts';
import { testCard } from './warm-up.ts';

export interface VisionEnginePorts {
  readonly runtime: ThreadedRuntime;
  readonly store: ModelStore;
  readonly decisions: BackendDecisions;
  /** versions of all that computes */
  readonly runtimeVersion: string;
  readonly pictures: PictureIo;
  readonly kernel: StretchKernel;
  readonly font: TextFace;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly nowMs: () => number;
  readonly documentBase: string;
  readonly onNotice: (notice: Notice | BackendDecided) => void;
}

/** The engine of the vision worker: loaded models, one plan in force, one frame at a time. */
export class VisionEngine {
  readonly #ports: VisionEnginePorts;
  readonly #models: LoadedModels;
  readonly #runner: PlanRunner;
  readonly #projector: Projector;
  readonly #keeper: FrameKeeper;
  readonly #frames: StageFrames;
  /** tries alternatives on the frame of the stage, beside running it */
  readonly search: StageSearch;
  #isDeciding = false;
  readonly #gpuWatch = new GpuWatch();
  readonly #report: FrameReport;

  constructor(ports: VisionEnginePorts) {
    const { kernel, nowMs, font, runtime } = ports;
    this.#ports = ports;
    this.#models = new LoadedModels({
      ...ports,
      trialFrame: () => pixelsOf(this.#frames.source?.frame ?? testCard()),
      whenUnused: async () => {
        await this.#runner.set(this.#runner.plan);
        await this.#frames.settled();
      },
      onGpuLeft: (fileName, reason) =>
        ports.onNotice({
          code: 'gpu-lost',
          message: `${fileName} goes on on the CPU: the GPU failed at it. ${reason}`,
        }),
      onDescribed: (model) => ports.onNotice({ code: 'backend-decided', model }),
    });
    this.#runner = new PlanRunner({ modelOf: (modelId) => this.#models.get(modelId), font, kernel, nowMs });
    this.#projector = new Projector(ports.pictures);
    this.#report = new FrameReport(this.#models, nowMs);
    this.#keeper = new FrameKeeper({ ...ports, onRelease: (frame) => this.#frames.recycle(frame) });
    this.#frames = new StageFrames(ports.pictures, this.#keeper);
    this.search = new StageSearch({
      runtime,
      runner: this.#runner,
      projector: this.#projector,
      frames: this.#frames,
      pictures: ports.pictures,
    });
    runtime.onGpuLost(() => {
      if (this.#models.gpuLost() === 0) return;
      ports.onNotice({ code: 'gpu-lost', message: 'The GPU went away. Its models go on running on the CPU.' });
    });
  }

  capabilities(): Promise<Capabilities> {
    return this.#ports.runtime.capabilities();
  }

  async loadModel(
    source: AnyModelSource,
    backend: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<ModelDescription> {
    const { description } = await this.#models.load(source, backend, onProgress, signal);
    const { stored, storedReason } = description;
    if (!stored && storedReason !== '' && source.kind !== 'builtin')
      this.#ports.onNotice({ code: 'storage-full', message: storedReason });
    await this.#runner.set(this.#runner.plan);
    return description;
  }

  /** Frees the session and its memory; the stored bytes stay. */
  unloadModel(modelId: string): Promise<void> {
    return this.#models.unload(modelId);
  }

  /** []: the browser gives no storage. */
  storedModels(): Promise<readonly StoredModel[]> {
    return this.#ports.store.list().catch(() => []);
  }

  /** @throws ModelSourceError where it is neither kept nor readable any more */
  async modelFile(source: ModelSource, modelId: string): Promise<Blob> {
    return new Blob([(await this.#models.readAgain(source, modelId)).bytes]);
  }

  /** Makes "auto" measure a model again when it is loaded next. */
  forgetDecision(modelId: string): Promise<void> {
    return this.#models.forgetDecision(modelId);
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
  async run(image: SourceImage, info: FrameInfo, frameId: number, order: PictureOrder): Promise<ShownFrame> {
    const { pictures, nowMs } = this.#ports;
    const startMs = nowMs();
    let copied: Promise<ImageBitmap> | null = null;
    this.#frames.announce(frameId);
    try {
      const [frame, decodedBy] = await Promise.all([pictures.read(image), this.#decoderOf(image)]);
      const original = image instanceof Blob ? image : null;
      const decodeMs = nowMs() - startMs;
      const whyColours = image instanceof Blob ? {} : { whyColours: pictures.whyColours(image) };
      const source = { frameId, frame, info, original, decodedBy, ...whyColours, decodeMs };
      this.#frames.replace(source);
      // A still may be transparent: it is drawn over black.
      if (image instanceof Blob || this.#giveBack(image)) return await this.#runSource(source, null, order);
      return await this.#runSource(source, () => (copied = pictures.copy(image)), order);
    } catch (error) {
      this.#frames.giveUp(frameId);
      throw error;
    } finally {
      if (!(image instanceof Blob)) void Promise.allSettled([Promise.resolve(copied)]).then(() => image.close());
    }
  }

  /** A camera lends few frames at a time: a frame whose pixels were all read is returned before it is run. */
  #giveBack(image: VideoFrame | ImageBitmap): boolean {
    const isAllRead = this.#ports.pictures.isAllRead(image);
    if (isAllRead) image.close();
    return isAllRead;
  }

  /** Runs a frame again under the current plan; null: it is not the last one that could be read. */
  async rerun(frameId: number, order: PictureOrder): Promise<ShownFrame | null> {
    const { source } = this.#frames;
    this.#report.wantThumbnails(); // draw thumbnails at once: this frame may stay on the stage
    return source?.frameId === frameId ? this.#runSource({ ...source, decodeMs: 0 }, null, order) : null;
  }

  /** Draws the picture of a run again at another size; null: it is not the last run. The receiver closes it. */
  async redraw({ runId, within }: PictureOrder): Promise<ImageBitmap | null> {
    const { lastRun } = this.search;
    if (lastRun?.runId !== runId) return null;
    const { frame, run, plan } = lastRun;
    return (await this.#frames.whileHeld(frame, this.#projector.show(run.stages, plan, within))).picture;
  }

  /**
   * Runs a picture, or a frame that it takes over and closes, under the current plan without changing the stage. Nothing is drawn: its
   * result has no thumbnails.
   * `cameraName`: another camera than the plan's, which has none while a live machine gives frames that have been
   * through its steps.
   * @throws ImageDecodeError
   */
  async runAside(image: SourceImage, info: FrameInfo, cameraName?: string | null): Promise<FrameResult> {
    const startMs = this.#ports.nowMs();
    const isFile = image instanceof Blob;
    try {
      const [frame, decodedBy] = await Promise.all([this.#ports.pictures.read(image), this.#decoderOf(image)]);
      if (!isFile) this.#giveBack(image);
      const decodeMs = this.#ports.nowMs() - startMs;
      const source = { frameId: 0, frame, info, original: isFile ? image : null, decodedBy, decodeMs };
      return await this.#whileHeld(source, this.#runUndrawn(source, cameraName));
    } finally {
      if (!isFile) image.close();
    }
  }

  /**
   * Compares what a transform camera makes of a source frame with what the machine's camera made of it.
   * @throws ImageDecodeError, MachineError
   */
  compareCamera(source: Blob, theirs: Blob, cameraName: string, after: Blob | null): Promise<CameraComparison> {
    return compareCamera(source, theirs, cameraName, after, { pictures: this.#ports.pictures, runner: this.#runner });
  }

  /** Draws results into the picture of an image that a service sees, as the machine draws them; see `drawAside`. */
  drawAside(image: SourceImage, results: DrawnResults, cameraName: string | null): Promise<ImageBitmap> {
    return drawAside(image, results, cameraName, { pictures: this.#ports.pictures, runner: this.#runner });
  }

  /**
   * Runs the frame of the stage on the GPU and on the CPU alone. null: nothing of it runs on the GPU.
   * @throws InferenceError, RangeError
   */
  checkParity(): Promise<GpuParity | null> {
    const { visionName, models } = this.#runner.plan;
    const modelId = models[visionName ?? '']?.modelId ?? '';
    return this.search.checkParity(() => this.#models.openOnCpu(modelId));
  }

  /** The source frame on the stage, encoded; the original bytes when it came as a file. */
  async currentFrame(): Promise<Blob | null> {
    const { source } = this.#frames;
    return source && (source.original ?? this.#ports.pictures.encode(source.frame));
  }

  /** The source frame of one of the last results; null: it is not held any more. */
  capture(frame: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame | null> {
    return this.#keeper.keep(frame, encoding);
  }

  /**
   * Keeps a frame without running it: its pixels are read at once. Takes ownership of the image and closes it.
   * @throws ImageDecodeError
   */
  async keepUnseen(image: SourceImage, info: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame> {
    try {
      return this.#keeper.encode(await this.#keeper.read(image, info), encoding);
    } finally {
      if (!(image instanceof Blob)) image.close();
    }
  }

  /** `order` is null for a frame that does not go to the stage. */
  async #runSource(
    source: SourceFrame,
    copySource: (() => Promise<ImageBitmap>) | null,
    order: PictureOrder | null,
  ): Promise<ShownFrame> {
    const running = this.#runFrame(source, copySource, order).then((shown) => {
      if (order) this.#keeper.hold(source);
      return shown;
    });
    return this.#whileHeld(source, running);
  }

  /** Holds a frame while it runs; after the first one there is time to decide where models run. */
  async #whileHeld<T>({ frame }: SourceFrame, running: Promise<T>): Promise<T> {
    try {
      return await this.#frames.whileHeld(frame, running);
    } finally {
      if (!this.#isDeciding) void this.#decideBackends();
    }
  }

  async #decoderOf(image: SourceImage): Promise<Decoder> {
    const isExact = await this.#ports.pictures.readsExactly(image).catch(() => false); // the read beside it says why
    return isExact ? 'sightglass' : 'browser';
  }

  /** Runs a frame, and takes at once what the next run overwrites. */
  async #run(
    frame: SourceFrame['frame'],
    looks?: ReturnType<Projector['looks']>,
    cameraName?: string | null,
  ): Promise<RanFrame> {
    const [vision, run] = await Promise.all([this.#runner.tunedService(), this.#runner.run(frame, looks, cameraName)]);
    const { lastRunMs, lastTraffic } = this.#ports.runtime;
    return { vision, run, plan: this.#runner.plan, lastRunMs, lastTraffic };
  }

  async #runUndrawn(source: SourceFrame, cameraName?: string | null): Promise<FrameResult> {
    const { frame } = source;
    const ran = await this.#run(frame, undefined, cameraName);
    const stages = await Promise.all(ran.run.stages.map((stage) => this.#describe(stage, frame, false, undefined)));
    return this.#report.resultOf(source, ran, { stages, pictureMs: 0, problems: [] }, this.#runner.dropsFirstLabel);
  }

  async #runFrame(
    source: SourceFrame,
    copySource: (() => Promise<ImageBitmap>) | null,
    order: PictureOrder | null,
  ): Promise<ShownFrame> {
    const { frame, original } = source;
    const withThumbnails = this.#runner.plan.thumbnails && this.#report.takeThumbnails(original !== null);
    const { runId = 0, within = null } = order ?? {};
    const ran = await this.#run(frame, this.#projector.looks(this.#runner.plan, within, withThumbnails));
    const { vision, run, plan } = ran;
    if (runId > (this.search.lastRun?.runId ?? 0)) this.search.lastRun = { runId, plan, frame, vision, run };
    const drawn = run.result?.inference?.pictures;
    const beside = await this.#runBeside(frame);
    const isCopied = !plan.undistortPreview && !drawn?.size && shownFrame(run.stages, plan) === frame;
    const ranAtMs = this.#ports.nowMs();
    const [stages, shown] = await allDrawn(
      run.stages.map((stage) => this.#describe(stage, frame, withThumbnails, drawn)),
      copySource && isCopied ? projected(frame, copySource()) : this.#projector.show(run.stages, plan, within, drawn),
    ).finally(() => closePictures(drawn));
    const pictureMs = this.#ports.nowMs() - ranAtMs;
    const { picture, isReduced, problems } = shown;
    const drawnNow = { stages, pictureMs, problems };
    return {
      picture,
      isReduced,
      result: {
        ...this.#report.resultOf(source, ran, drawnNow, this.#runner.dropsFirstLabel),
        ...detailsOf(ran),
        ...beside,
      },
    };
  }

  /** Runs the service beside the tuned one on the very same frame, so that the boxes of both belong to one picture. */
  async #runBeside(frame: SourceFrame['frame']): Promise<Pick<FrameResult, 'beside' | 'besideMs'>> {
    const startMs = this.#ports.nowMs();
    const ran = await this.#runner.runBeside(frame);
    return ran ? { beside: besideResult(ran, frame), besideMs: this.#ports.nowMs() - startMs } : {};
  }

  /** After the first frame there is time to try its models on the GPU; frames run meanwhile. */
  async #decideBackends(): Promise<void> {
    this.#isDeciding = true;
    for (const { modelId } of Object.values(this.#runner.plan.models)) {
      const decision = await this.#models.decide(modelId).catch(() => null); // it goes on where it is
      if (!decision) continue;
      await this.#runner.set(this.#runner.plan);
      const { model, retire } = decision;
      this.#ports.onNotice({ code: 'backend-decided', model: model.description });
      await this.#frames.settled();
      await retire().catch(() => undefined);
    }
    await this.#watchGpu().catch(() => undefined); // a CPU that cannot run the model says nothing of the GPU
    this.#isDeciding = false;
  }

  /** Compares a frame of the GPU with the CPU from time to time: a model that it computes wrongly goes on there. */
  async #watchGpu(): Promise<void> {
    const { visionName, models } = this.#runner.plan;
    const { modelId = '' } = models[visionName ?? ''] ?? {};
    const model = this.#models.get(modelId);
    const { source } = this.#frames;
    if (!source || model?.description.backend !== 'webgpu') return;
    const seen = this.search.lastRun?.run.stages.at(-1)?.frame ?? source.frame;
    if (!this.#gpuWatch.isDue(model.loadNumber, source.frame, seen)) return;
    const fault = await this.search.gpuFault(() => this.#models.openOnCpu(modelId));
    if (fault === null) return;
    const { widthPx, heightPx } = seen;
    await this.#models.judge(model, { fault, frameName: source.info.name, widthPx, heightPx });
  }

  async #describe(
    stage: Stage,
    source: SourceFrame['frame'],
    withThumbnail: boolean,
    drawn: DrawnPictures | undefined,
  ): Promise<StageInfo> {
    const thumbnail = withThumbnail ? await this.#projector.thumbnail(stage.frame, drawn) : null;
    return { ...pictureStage(stage, source), thumbnail };
  }
}
