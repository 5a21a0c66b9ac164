import { transfer } from 'comlink';
import type { AnyModelSource } from '../../../src/platform/ports/model-source.ts';
import type { SourceImage } from '../../../src/platform/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/machine/vision/face/frames.ts';
import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';
import type {
  BackendChoice,
  BenchPlan,
  DrawnResults,
  FrameEncoding,
  FrameResult,
  KeptFrame,
  LoadProgress,
  ModelDescription,
  Notice,
  StreamStats,
} from '../protocol.ts';
import { Burst } from './burst.ts';
import { FrameSchedule } from './frame-schedule.ts';
import { Listeners } from './listeners.ts';
import { LiveStream } from './live-stream.ts';
import { RestartedWorker } from './restarted-worker.ts';
import { Setup, type LostModel } from './setup.ts';
import { StageCanvas } from './stage-canvas.ts';
import { wallClockMs } from './wall-clock.ts';

/**
 * The page's view of the vision worker. The page never reads pixels: it submits frames and receives columns of
 * results.
 */
export type VisionClient = ReturnType<typeof createVisionClient>;

export interface LoadOptions {
  readonly backend: BackendChoice;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal;
}

/** Looks identical to most people, at a third of the bytes of quality 1. */
const usualEncoding: FrameEncoding = { mediaType: 'image/jpeg', quality: 0.92 };

/** More than that is worth to compile the runtime and the models in use once more, a second or some: a phone gives a page some 300 MB. */
const mostKeptBytes = 50e6;

