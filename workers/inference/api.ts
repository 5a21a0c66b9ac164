import { transfer } from 'comlink';
import type { Backend, InferenceRuntime } from '../../src/platform/ports/inference-runtime.ts';
import type { LiveModelSource } from '../../src/platform/ports/model-source.ts';
import { type GpuLook, type GpuWork, uploadOf } from '../../src/machine/vision/face/runs.ts';
import { InferenceError } from '../../src/machine/vision/face/errors.ts';
import type { FrameIntake, InferenceSession } from '../../src/machine/vision/face/inference.ts';
import { oneAtATime, type Turn } from '../../src/base/schedule/one-at-a-time.ts';
import type { InputSpec } from '../../src/machine/vision/face/feeding.ts';
import { buffersOf, type Tensors } from './tensor-buffers.ts';

export type InferenceApi = ReturnType<typeof createInferenceApi>;

/** Opens a session of a model that runs on a live machine. Rejects with an InferenceError. */
export type Borrow = (source: LiveModelSource) => Promise<InferenceSession>;

interface OpenSession {
  readonly session: InferenceSession;
  readonly turn: Turn;
  readonly release: () => Promise<void>;
}

/**
 * Inference has a thread of its own: WebAssembly blocks its thread, and meanwhile the next frame is read and packed
 * and the page gets answers. Sessions are numbered, and calls run one at a time, as neither backend can be entered
 * twice. A model on a live machine has a queue of its own, and its tensors are packed for the network on this
 * thread.
 */
export function createInferenceApi(runtime: InferenceRuntime, borrow: Borrow) {
  const sessions = new Map<number, OpenSession>();
  const turn = oneAtATime();
  let opened = 0;
  function keep(open: OpenSession) {
    sessions.set(++opened, open);
    const { inputs, outputs, gpu } = open.session;
    return { sessionId: opened, inputs, outputs, gpuRefusal: gpu ? gpu.refusal : null };
  }
  function openSession(sessionId: number): OpenSession {
    const open = sessions.get(sessionId);
    if (!open) throw new InferenceError('runtime', 'The model was unloaded.');
    return open;
  }
  function openIntake(sessionId: number): FrameIntake {
    const { gpu } = openSession(sessionId).session;
    if (gpu) return gpu;
    throw new InferenceError('runtime', 'The model does not run on the GPU, and takes tensors only.');
  }
  return {
    capabilities: () => runtime.capabilities(),
    open: (model: Uint8Array<ArrayBuffer>, backend: Backend) =>
      turn(async () => {
        const session = await runtime.open(model, backend);
        return keep({ session, turn, release: () => turn(() => session.release()) });
      }),
    async borrow(source: LiveModelSource) {
      const session = await borrow(source);
      // Not queued: releasing the session must end a call that a machine never answers.
      return keep({ session, turn: oneAtATime(), release: () => session.release() });
    },
    /** Results are transferred, and the feeds' memory comes back with them as `spare`, for the next feeds. */
    async run(sessionId: number, feeds: Tensors) {
      const { session, turn } = openSession(sessionId);
      return turn(async () => {
        const startMs = performance.now();
        const results = await session.run(feeds);
        const answer = { results, runMs: performance.now() - startMs, spare: buffersOf(feeds) };
        return transfer(answer, [...new Set([...buffersOf(results), ...answer.spare])]);
      });
    },
    /**
     * Like `run`, for a frame that the session's GPU packs: the samples' memory comes back as spare, and drawn
     * pictures are transferred. Not queued: the GPU queues its commands, and a frame can be submitted while the
     * answer for the one before is read.
     */
    async runFrame(sessionId: number, frame: GpuWork, input: InputSpec, looks: readonly GpuLook[]) {
      const ran = await openIntake(sessionId).run(frame, input, looks);
      const pictures = ran.pictures as readonly ImageBitmap[];
      const spare = [uploadOf(frame.source).buffer];
      return transfer({ ...ran, spare }, [...buffersOf(ran.results), ...spare, ...pictures]);
    },
    inspectFrame: async (sessionId: number, frame: GpuWork, input: InputSpec) =>
      openIntake(sessionId).inspect(frame, input),
    async release(sessionId: number) {
      const open = sessions.get(sessionId);
      sessions.delete(sessionId);
      await open?.release();
    },
    /** The listener is a `proxy`, since it outlives the call. */
    onGpuLost: async (listener: () => void) => runtime.onGpuLost(() => void listener()),
  };
}
