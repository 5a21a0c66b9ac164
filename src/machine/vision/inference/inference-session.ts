import type { EightBitFrame } from '../frame/frame.ts';
import type { GpuWork } from '../gpu/gpu-frame.ts';
import type { GpuLook, Picture } from '../gpu/looks.ts';
import type { InputSpec } from '../preprocess/input-spec.ts';
import type { Tensor, TensorInfo } from '../tensor/tensor.ts';

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
  /** null or absent: the session takes tensors only, no frames */
  readonly gpu?: FrameIntake | null;
}

/**
 * The part of a GPU session that takes frames: they are stretched and packed on the GPU, and neither their pixels
 * nor the tensor come back.
 */
export interface FrameIntake {
  /** '': the session takes frames; otherwise why it takes tensors only, in words that follow "because" */
  readonly refusal: string;
  /**
   * Applies the frame's steps, stretches and packs it, and runs the model once; `input` names the model's only
   * input. The tensor equals the reference's. `looks` are drawn during the run. Rejects with an InferenceError: the
   * CPU may still be able to do the same work.
   */
  run(frame: GpuWork, input: InputSpec, looks?: readonly GpuLook[]): Promise<FrameRunOnGpu>;
  /**
   * Reads back the pixels and the tensor that the GPU computes for a frame, to compare them with the reference's.
   * Rejects with an InferenceError.
   */
  inspect(frame: GpuWork, input: InputSpec): Promise<InspectedFrame>;
}

export interface InspectedFrame {
  /** after the steps */
  readonly pixels: EightBitFrame;
  /** the model's input */
  readonly tensor: Tensor;
}

/** How long the GPU took for each part of a frame's path, by its own clock. */
export interface TimesOnGpu {
  readonly stepsMs: number;
  /** colour conversion of camera planes, stretch and pack */
  readonly packMs: number;
}

export interface FrameRunOnGpu {
  readonly results: Readonly<Record<string, Tensor>>;
  /** shape of the model's input tensor */
  readonly shape: readonly number[];
  /**
   * one picture for each look, made from the pixels that the model was given; [] where the GPU draws none. The
   * receiver closes them
   */
  readonly pictures: readonly Picture[];
  /**
   * until the commands for packing were submitted; the GPU executes them while the commands of the model are
   * recorded
   */
  readonly packMs: number;
  /** the run of the model, from submitting its commands to its results, without packing */
  readonly runMs: number;
  /**
   * the GPU's part of `runMs`, measured on a recent frame with the same path. Absent if the GPU has no timer, or
   * none was read yet
   */
  readonly onGpu?: TimesOnGpu;
  /**
   * '': the model's GPU commands are captured once and replayed; otherwise why they are recorded anew, in words
   * that follow "because"
   */
  readonly notCaptured: string;
}