/** A client over a worker that it starts with the first call, and starts again when it dies. */
export function createVisionClient(startWorker: () => Worker, documentBase = document.baseURI) {
  const results = new Listeners<FrameResult>();
  const stats = new Listeners<StreamStats>();
  const notices = new Listeners<Notice>();
  const decided = new Listeners<ModelDescription>();
  const lost = new Listeners<LostModel>();
  const stalls = new Listeners<boolean>();
  const failures = new Listeners<unknown>();
  const setup = new Setup();
  const worker = new RestartedWorker({
    startWorker,
    documentBase,
    setup,
    onNotice: (notice) => (notice.code === 'backend-decided' ? decided.tell(notice.model) : notices.tell(notice)),
    onGone: () => {
      keptBytes = 0;
      schedule.forgetWorker();
    },
    onRestored: (showsStill) => {
      if (showsStill) schedule.restoreStill();
    },
    onModelLost: (model) => lost.tell(model),
  });
  const { api } = worker;
  const schedule = new FrameSchedule(api, {
    onResult: (result) => results.tell(result),
    onStall: (isStalled) => stalls.tell(isStalled),
    onFailure: (error) => failures.tell(error),
  });
  /** bytes that the running worker keeps of models that did not open */
  let keptBytes = 0;
  /** set while every frame is kept */
  let burst: Burst | null = null;
  const stream = new LiveStream({
    show: (frame, info) => schedule.show(frame, info),
    room: () => burst?.room(),
    onFrame: (frame, info) => void burst?.take(frame, info),
    onStats: (measured) => stats.tell(measured),
    onFailure: (error) => failures.tell(error),
    onEnd: (name) => notices.tell({ code: 'stream-ended', message: `${name} ended.` }),
  });

  async function stop(): Promise<void> {
    schedule.dropWaiting();
    await stream.stop();
  }

  const keepUnseen = (frame: SourceImage, info: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame> =>
    api.keepUnseen(frame instanceof Blob ? frame : transfer(frame, [frame]), info, encoding);

  return {
    /** Starts the worker ahead of the first call: its runtime takes longest to load. */
    start: () => worker.start(),
    capabilities: api.capabilities,
    storedModels: api.storedModels,
    modelFile: api.modelFile,
    forgetModel: api.forgetModel,
    forgetDecision: api.forgetDecision,
    findInterpretations: api.findInterpretations,
    tryDecoding: api.tryDecoding,
    tryFeedings: api.tryFeedings,
    findCauses: api.findCauses,
    modelFeeds: api.modelFeeds,
    compareCamera: api.compareCamera,
    presentService: api.presentService,
    answersOf: api.answersOf,
    modelRunOf: api.modelRunOf,
    lookAtColors: api.lookAtColors,
    separateBlobs: api.separateBlobs,
    checkParity: api.checkParity,
    currentFrame: api.currentFrame,

    /**
     * Shows every picture that the worker draws on this canvas, in the same task as its result. The canvas gets the
     * picture's size.
     */
    attachStage(canvas: HTMLCanvasElement): void {
      schedule.stage.canvas = new StageCanvas(canvas);
    },
    /**
     * Sets the size in screen px that pictures have to fill: none is drawn larger, unless `within` is null. If the
     * current picture is smaller, it is drawn again. A picture that rests is reduced to `restsWithin`, unless that
     * is null, and is shown in full again in the task that asks for more.
     */
    fillStage(within: PictureSize | null, restsWithin: PictureSize | null = null): void {
      schedule.stage.within = within;
      schedule.stage.restsWithin = restsWithin;
    },

    /** The picture that the stage shows now, without boxes; in full where it can still be had, unless `asShown`. The receiver closes it. */
    copyStage: (asShown?: boolean): Promise<ImageBitmap | null> => schedule.stage.copy(asShown),

    async loadModel(
      source: AnyModelSource,
      { backend, onProgress = () => undefined, signal = new AbortController().signal }: LoadOptions,
    ): Promise<ModelDescription> {
      const description = await api.loadModel(source, backend, onProgress, signal).catch((error: unknown) => {
        keptBytes += (error as { readonly keptBytes?: number }).keptBytes ?? 0;
        if (keptBytes >= mostKeptBytes) worker.interrupt('Models that did not open took its memory.', true);
        throw error;
      });
      setup.addModel(description, source, backend);
      return description;
    },
    unloadModel(modelId: string): Promise<void> {
      setup.removeModel(modelId);
      return api.unloadModel(modelId);
    },
    setPlan(plan: BenchPlan) {
      setup.plan = plan;
      return api.setPlan(plan);
    },

    /** Runs a picture or a frame without showing it; a frame is transferred and closed. */
    runAside: (image: SourceImage, info: FrameInfo, cameraName?: string | null) =>
      api.runAside(image instanceof Blob ? image : transfer(image, [image]), info, cameraName),
    /**
     * Draws results into the picture of an image that a service sees behind a camera, as the machine draws them; null: without one.
     * A frame is transferred and closed. Rejects with `box-outside-frame` where the machine would give no frame.
     */
    drawAside: (image: SourceImage, results: DrawnResults, cameraName: string | null): Promise<ImageBitmap> =>
      api.drawAside(image instanceof Blob ? image : transfer(image, [image]), results, cameraName),

    /** Another source follows: no result of an earlier frame is announced or shown any more. */
    changeSource: () => schedule.changeSource(),
    /**
     * Shows and runs one frame; transfers and closes it. Resolves to null if a newer frame replaced it: there is no
     * queue.
     */
    async run(frame: SourceImage, givenInfo: FrameInfo): Promise<FrameResult | null> {
      const info = { takenAtMs: wallClockMs(), ...givenInfo };
      if (burst) await burst.take(frame, info);
      return schedule.show(frame, info);
    },
    /** Runs the last frame again under the current plan; null if there is none or a newer one replaced it. */
    rerun: () => schedule.showAgain(),
    /**
     * Reads a live stream and takes ownership of it; resolves at stop() or at its end. Results arrive at onResult.
     */
    async follow(frames: ReadableStream<VideoFrame>, source: Omit<FrameInfo, 'index' | 'timestampMs'>): Promise<void> {
      await stop();
      await stream.follow(frames, source);
    },
    stop,
    /**
     * Interrupts a model that does not return: the workers restart with the same models and plan. The frame is not
     * run again automatically; its run() resolves to null.
     */
    endRun: () => worker.interrupt('The model was stopped.', false),

    /**
     * The exact source frame of a result, to be kept: a file's own bytes, or a live frame that the worker encodes
     * (default: JPEG of quality 0.92). Call it in the task that receives the result, or while the result is on the
     * stage: older frames are gone, and it resolves to null.
     */
    capture: (frame: FrameInfo, encoding: FrameEncoding = usualEncoding) => api.capture(frame, encoding),
    /** Encodes a frame that is not on the stage, to be kept: transfers and closes it; a file keeps its own bytes. */
    keepUnseen: (frame: SourceImage, info: FrameInfo): Promise<KeptFrame> => keepUnseen(frame, info, usualEncoding),
    /**
     * Keeps every live frame from now on, in order, also those that the model has no time for; no frame that was
     * taken is dropped. Returns the function that ends it, which resolves when the last frame was handed on.
     */
    startBurst(
      onFrame: (kept: KeptFrame) => void,
      onFailure: (error: unknown) => void,
      encoding: FrameEncoding = usualEncoding,
    ): () => Promise<void> {
      const started = new Burst((frame, info) => keepUnseen(frame, info, encoding), onFrame, onFailure);
      burst = started;
      return () => {
        if (burst === started) burst = null;
        return started.done();
      };
    },

    /**
     * Each of these returns the function that removes the listener. Results of run() and rerun() are announced here
     * too.
     */
    onResult: (listener: (result: FrameResult) => void) => results.add(listener),
    onStats: (listener: (stats: StreamStats) => void) => stats.add(listener),
    onNotice: (listener: (notice: Notice) => void) => notices.add(listener),
    /** "auto" measured a model on both backends: its description changed. */
    onBackendDecided: (listener: (model: ModelDescription) => void) => decided.add(listener),
    /**
     * A frame whose promise nobody holds gave no result: one of a stream, or a still that was shown again after a
     * restart.
     */
    onFailure: (listener: (error: unknown) => void) => failures.add(listener),
    /** A model could not be restored after a restart. */
    onModelLost: (listener: (model: LostModel) => void) => lost.add(listener),
    /** true: a frame has been pending for 3 s and no result came; false: that is over. */
    onStall: (listener: (isStalled: boolean) => void) => stalls.add(listener),

    dispose(): void {
      void stop();
      worker.close();
    },
  };
}
