import type * as Ort from 'onnxruntime-web';

type Metadata = Pick<Ort.InferenceSession, 'inputMetadata' | 'outputMetadata'>;

/** Types that shaders make. Other types come from operators that run on the CPU. */
const gpuTypes: ReadonlySet<string> = new Set(['float32', 'float16', 'int32']);

/**
 * Where a model leaves its outputs. What the CPU makes stays there: that is all of a model that ends in NonMaxSuppression, and what
 * has a size that no input states, which is known only once it was counted. A wrong guess costs a copy and changes nothing.
 */
export function outputLocations(
  model: Uint8Array,
  { inputMetadata, outputMetadata }: Metadata,
): Readonly<Record<string, 'gpu-buffer' | 'cpu'>> {
  const stated = new Set(inputMetadata.flatMap((input) => (input.isTensor ? input.shape : [])));
  const isCounted = (size: number | string) => typeof size === 'string' && !stated.has(size);
  const suppresses = holds(model, 'NonMaxSuppression');
  const isOnGpu = (output: Ort.InferenceSession.ValueMetadata) =>
    !suppresses && output.isTensor && gpuTypes.has(output.type) && !output.shape.some(isCounted);
  return Object.fromEntries(outputMetadata.map((output) => [output.name, isOnGpu(output) ? 'gpu-buffer' : 'cpu']));
}

/** Names of operators lie in the file as they are. */
function holds(model: Uint8Array, operator: string): boolean {
  const bytes = new TextEncoder().encode(operator);
  for (let at = model.indexOf(bytes[0]!); at >= 0; at = model.indexOf(bytes[0]!, at + 1)) {
    if (bytes.every((byte, k) => model[at + k] === byte)) return true;
  }
  return false;
}
