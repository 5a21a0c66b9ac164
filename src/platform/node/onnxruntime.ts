import * as ort from 'onnxruntime-web';
import type { NamedSession } from '../ports/inference-runtime.ts';
import { openOrtSession } from '../onnxruntime/onnxruntime-session.ts';
import { inferenceThreads } from './inference-threads.ts';

ort.env.wasm.numThreads = inferenceThreads;

/** "1.30.0" */
export const ortVersion: string = ort.env.versions.web ?? '';

/** Sets how many threads run models. Only before the first is opened. */
export function useThreads(count: number): void {
  ort.env.wasm.numThreads = count;
}

/** Compiles a model with ONNX Runtime's WASM build, the one that the browser runs. @throws InferenceError */
export async function openNodeSession(model: Uint8Array<ArrayBuffer>): Promise<NamedSession> {
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' } as const;
  return { ...(await openOrtSession(ort, model, options)), runtime: `ONNX Runtime ${ort.env.versions.web}, WASM` };
}
