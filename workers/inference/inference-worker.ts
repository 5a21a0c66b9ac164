import { expose, proxy, transfer, wrap, type ProxyMarked } from 'comlink';
import type { InferenceRuntime, Backend, Capabilities } from '../../src/ports/inference-runtime.ts';
import type { ThreadedRuntime } from './threaded-runtime.ts';
import { oneAtATime } from '../../src/vision/inference/one-at-a-time.ts';
import {
  InferenceError,
  type InferenceErrorCode,
  type InferenceSession,
} from '../../src/vision/inference/inference-session.ts';
import type { Tensor, TensorData, TensorInfo } from '../../src/vision/tensor.ts';
import { installComlinkHandlers } from '../boundary/comlink-handlers.ts';

/**
 * Inference has a thread of its own: WebAssembly blocks the thread that calls it, and meanwhile the next frame is read and
 * packed, and the page answered.
 */
interface InferenceWorkerApi {
  capabilities(): Promise<Capabilities>;
  open(model: Uint8Array<ArrayBuffer>, backend: Backend): Promise<OpenedSession>;
  run(sessionId: number, feeds: Tensors): Promise<RunAnswer>;
  release(sessionId: number): Promise<void>;
  onGpuLost(listener: (() => void) & ProxyMarked): Promise<void>;
}

interface OpenedSession {
  readonly sessionId: number;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

interface RunAnswer {
  readonly results: Tensors;
  readonly runMs: number;
  /** the feeds' memory, back for the next ones */
  readonly spare: readonly ArrayBuffer[];
}

type Tensors = Readonly<Record<string, Tensor>>;

/** The inference worker's half: a runtime behind numbers, one call at a time, as neither backend can be entered twice. */
export function exposeInferenceWorker(runtime: InferenceRuntime): void {
  installComlinkHandlers();
  const sessions = new Map<number, InferenceSession>();
  const turn = oneAtATime();
  let opened = 0;
  const api: InferenceWorkerApi = {
    capabilities: () => runtime.capabilities(),
    open: (model, backend) =>
      turn(async () => {
        const session = await runtime.open(model, backend);
        sessions.set(++opened, session);
        return { sessionId: opened, inputs: session.inputs, outputs: session.outputs };
      }),
    run: (sessionId, feeds) =>
      turn(async () => {
        const session = sessions.get(sessionId);
        if (!session) throw new InferenceError('runtime', 'The model was unloaded.');
        const startMs = performance.now();
        const results = await session.run(feeds);
        const answer = { results, runMs: performance.now() - startMs, spare: buffersOf(feeds) };
        return transfer(answer, [...new Set([...buffersOf(results), ...answer.spare])]);
      }),
    release: (sessionId) =>
      turn(async () => {
        await sessions.get(sessionId)?.release();
        sessions.delete(sessionId);
      }),
    async onGpuLost(listener) {
      runtime.onGpuLost(() => void listener());
    },
  };
  expose(api);
}

/** The vision worker's half. When the inference worker dies, the vision worker dies with it: the page restarts both. */
export function connectInferenceWorker(worker: Worker): ThreadedRuntime {
  installComlinkHandlers();
  const api = wrap<InferenceWorkerApi>(worker);
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    setTimeout(() => {
      throw new Error(`The inference worker stopped: ${event.message || 'it could not be started'}`);
    });
  });
  let lastRunMs = 0;
  let spare: ArrayBuffer[] = [];
  return {
    get lastRunMs() {
      return lastRunMs;
    },
    capabilities: () => api.capabilities(),
    async open(model, backend) {
      const { sessionId, inputs, outputs } = await inferenceErrors(api.open(model, backend));
      return {
        inputs,
        outputs,
        async run(feeds) {
          // Copied at the call: a kernel's tensor is a view of memory that its next one overwrites.
          const own = Object.fromEntries(
            Object.entries(feeds).map(([name, tensor]) => [name, { ...tensor, data: copyInto(spare, tensor.data) }]),
          );
          const answer = await inferenceErrors(api.run(sessionId, transfer(own, buffersOf(own))));
          const { results, runMs } = answer;
          spare = [...answer.spare, ...spare].slice(0, mostSpare);
          lastRunMs = runMs;
          return results;
        },
        release: () => api.release(sessionId),
      };
    },
    onGpuLost(listener) {
      void api.onGpuLost(proxy(listener));
    },
  };
}

/** Two runs may be under way, each with its tensors. */
const mostSpare = 4;

/** A copy in memory that a run before has given back, if some is of the same size; fresh memory costs more than the copy. */
function copyInto(spare: ArrayBuffer[], data: TensorData): TensorData {
  const at = spare.findIndex(({ byteLength }) => byteLength === data.byteLength);
  if (at < 0) return data.slice();
  const copy = new Uint8Array(spare.splice(at, 1)[0]!);
  copy.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return new (data.constructor as new (buffer: ArrayBuffer) => TensorData)(copy.buffer);
}

function buffersOf(tensors: Tensors): ArrayBuffer[] {
  const buffers = Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer);
  return [...new Set(buffers)];
}

/** comlink brings an error's fields, not its class. */
async function inferenceErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { name, code, message } = error as InferenceError;
    throw name === 'InferenceError' ? new InferenceError(code as InferenceErrorCode, message, { cause: error }) : error;
  }
}
