import { transfer } from 'comlink';
import type { Backend, InferenceRuntime } from '../../src/ports/inference-runtime.ts';
import { InferenceError, type InferenceSession } from '../../src/vision/inference/inference-session.ts';
import { oneAtATime } from '../../src/vision/inference/one-at-a-time.ts';
import { buffersOf, type Tensors } from './tensor-buffers.ts';

export type InferenceApi = ReturnType<typeof createInferenceApi>;

/**
 * Inference has a thread of its own: WebAssembly blocks the thread that calls it, and meanwhile the next frame is read and
 * packed, and the page answered. A runtime behind numbers, one call at a time, as neither backend can be entered twice.
 */
export function createInferenceApi(runtime: InferenceRuntime) {
  const sessions = new Map<number, InferenceSession>();
  const turn = oneAtATime();
  let opened = 0;
  return {
    capabilities: () => runtime.capabilities(),
    open: (model: Uint8Array<ArrayBuffer>, backend: Backend) =>
      turn(async () => {
        const session = await runtime.open(model, backend);
        sessions.set(++opened, session);
        return { sessionId: opened, inputs: session.inputs, outputs: session.outputs };
      }),
    /** The results are handed over, and with them the feeds' memory: `spare`, for the next ones. */
    run: (sessionId: number, feeds: Tensors) =>
      turn(async () => {
        const session = sessions.get(sessionId);
        if (!session) throw new InferenceError('runtime', 'The model was unloaded.');
        const startMs = performance.now();
        const results = await session.run(feeds);
        const answer = { results, runMs: performance.now() - startMs, spare: buffersOf(feeds) };
        return transfer(answer, [...new Set([...buffersOf(results), ...answer.spare])]);
      }),
    release: (sessionId: number) =>
      turn(async () => {
        await sessions.get(sessionId)?.release();
        sessions.delete(sessionId);
      }),
    /** The listener outlives the call: it comes as a `proxy`. */
    onGpuLost: async (listener: () => void) => runtime.onGpuLost(() => void listener()),
  };
}
