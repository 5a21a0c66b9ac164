import type { GraphProto, TensorProto } from '../../../gen/onnx_pb.ts';
import { onnxType } from '../../onnx/face/model-files.ts';
import { floatValues, graphConstants } from '../../onnx/face/graphs.ts';
import { makersIn, sourceOf } from './source-of.ts';
import { stepRange, type StepRange } from './step-range.ts';

/** Operators that hand an output on. */
const handing = new Set(['Identity', 'Reshape', 'Transpose', 'Squeeze', 'Unsqueeze', 'Cast']);

/** What the integer steps of an output can say, which a DequantizeLinear makes numbers of; null: it is not quantised at its end. */
export function onnxRange(graph: Pick<GraphProto, 'node' | 'initializer'>, output: string): StepRange | null {
  const makerOf = makersIn(graph.node);
  const maker = makerOf(sourceOf(output, makerOf, ({ opType }) => handing.has(opType)));
  if (maker?.opType !== 'DequantizeLinear') return null;
  const constants = graphConstants(graph);
  const [, ofScale = '', ofZero = ''] = maker.input;
  const scale = floatValues(constants.get(ofScale), 1)?.[0];
  const zero = ofZero ? storedZero(constants.get(ofZero)) : { type: 'uint8', zeroPoint: 0 };
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
