import { type Tensor, tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** float16 models on two providers differ by less of a tensor's mean. */
const sameShare = 0.03;

/** Two runtimes of one float32 model differ by less. */
const exactShare = 1e-4;

/**
 * Whether two runs of one tensor are of one model: to the digits of one runtime, or of another one, as of int8 and float16. null: their
 * outputs cannot be matched, by name or by how many numbers they have.
 */
export function isSameModel(here: Tensors, there: Tensors): 'exactly' | 'nearly' | 'no' | null {
  let largest = 0;
  for (const [name, tensor] of Object.entries(here)) {
    const other = there[name] ?? onlyOfSize(there, tensor);
    if (!other) return null;
    const [ours, theirs] = [tensorToFloat64(tensor), tensorToFloat64(other)];
    if (!ours || !theirs || ours.length !== theirs.length) return null;
    let [apart, size] = [0, 0];
    for (let at = 0; at < ours.length; at++) {
      apart += Math.abs(ours[at]! - theirs[at]!);
      size += Math.abs(ours[at]!);
    }
    if (apart > sameShare * size) return 'no';
    largest = Math.max(largest, size === 0 ? 0 : apart / size);
  }
  return largest <= exactShare ? 'exactly' : 'nearly';
}

function onlyOfSize(tensors: Tensors, { data }: Tensor): Tensor | null {
  const [one, ...more] = Object.values(tensors).filter((other) => other.data.length === data.length);
  return one && more.length === 0 ? one : null;
}
