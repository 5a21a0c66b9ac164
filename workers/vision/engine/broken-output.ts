import type { Tensor } from '../../../src/machine/vision/face/feeding.ts';
import { valueAt } from './tensor-values.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** A tensor of fewer values may be zero for a reason: the number of boxes in a frame without any. */
const fewestValues = 8;

/**
 * Looks for what no rounding does, and what a frame without boxes would hide: values that are no numbers, and an output of zeros.
 * @returns '' where there is none; else what the GPU gave, as a sentence
 */
export function brokenOutput(onCpu: Tensors, onGpu: Tensors): string {
  for (const [name, cpu] of Object.entries(onCpu)) {
    const gpu = onGpu[name];
    if (gpu?.data.length !== cpu.data.length) continue;
    let lost = 0;
    let nonZero = 0;
    let isZero = true;
    for (let at = 0; at < cpu.data.length; at++) {
      const [right, given] = [valueAt(cpu, at), valueAt(gpu, at)];
      if (Number.isFinite(right) && !Number.isFinite(given)) lost++;
      if (right !== 0) nonZero++;
      if (given !== 0) isZero = false;
    }
    if (lost > 0) return `The GPU gave ${lost} of ${cpu.data.length} values of “${name}” that are not numbers.`;
    if (isZero && cpu.data.length >= fewestValues && 2 * nonZero > cpu.data.length)
      return `The GPU gave zeros alone as “${name}”, where the CPU gives other values.`;
  }
  return '';
}
