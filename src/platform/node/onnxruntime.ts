import { availableParallelism } from 'node:os';
import * as ort from 'onnxruntime-web';
import type { InferenceSession } from '../../machine/vision/inference/inference-session.ts';
import { openOrtSession } from '../onnxruntime/onnxruntime-session.ts';

// More threads than this gain little on the models of a machine.
ort.env.wasm.numThreads = Math.min(4, availableParallelism());

/** Compiles a model with ONNX Runtime's WASM build, the one that the browser runs. @throws InferenceError */
export function openNodeSession(model: Uint8Array<ArrayBuffer>): Promise<InferenceSession> {
  return openOrtSession(ort, model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
}
