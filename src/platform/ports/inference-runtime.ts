import type { InferenceSession } from '../../machine/vision/face/inference.ts';

// Port of the inference worker to what runs models. Implemented in platform/browser, handed over by workers/inference/entry.ts.

export type Backend = 'wasm' | 'webgpu';

export interface Capabilities {
  readonly crossOriginIsolated: boolean;
  /** whether threads can share memory: without it, WASM runs on one, isolated or not */
  readonly sharesMemory: boolean;
  readonly wasmThreads: number;
  readonly webgpu: {
    readonly available: boolean;
    readonly adapter: string;
    /** the "GPU" is a program on the CPU: "auto" does not try it */
    readonly emulated: boolean;
    readonly reason: string;
  };
}

/** Runs models of one format. */
export interface ModelRuntime {
  /** Whether a file is of that format, by its first bytes. */
  takes(model: Uint8Array): boolean;
  /** Compiles a model for a backend. @throws InferenceError */
  open(model: Uint8Array<ArrayBuffer>, backend: Backend): Promise<InferenceSession>;
}

export interface InferenceRuntime {
  capabilities(): Promise<Capabilities>;
  /** Compiles a model of any format for a backend. @throws InferenceError */
  open(model: Uint8Array<ArrayBuffer>, backend: Backend): Promise<InferenceSession>;
  /** Called when the GPU device is gone: every WebGPU session is dead. */
  onGpuLost(listener: () => void): void;
}

/** What runs .onnx models in a terminal: the package onnxruntime-node, or ONNX Runtime's WASM build. */
export type TerminalRuntime = 'native' | 'wasm';

/** A session that tells what runs it: results of two runtimes differ in their last digits. */
export interface NamedSession extends InferenceSession {
  /** words of results and certificates: "ONNX Runtime 1.30.0, native" */
  readonly runtime: string;
}

export interface SessionOpener {
  /** Compiles a model of any format. @throws InferenceError, ModelError */
  open(model: Uint8Array<ArrayBuffer>): Promise<NamedSession>;
  /** what ran the models so far, in words: one, unless they are of two formats; null: none was opened */
  readonly runtime: string | null;
}

/** How much a model was given and gave, bytes of tensors. */
export interface TensorTraffic {
  readonly sentBytes: number;
  readonly receivedBytes: number;
}
