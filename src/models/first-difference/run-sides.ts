import { numberToFloat16Bits, type Tensor, tensorToFloat64 } from '../../machine/vision/face/feeding.ts';
import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { ComparedSide, HuntLimits, Tensors } from './first-difference.ts';

/** Thrown where the next run would be one too many. */
export class RunsSpent extends Error {}

/** Runs models on either side, and counts. */
export class SideRuns {
  runs = 0;
  readonly #mostRuns: number;
  readonly #onRun: (run: number) => void;
  readonly #signal: AbortSignal | undefined;

  constructor({ mostRuns = 20, onRun = () => {}, signal }: HuntLimits) {
    this.#mostRuns = mostRuns;
    this.#onRun = onRun;
    this.#signal = signal;
  }

  get left(): number {
    return this.#mostRuns - this.runs;
  }

  /**
   * Opens a model on a side, runs it (after `earlier`, in the same session, where that is given) and closes it.
   * @throws RunsSpent, InferenceError
   */
  async run(
    side: ComparedSide,
    model: Uint8Array<ArrayBuffer>,
    feeds: Tensors,
    earlier: Tensors | null = null,
  ): Promise<Tensors> {
    if (this.left < (earlier ? 2 : 1)) throw new RunsSpent();
    this.#signal?.throwIfAborted();
    const session = await side.open(model);
    try {
      for (const fed of earlier ? [earlier, feeds] : [feeds]) {
        this.#signal?.throwIfAborted();
        this.runs += 1;
        this.#onRun(this.runs);
        const results = await session.run(Object.fromEntries(session.inputs.map(({ name }) => [name, fed[name]!])));
        // A session may give the same memory again.
        if (fed === feeds) return copied(results);
      }
      throw new InferenceError('runtime', 'The model was not run.');
    } finally {
      await session.release();
    }
  }
}

function copied(tensors: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [name, { ...tensor, data: tensor.data.slice() }]),
  );
}

/** Values that differ from a part's own, of the same types: floats turned by a third of their length, whole numbers as they are. */
export function otherValues(feeds: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(feeds).map(([name, tensor]) => {
      if (!tensor.dtype.startsWith('float') || tensor.data.length === 0) return [name, tensor];
      const data = tensor.data.slice();
      const by = Math.ceil(data.length / 3) % data.length;
      for (let k = 0; k < data.length; k++) data[k] = tensor.data[(k + by) % data.length]!;
      if (tensor.dtype === 'float32') for (let k = 0; k < data.length; k++) data[k] = 0.75 * Number(data[k]);
      return [name, { ...tensor, data }];
    }),
  );
}

/** A tensor in float16 where it is float32, and the other way round; others as they are. */
export function asDtype(tensor: Tensor, dtype: Tensor['dtype']): Tensor {
  if (tensor.dtype === dtype) return tensor;
  const values = tensorToFloat64(tensor);
  if (!values) return tensor;
  if (dtype === 'float16') return { dtype, shape: tensor.shape, data: Uint16Array.from(values, numberToFloat16Bits) };
  if (dtype === 'float32') return { dtype, shape: tensor.shape, data: Float32Array.from(values) };
  return tensor;
}
