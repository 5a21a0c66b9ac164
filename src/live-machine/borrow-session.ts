import type { InferenceSession } from '../vision/inference/inference-session.ts';
import { InferenceError } from '../vision/inference/inference-session.ts';
import type { TensorDtype, TensorInfo } from '../vision/tensor.ts';
import type { LiveMachine, LiveTensorInfo } from './live-machine.ts';

/**
 * A model that runs there, behind the same port as one that runs here: tensors are made and read by the exact path, and only
 * they cross the network. `signal` ends calls that are still under way. Rejects with LinkError, or InferenceError where the
 * machine does not say which tensors the model has.
 */
export async function borrowSession(
  machine: LiveMachine,
  modelName: string,
  signal: AbortSignal,
): Promise<InferenceSession> {
  const { inputs, outputs } = await machine.modelMetadata(modelName, signal);
  if (inputs.length === 0) {
    throw new InferenceError(
      'runtime',
      `Model service "${modelName}" of the machine does not say which tensors it takes, so none can be made here.`,
    );
  }
  return {
    inputs: inputs.map(toTensorInfo),
    outputs: outputs.map(toTensorInfo),
    run: (feeds) => machine.infer(modelName, feeds, signal),
    release: () => Promise.resolve(),
  };
}

const dtypes: readonly TensorDtype[] = [
  ...(['float32', 'float64', 'uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'] as const),
];

/** What a module says of a tensor; modules write "float32", "FLOAT32" or "float". */
function toTensorInfo({ name, dataType, shape }: LiveTensorInfo): TensorInfo {
  const said = dataType.toLowerCase();
  const dtype = said === 'float' ? 'float32' : said === 'double' ? 'float64' : dtypes.find((known) => known === said);
  if (!dtype)
    throw new InferenceError(
      'unsupported-dtype',
      `Tensor "${name}" is of "${dataType}", which no step here makes or reads.`,
    );
  return { name, dtype, shape, symbols: shape.map(() => null) };
}
