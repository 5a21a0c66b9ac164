import type { Tensor } from '../../../machine/vision/face/feeding.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import type { FedInput } from './captured-model.ts';

type Tensors = Readonly<Record<string, Tensor>>;
type Run = (input: Tensor) => Promise<Tensors>;

/**
 * Runs pictures of noise by recorded orders and without, and compares to the bit. ONNX Runtime 1.30 records what shaders do and no
 * copies between buffers: a model that ends in Reshape repeats the output of its first picture, and says nothing. So an output that
 * is the same for every picture passes no more than a wrong one. Resolves to '' where orders may be repeated, else to why not, in
 * words that follow "because"; rejects as the runs.
 */
export async function checkCaptured(captured: Run, plain: Run, input: FedInput): Promise<string> {
  if (input.dtype !== 'float32' && input.dtype !== 'uint8') return `it takes ${input.dtype}`;
  const recorded = await captured(noise(input, 1));
  const varied = new Set<string>();
  for (const seed of [2, 3]) {
    const picture = noise(input, seed);
    const expected = await plain(picture);
    const repeated = await captured(picture);
    for (const [name, tensor] of Object.entries(expected)) {
      if (!areSame(tensor, repeated[name]!)) return `its output "${name}" is another when its orders are repeated`;
      if (!areSame(tensor, recorded[name]!)) varied.add(name);
    }
  }
  const fixed = Object.keys(recorded).find((name) => !varied.has(name));
  return fixed === undefined ? '' : `its output "${fixed}" was the same for all pictures that it was tried on`;
}

/** Values up to 1 or up to 255, by the seed: models take either. */
function noise({ dtype, shape }: FedInput, seed: number): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  const data = dtype === 'uint8' ? new Uint8Array(count) : new Float32Array(count);
  const scale = dtype === 'uint8' || seed % 2 === 0 ? 1 : 255;
  for (let at = 0; at < count; at++) data[at] = (Math.imul(at + seed * 7919, 2654435761) >>> 24) / scale;
  return { dtype, shape, data };
}

function areSame(a: Tensor, b: Tensor): boolean {
  const [one, other] = [bytesOf(a), bytesOf(b)];
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false; // frames wait: no call a byte
  return true;
}
