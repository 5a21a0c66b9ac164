import { Worker } from 'node:worker_threads';
import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import type { Tensor, TensorInfo } from '../../machine/vision/face/feeding.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** What the thread is asked; each message has one answer of the same id. */
export type ToSessionThread = { readonly id: number; readonly session: number } & (
  { readonly model: Uint8Array<ArrayBuffer> } | { readonly feeds: Tensors } | { readonly release: true }
);
export interface FromSessionThread {
  readonly id: number;
  readonly opened?: { readonly inputs: readonly TensorInfo[]; readonly outputs: readonly TensorInfo[] };
  readonly results?: Tensors;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A runtime of ONNX models in a thread of this process. */
export interface SessionThread {
  /** @throws InferenceError */
  open(model: Uint8Array<ArrayBuffer>): Promise<InferenceSession>;
  end(): Promise<void>;
}

// Built, both lie in one folder, as .js.
const entry = import.meta.url.endsWith('.ts')
  ? new URL('./session-thread.ts', import.meta.url)
  : new URL('./session-thread.js', import.meta.url);

/**
 * Starts an ONNX Runtime of its own in a thread: one process has one number of WASM threads, and a comparison needs two.
 * @param threads that run a model, 1 or more
 */
export function startSessionThread(threads: number): SessionThread {
  const worker = new Worker(entry, { workerData: { threads }, execArgv: [], stderr: false });
  worker.unref();
  const waiting = new Map<number, (answer: FromSessionThread) => void>();
  const failAll = (message: string): void => {
    for (const [id, settle] of waiting) settle({ id, error: { code: 'runtime', message } });
    waiting.clear();
  };
  worker.on('message', (answer: FromSessionThread) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', ({ message }) => failAll(message));
  worker.on('exit', () => failAll('The thread of the runtime ended.'));
  let ids = 0;
  const ask = async (
    message: { session: number } & ({ model: Uint8Array<ArrayBuffer> } | { feeds: Tensors } | { release: true }),
  ) => {
    const id = (ids += 1);
    const answered = new Promise<FromSessionThread>((resolve) => waiting.set(id, resolve));
    worker.ref();
    worker.postMessage({ id, ...message });
    const answer = await answered;
    if (answer.error) throw new InferenceError(answer.error.code as InferenceError['code'], answer.error.message);
    return answer;
  };
  let sessions = 0;
  return {
    async open(model) {
      const session = (sessions += 1);
      const { opened } = await ask({ session, model });
      return {
        ...opened!,
        run: async (feeds) => (await ask({ session, feeds })).results!,
        release: async () => void (await ask({ session, release: true })),
      };
    },
    end: async () => void (await worker.terminate()),
  };
}
