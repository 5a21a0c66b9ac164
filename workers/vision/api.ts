import type { ProxyMarked } from 'comlink';
import type {
  BackendChoice,
  BackendDecided,
  BenchPlan,
  FrameEncoding,
  FrameResult,
  KeptFrame,
  LoadProgress,
  ModelDescription,
  Notice,
  PlanReport,
} from './protocol.ts';
import type { Capabilities } from '../../src/ports/inference-runtime.ts';
import type { FrameInfo } from '../../src/vision/frame-info.ts';
import type { ModelSource } from '../../src/ports/model-source.ts';
import type { StoredModel } from '../../src/ports/model-store.ts';

/** A frame's result with the picture for the stage; their bitmaps are transferred, the receiver closes them. */
export interface ShownFrame {
  readonly result: FrameResult;
  readonly picture: ImageBitmap;
}

/** The vision worker as the page calls it, one frame at a time. */
export interface VisionWorkerApi {
  /** Comes first. `documentBase` is where the app's own files lie. */
  start(documentBase: string, onNotice: ((notice: Notice | BackendDecided) => void) & ProxyMarked): Promise<void>;
  capabilities(): Promise<Capabilities>;
  loadModel(
    source: ModelSource,
    backend: BackendChoice,
    onProgress: ((progress: LoadProgress) => void) & ProxyMarked,
    signal: AbortSignal,
  ): Promise<ModelDescription>;
  unloadModel(modelId: string): Promise<void>;
  storedModels(): Promise<readonly StoredModel[]>;
  forgetModel(sha256: string): Promise<void>;
  setPlan(plan: BenchPlan): Promise<PlanReport>;
  /** Takes the frame over and closes it. */
  run(frame: Blob | VideoFrame | ImageBitmap, info: FrameInfo): Promise<ShownFrame>;
  /** null when no frame was run yet */
  rerun(): Promise<ShownFrame | null>;
  runAside(image: Blob, info: FrameInfo): Promise<FrameResult>;
  currentFrame(): Promise<Blob | null>;
  /** The source frame of one of the last results; null when it is held no longer. */
  capture(frame: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame | null>;
  /** A frame that nothing looks at. Takes it over and closes it. */
  keepUnseen(frame: VideoFrame | ImageBitmap, info: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame>;
}
