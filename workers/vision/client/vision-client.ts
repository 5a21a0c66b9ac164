import type {
  BackendChoice,
  BenchPlan,
  FrameEncoding,
  FrameResult,
  KeptFrame,
  LoadProgress,
  ModelDescription,
  Notice,
  PlanReport,
  StreamStats,
} from '../protocol.ts';
import type { Capabilities } from '../../../src/ports/inference-runtime.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { ModelSource } from '../../../src/ports/model-source.ts';
import type { StoredModel } from '../../../src/ports/model-store.ts';

/** The page's view of the vision worker. The page never touches pixels: it hands frames over and gets columns back. */
export interface VisionClient {
  capabilities(): Promise<Capabilities>;
  /** Shows every picture that the worker draws on this canvas, in the same task as its result (its size = the picture's). */
  attachStage(canvas: HTMLCanvasElement): void;

  loadModel(source: ModelSource, options: LoadOptions): Promise<ModelDescription>;
  /** Frees the session and its memory; the stored bytes stay. */
  unloadModel(modelId: string): Promise<void>;
  storedModels(): Promise<readonly StoredModel[]>;
  /** Removes the stored bytes. */
  forgetModel(sha256: string): Promise<void>;

  /** Sets what runs on every frame and probes the tuned service. Does not run the current frame again: call rerun. */
  setPlan(plan: BenchPlan): Promise<PlanReport>;
  /**
   * Shows and runs one frame. Takes the frame over (transfers and closes it). Resolves to null when a newer frame
   * overtook it: the newest always wins, nothing queues.
   */
  run(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<FrameResult | null>;
  /** Runs the last frame again, under the current plan; null when there is none or a newer one overtook it. */
  rerun(): Promise<FrameResult | null>;
  /**
   * Runs a picture under the current plan beside the bench: the stage keeps its frame, and onResult hears nothing.
   * Its result has no thumbnails.
   */
  runAside(image: Blob, info: FrameInfo): Promise<FrameResult>;
  /** Follows a live stream (takes the stream over); resolves at stop() or at its end. Results arrive at onResult. */
  follow(frames: ReadableStream<VideoFrame>, info: Omit<FrameInfo, 'index' | 'timestampMs'>): Promise<void>;
  stop(): Promise<void>;
  /** The source frame on the stage, encoded; the original bytes when it came as a file. */
  currentFrame(): Promise<Blob | null>;
  /**
   * The very source frame that gave a result, to be kept: a file's own bytes, a live frame encoded in the worker (default:
   * JPEG of quality 0.92). Ask in the task that hears of the result, or while it is the one on the stage: older frames are
   * gone, and null comes back.
   */
  capture(frame: FrameInfo, encoding?: FrameEncoding): Promise<KeptFrame | null>;
  /**
   * From now on keeps every live frame, in order, also those that the model has no time for; no frame that was taken is
   * dropped. Returns what ends it, which resolves when the last one was handed on.
   */
  startBurst(
    onFrame: (kept: KeptFrame) => void,
    onFailure: (error: unknown) => void,
    encoding?: FrameEncoding,
  ): () => Promise<void>;

  /** Each returns the function that ends it. Results of run() and rerun() are also announced here. */
  onResult(listener: (result: FrameResult) => void): () => void;
  onStats(listener: (stats: StreamStats) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** A model loaded with "auto" has run on both backends: its description changed. */
  onBackendDecided(listener: (model: ModelDescription) => void): () => void;

  dispose(): void;
}

export interface LoadOptions {
  readonly backend: BackendChoice;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal;
}
