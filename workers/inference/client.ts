import { proxy, transfer } from 'comlink';
import type { InferenceRuntime, TensorTraffic } from '../../src/platform/ports/inference-runtime.ts';
import type { LiveModelSource } from '../../src/platform/ports/model-source.ts';
import { type GpuWork, uploadOf } from '../../src/machine/vision/face/runs.ts';
import { InferenceError, type InferenceErrorCode } from '../../src/machine/vision/face/errors.ts';
import type { FrameIntake, InferenceSession } from '../../src/machine/vision/face/inference.ts';
import type { Tensor, TensorData } from '../../src/machine/vision/face/feeding.ts';
import { isYuvFrame } from '../../src/machine/vision/face/frames.ts';
import { linkWorker } from '../boundary/worker-link.ts';
import type { InferenceApi } from './api.ts';
import { buffersOf, byteLengthOf } from './tensor-buffers.ts';

/**
 * Lends a tensor's values to another thread until the returned function is called; null: the values have to be
 * copied.
 */
export type LendTensor = (data: TensorData) => (() => void) | null;

/**
 * A runtime on a thread of its own: a session's run() copies or lends the feeds when it is called, and runs are
 * queued there.
 */
export interface ThreadedRuntime extends InferenceRuntime {
  /** duration of the last run in ms, without waiting in the queue */
  readonly lastRunMs: number;
  /** bytes that the tensors of the last run took over the network */
  readonly lastTraffic: TensorTraffic;
  /**
   * Opens a model that runs on a live machine.
   * @throws InferenceError
   */
  borrow(source: LiveModelSource): Promise<InferenceSession>;
}

export interface LendingRuntime extends ThreadedRuntime {
  /** Resolves when the inference worker runs, and its runtime is ready (`when-ready.ts`). */
  readonly started: Promise<void>;
  /** Sets how tensor values are lent from now on; until it is set, they are copied. */
  lendBy(lend: LendTensor): void;
}

/**
 * The vision worker's runtime. When the inference worker dies, the vision worker ends too, and the page restarts
 * both.
 */
export function connectInferenceWorker(worker: Worker): LendingRuntime {
  // The vision worker throws a more precise error; without this, the page would receive this one first.
  worker.addEventListener('error', (event) => event.preventDefault());
  const { api, ended, started } = linkWorker<InferenceApi>(
    worker,
    (words) => new Error(`The inference worker stopped: ${words}`),
  );
  void ended.then((error) =>
    setTimeout(() => {
      throw error;
    }),
  );
  let lend: LendTensor = () => null;
  let lastRunMs = 0;
  let lastTraffic: TensorTraffic = { sentBytes: 0, receivedBytes: 0 };
  let spare: ArrayBuffer[] = [];
  /**
   * Keeps freed buffers only if they have the sizes in use; other sizes belong to a former model or camera size.
   */
  const keepSpare = (freed: readonly ArrayBuffer[]): void => {
    const fits = ({ byteLength }: ArrayBuffer) => freed.some((one) => one.byteLength === byteLength);
    spare = [...freed, ...spare.filter(fits)].slice(0, mostSpare);
  };
  function intakeOf(sessionId: number, refusal: string): FrameIntake {
    return {
      refusal,
      async run(frame, input, looks = []) {
        const answer = await inferenceErrors(api.runFrame(sessionId, handedOver(frame, spare), input, looks));
        const { spare: freed, ...ran } = answer;
        keepSpare(freed);
        lastRunMs = ran.runMs;
        return ran;
      },
      inspect: (frame, input) => inferenceErrors(api.inspectFrame(sessionId, handedOver(frame, []), input)),
    };
  }
  async function sessionOf(opening: ReturnType<typeof api.open>): Promise<InferenceSession> {
    const { sessionId, inputs, outputs, gpuRefusal } = await inferenceErrors(opening);
    return {
      inputs,
      outputs,
      gpu: gpuRefusal === null ? null : intakeOf(sessionId, gpuRefusal),
      async run(feeds) {
        // Lent or copied before the call returns: a kernel's tensor is a view of memory that the next frame
        // overwrites.
        const giveBack: (() => void)[] = [];
        const handedOver = (tensor: Tensor): Tensor => {
          const whenRead = lend(tensor.data);
          if (!whenRead) return { ...tensor, data: copyInto(spare, tensor.data) };
          giveBack.push(whenRead);
          return tensor;
        };
        const own = Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [name, handedOver(tensor)]));
        const sentBytes = byteLengthOf(own);
        const answer = await inferenceErrors(api.run(sessionId, transfer(own, buffersOf(own)))).finally(() => {
          for (const whenRead of giveBack) whenRead();
        });
        const { results, runMs } = answer;
        keepSpare(answer.spare);
        lastRunMs = runMs;
        lastTraffic = { sentBytes, receivedBytes: byteLengthOf(results) };
        return results;
      },
      release: () => api.release(sessionId),
    };
  }
  return {
    started,
    get lastRunMs() {
      return lastRunMs;
    },
    get lastTraffic() {
      return lastTraffic;
    },
    lendBy(way) {
      lend = way;
    },
    capabilities: api.capabilities,
    open: (model, backend) => sessionOf(api.open(model, backend)),
    borrow: (source) => sessionOf(api.borrow(source)),
    onGpuLost(listener) {
      void api.onGpuLost(proxy(listener));
    },
  };
}

/** Two runs may be pending at once, each with its tensors. */
const mostSpare = 4;

/** A frame for another thread, with a copy of its pixels or planes. */
function handedOver({ widthPx, heightPx, source, steps }: GpuWork, spare: ArrayBuffer[]): GpuWork {
  const work = { widthPx, heightPx, steps, source: copyOf(source, spare) };
  return transfer(work, [uploadOf(work.source).buffer]);
}

function copyOf(source: GpuWork['source'], spare: ArrayBuffer[]): GpuWork['source'] {
  if (!isYuvFrame(source)) return { ...source, samples: copyInto(spare, source.samples) };
  const { format, widthPx, heightPx, matrix, planes } = source;
  return { format, widthPx, heightPx, matrix, planes: copyInto(spare, planes) };
}

/** Copies into a spare buffer of the same size if there is one: fresh memory costs more than the copy. */
function copyInto<Data extends TensorData | Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>>(
  spare: ArrayBuffer[],
  data: Data,
): Data {
  const at = spare.findIndex(({ byteLength }) => byteLength === data.byteLength);
  if (at < 0) return data.slice() as Data;
  const copy = new Uint8Array(spare.splice(at, 1)[0]!);
  copy.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return new (data.constructor as new (buffer: ArrayBuffer) => Data)(copy.buffer);
}

/** comlink transfers an error's fields, but not its class. */
async function inferenceErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { name, code, message } = error as InferenceError;
    throw name === 'InferenceError' ? new InferenceError(code as InferenceErrorCode, message, { cause: error }) : error;
  }
}
