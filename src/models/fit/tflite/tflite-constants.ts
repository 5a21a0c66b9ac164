import { readConstants, type Quantisation } from '../../tflite/read-graph.ts';
import { float16BitsToNumber } from '../../../machine/vision/face/feeding.ts';
import { mostRead } from '../structure/head-factors.ts';
import type { StructureNode } from '../structure/structure-node.ts';

/**
 * Reads the constants of a .tflite file as numbers: float32, float16 (which a DEQUANTIZE makes float32 of), and 8-bit steps of one scale.
 * @returns gives the values of a tensor in their order; null: no constant, or one of another type
 */
export function constantValues(
  bytes: Uint8Array,
  nodes: readonly StructureNode[],
  quantisations: ReadonlyMap<string, Quantisation>,
): (tensor: string) => readonly number[] | null {
  const constants = readConstants(bytes);
  const sources = new Map(
    nodes.filter(({ opType }) => opType === 'DEQUANTIZE').map(({ input, output }) => [output[0]!, input[0]!] as const),
  );
  return (tensor) => {
    const name = sources.get(tensor) ?? tensor;
    const constant = constants.get(name);
    if (!constant || constant.bytes.length > 4 * mostRead) return null;
    const { buffer } = constant.bytes.slice();
    if (constant.type === 'float32') return [...new Float32Array(buffer)];
    if (constant.type === 'float16') return Array.from(new Uint16Array(buffer), float16BitsToNumber);
    const quantisation = quantisations.get(name);
    if (!quantisation) return null;
    const { scale, zeroPoint } = quantisation;
    const real = (stored: number) => scale * (stored - zeroPoint);
    if (constant.type === 'int8') return Array.from(new Int8Array(buffer), real);
    return constant.type === 'uint8' ? Array.from(new Uint8Array(buffer), real) : null;
  };
}
