import type { GpuFrame } from '../gpu-frame.ts';
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
   * reference's. Rejects with an InferenceError: the CPU may still do the same work.
   */
  run(frame: GpuFrame, input: InputSpec): Promise<FrameRunOnGpu>;
}

export interface FrameRunOnGpu {
  readonly results: Readonly<Record<string, Tensor>>;
  /** of the tensor that the model was given */
  readonly shape: readonly number[];
  /** until the GPU had its orders; it works on them while the model's are written */
  readonly packMs: number;
  /** the run itself, from its orders to its results, without the packing */
  readonly runMs: number;
}

export type InferenceErrorCode =
  | 'not-onnx' // the bytes are no ONNX model
  | 'not-tflite' // nor, where they begin as one, a TensorFlow Lite model
  | 'external-data-missing' // weights live in a file beside the model that was not given
  | 'unsupported-operator' // operator, domain or opset the runtime does not have
  | 'unsupported-tensor' // an input or output with which the machine's module does not start
  | 'unsupported-dtype' // an input type that the machine refuses (anything but uint8 and float32)
  | 'shape-mismatch'
  | 'unfilled-input' // an input of the model that the machine feeds nothing to, by name or by number
  | 'out-of-memory'
  | 'no-answer' // the live machine that runs the model does not answer, or refuses
  | 'model-changed' // the live machine has built the model anew since it was asked what it takes
  | 'device-lost' // the GPU went away; the session is dead, the model's bytes are not
  | 'runtime'; // anything else that the runtime says

export class InferenceError extends Error {
  override readonly name = 'InferenceError';
  readonly code: InferenceErrorCode;
  constructor(code: InferenceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
