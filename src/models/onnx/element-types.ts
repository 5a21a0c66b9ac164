import { TensorProto_DataType as OnnxType, type GraphProto, type NodeProto } from '../../gen/onnx_pb.ts';
import { graphConstants } from './graph-constants.ts';

/** Operators of which every result has one type, whatever their inputs have. */
const ofOneType: Readonly<Record<string, number>> = Object.fromEntries([
  ...['Shape', 'Size', 'NonZero', 'ArgMax', 'ArgMin', 'NonMaxSuppression'].map((name) => [name, OnnxType.INT64]),
  ...['Equal', 'Less', 'LessOrEqual', 'Greater', 'GreaterOrEqual', 'Not', 'And', 'Or', 'Xor', 'IsNaN', 'IsInf'].map(
    (name) => [name, OnnxType.BOOL],
  ),
  ...['ConvInteger', 'MatMulInteger'].map((name) => [name, OnnxType.INT32]),
]);

/** Operators whose result has the type of another input than the first. */
const typedBy: Readonly<Record<string, number>> = {
  Where: 1,
  CastLike: 1,
  OneHot: 2,
  DequantizeLinear: 1,
  QuantizeLinear: 2,
};

/**
 * Finds the element types of the tensors of a graph, as far as its operators tell them. Exporters leave them out of the file, and a
 * runtime that lacks an operator for one type refuses it.
 * @param graph of a model, its nodes in the order in which they run
 * @returns ONNX's numbers of types by tensor; a tensor of a graph inside a node, or behind an operator of another domain, is not among them
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * elementTypes(decodeModel(channelMeansClassifier()).graph).get('image'); // => 1
 */
export function elementTypes(graph: GraphProto): ReadonlyMap<string, number> {
  const types = new Map<string, number>();
  for (const [name, { dataType }] of graphConstants(graph)) types.set(name, dataType);
  for (const { name, type } of [...graph.input, ...graph.valueInfo])
    if (type?.value.case === 'tensorType') types.set(name, type.value.value.elemType);
  for (const node of graph.node)
    for (const [at, name] of node.output.entries()) {
      const type = types.get(name) ?? typeOf(node, at, types);
      if (type !== undefined && name !== '') types.set(name, type);
    }
  return types;
}

function typeOf(node: NodeProto, at: number, types: ReadonlyMap<string, number>): number | undefined {
  const { opType, domain, input } = node;
  if ((domain !== '' && domain !== 'ai.onnx') || opType === 'If' || opType === 'Loop' || opType === 'Scan')
    return undefined;
  const attribute = (wanted: string) => node.attribute.find(({ name }) => name === wanted);
  if (opType === 'Cast') return Number(attribute('to')?.i ?? 0n) || undefined;
  if (opType === 'Constant') return attribute('value_int') || attribute('value_ints') ? OnnxType.INT64 : OnnxType.FLOAT;
  if (opType === 'ConstantOfShape') return attribute('value')?.t?.dataType ?? OnnxType.FLOAT;
  if ((opType === 'TopK' || opType === 'MaxPool') && at === 1) return OnnxType.INT64;
  if (opType === 'Dropout' && at === 1) return OnnxType.BOOL;
  return ofOneType[opType] ?? types.get(input[typedBy[opType] ?? 0] ?? '');
}
