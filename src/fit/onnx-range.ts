import type { GraphProto, TensorProto } from '../gen/onnx_pb.ts';
import { onnxType } from '../onnx/dtypes.ts';
import { floatValues } from '../onnx/float-values.ts';
import { stepRange, type StepRange } from './step-range.ts';

/** Operators that hand an output on. */
const handing = new Set(['Identity', 'Reshape', 'Transpose', 'Squeeze', 'Unsqueeze', 'Cast']);

/** What the integer steps of an output can say, which a DequantizeLinear makes numbers of; null: it is not quantised at its end. */
export function onnxRange(graph: Pick<GraphProto, 'node' | 'initializer'>, output: string): StepRange | null {
  const maker = graph.node.find((node) => node.output.includes(output));
  if (!maker) return null;
  if (handing.has(maker.opType)) return onnxRange(graph, maker.input[0]!);
  if (maker.opType !== 'DequantizeLinear') return null;
  const constantOf = (name: string | undefined) =>
    graph.initializer.find((weight) => weight.name === name) ??
    graph.node
      .find((node) => node.opType === 'Constant' && node.output[0] === name)
      ?.attribute.find((attribute) => attribute.name === 'value')?.t;
  const scale = floatValues(constantOf(maker.input[1]), 1)?.[0];
  const zero = maker.input[2] ? storedZero(constantOf(maker.input[2])) : { type: 'uint8', zeroPoint: 0 };
  return scale === undefined || zero === null ? null : stepRange({ scale, ...zero });
}

/** The type of the zero point is that of the steps. */
function storedZero(tensor: TensorProto | undefined): { readonly type: string; readonly zeroPoint: number } | null {
  const stored = tensor?.rawData[0];
  if (!tensor || stored === undefined) return null;
  const type = (['int8', 'uint8'] as const).find((name) => onnxType(name) === tensor.dataType);
  if (!type) return null;
  return { type, zeroPoint: type === 'int8' && stored > 127 ? stored - 256 : stored };
}
