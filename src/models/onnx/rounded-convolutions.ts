import { TensorProto_DataType as OnnxType, type GraphProto, type NodeProto } from '../../gen/onnx_pb.ts';
import { graphsOf } from './graph-walk.ts';

/**
 * The number of convolutions whose quantised arithmetic the machine's ONNX Runtime and the bench's round differently: ConvInteger with
 * uint8 weights, as `quantize_dynamic` writes it, and a Conv between DequantizeLinear of int8 values and of int8 weights, as
 * `quantize_static` writes it with int8 activations. With uint8 activations and int8 weights the numbers are equal.
 * @param graph with its subgraphs
 * @returns how many there are
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * roundedConvolutions(decodeModel(channelMeansClassifier()).graph); // => 0
 */
export function roundedConvolutions(graph: GraphProto): number {
  return graphsOf(graph).reduce((sum, inner) => sum + inner.node.filter(isRounded(inner)).length, 0);
}

function isRounded({ initializer, node }: GraphProto): (node: NodeProto) => boolean {
  const types = new Map(initializer.map(({ name, dataType }) => [name, dataType]));
  const makers = new Map(node.flatMap((maker) => maker.output.map((name) => [name, maker])));
  const isInt8 = (name = ''): boolean => {
    const maker = makers.get(name);
    // Without a zero point values are uint8, if nothing says otherwise.
    return (
      maker?.opType === 'DequantizeLinear' &&
      (types.get(maker.input[2] ?? '') ?? types.get(maker.input[0] ?? '')) === OnnxType.INT8
    );
  };
  return ({ opType, input: [values, weights] }) =>
    opType === 'ConvInteger'
      ? types.get(weights ?? '') === OnnxType.UINT8
      : opType === 'Conv' && isInt8(values) && isInt8(weights);
}
