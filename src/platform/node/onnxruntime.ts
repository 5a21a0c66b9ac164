import * as ort from 'onnxruntime-web';
import type { NamedSession } from '../ports/inference-runtime.ts';
import { openOrtSession } from '../onnxruntime/onnxruntime-session.ts';
import { inferenceThreads } from './inference-threads.ts';

ort.env.wasm.numThreads = inferenceThreads;

/** Compiles a model with ONNX Runtime's WASM build, the one that the browser runs. @throws InferenceError */
export async function openNodeSession(model: Uint8Array<ArrayBuffer>): Promise<NamedSession> {
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' } as const;
  return { ...(await openOrtSession(ort, model, options)), runtime: `ONNX Runtime ${ort.env.versions.web}, WASM` };
}
