import type { EightBitFrame } from '../frame.ts';
import type { GpuWork } from '../gpu-frame.ts';
import type { GpuLook, Picture } from '../looks.ts';
import type { InputSpec } from '../preprocess/input-spec.ts';
import type { Tensor, TensorInfo } from '../tensor.ts';

/**
 * The port to whatever executes a model (ONNX Runtime in the browser's worker and in Node, a fake in tests).
 * Inputs and outputs are listed in the model's own order: the machine guesses tensor roles in it.
 */
export interface InferenceSession {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** Runs the model once. Feeds and results are keyed by the model's own tensor names. Rejects with an InferenceError. */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  /** Frees the session's memory; calling it twice is harmless. */
  release(): Promise<void>;
  /** of a session on a GPU; without it, or null, it takes tensors only */
  readonly gpu?: FrameIntake | null;
}

/** How a session on a GPU takes frames: they are packed there, and neither their pixels nor the tensor come back. */
export interface FrameIntake {
  /** '' = it takes them; else why it takes tensors only, in words that follow "because" */
  readonly refusal: string;
  /**
   * The frame's steps, stretch, pack and one run of the model, which has the one input that `input` names. The tensor equals the
   * reference's. Meanwhile the frame is looked at. Rejects with an InferenceError: the CPU may still do the same work.
   */
  run(frame: GpuWork, input: InputSpec, looks?: readonly GpuLook[]): Promise<FrameRunOnGpu>;
  /** What the GPU makes of a frame, brought back to be compared with the reference's. Rejects with an InferenceError. */
  inspect(frame: GpuWork, input: InputSpec): Promise<InspectedFrame>;
}

export interface InspectedFrame {
  /** after the steps */
  readonly pixels: EightBitFrame;
  /** what the model is given */
  readonly tensor: Tensor;
}

/** How long the GPU was at parts of a frame's way, by its own clock. */
export interface TimesOnGpu {
  readonly stepsMs: number;
  /** a camera's colours, stretch and pack */
  readonly packMs: number;
}

export interface FrameRunOnGpu {
  readonly results: Readonly<Record<string, Tensor>>;
  /** of the tensor that the model was given */
  readonly shape: readonly number[];
  /** of the very pixels that the model was given: one a look, or [] where the GPU draws none; the receiver closes them */
  readonly pictures: readonly Picture[];
  /** until the GPU had its orders; it works on them while the model's are written */
  readonly packMs: number;
  /** the run itself, from its orders to its results, without the packing */
  readonly runMs: number;
  /** of `runMs`; of a frame lately that went the same way. Absent where the GPU does not tell, or has not yet. */
  readonly onGpu?: TimesOnGpu;
  /** '' = the model's orders to the GPU are recorded, and repeated; else why they are written anew, in words that follow "because" */
  readonly notCaptured: string;
}
