import type { Backend } from '../../ports/inference-runtime.ts';
import type { ProfiledRun } from '../../../models/profile/operator-times.ts';
import type { Tensor } from '../../../machine/vision/face/feeding.ts';
import { readOrtEvents } from '../../onnxruntime/onnxruntime-events.ts';
import { openOrtSession } from '../../onnxruntime/onnxruntime-session.ts';
import { wasmThreads } from '../wasm/wasm-threads.ts';

export interface ModelToProfile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly backend: Backend;
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** at most, beside those that warm it up */
  readonly runs: number;
  /** a model that is slow runs less often, but three times in any case */
  readonly budgetMs: number;
}

const warmUpRuns = 2;
const fewestRuns = 3;

/**
 * Runs a model in a session of its own that writes down how long each operator takes. For a worker that does nothing else:
 * ONNX Runtime writes to the console, which it takes hold of once, when its build starts. @throws InferenceError
 */
export async function profileOnnxModel(
  { bytes, backend, feeds, runs, budgetMs }: ModelToProfile,
  onProgress: (fraction: number) => void,
): Promise<{ readonly runs: readonly ProfiledRun[]; readonly threads: number }> {
  const written: string[] = [];
  Object.assign(console, { log: (line: unknown) => void written.push(String(line)) });
  const ort = await (backend === 'webgpu' ? import('onnxruntime-web/webgpu') : import('onnxruntime-web/wasm'));
  ort.env.wasm.numThreads = wasmThreads();
  const options = { executionProviders: [backend], graphOptimizationLevel: 'all', enableProfiling: true } as const;
  const session = await openOrtSession(ort, bytes, options);
  const all = warmUpRuns + runs;
  const startMs = performance.now();
  for (let run = 1; run <= all; run++) {
    await session.run(feeds);
    const spent = (performance.now() - startMs) / budgetMs;
    if (spent >= 1 && run >= warmUpRuns + fewestRuns) break;
    onProgress(Math.min(1, Math.max(run / all, spent)));
  }
  await session.release(); // the profile is written then
  return { runs: readOrtEvents(written.join('\n')).slice(warmUpRuns), threads: ort.env.wasm.numThreads };
}
