import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { TensorProto_DataType as OnnxType, type GraphProto, type TensorProto } from '../../gen/onnx_pb.ts';
import { dropUnusedInitializers, tensorProto } from './edit-model.ts';
import { freeName, graphsOf, tensorNames } from './graph-walk.ts';

/** The number of ConvInteger nodes with int8 weights. ONNX Runtime does not support these on a CPU, and `quantize_dynamic` writes them by default. */
export function signedConvolutions(graph: GraphProto): number {
  const signed = signedWeights(graph);
  return graphsOf(graph)
    .flatMap(({ node }) => node)
    .filter(({ opType, input }) => opType === 'ConvInteger' && signed.has(input[1] ?? '')).length;
}

/**
 * Writes int8 weights of ConvInteger as uint8. Weights and their zero point both move by 128, so that the sums, which are
 * made of their differences, stay the same.
 * @param graph is changed
 * @returns how many convolutions were changed; those whose zero point is computed stay
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * unsignConvolutions(decodeModel(channelMeansClassifier()).graph); // => 0
 */
export function unsignConvolutions(graph: GraphProto): number {
  const signed = signedWeights(graph);
  const taken = tensorNames(graph);
  const moved = new Map<string, string>();
  const add = (tensor: TensorProto): string => {
    graph.initializer.push(tensor);
    return tensor.name;
  };
  const nameFor = (name: string): string => freeName(`sightglass/unsigned_${name}`, taken);
  const movedTo = (name: string): string => {
    if (!moved.has(name)) moved.set(name, add(unsigned(signed.get(name)!, nameFor(name))));
    return moved.get(name)!;
  };
  let count = 0;
  for (const { opType, input } of graphsOf(graph).flatMap(({ node }) => node)) {
    const [x = '', weights = '', xZeroPoint = '', zeroPoint = ''] = input;
    if (opType !== 'ConvInteger' || !signed.has(weights) || (zeroPoint !== '' && !signed.has(zeroPoint))) continue;
    const middle =
      zeroPoint === ''
        ? add(tensorProto(nameFor(`zero_${count}`), 'uint8', [], Uint8Array.of(128)))
        : movedTo(zeroPoint);
    input.splice(0, input.length, x, movedTo(weights), xZeroPoint, middle);
    count += 1;
  }
  dropUnusedInitializers(graph);
  return count;
}

function signedWeights(graph: GraphProto): ReadonlyMap<string, TensorProto> {
  const weights = graph.initializer.filter(({ dataType }) => dataType === OnnxType.INT8);
  return new Map(weights.map((weight) => [weight.name, weight]));
}

function unsigned(tensor: TensorProto, name: string): TensorProto {
  const bytes = tensor.rawData.length > 0 ? tensor.rawData : typedBytes(tensor);
  return tensorProto(
    name,
    'uint8',
    tensor.dims.map(Number),
    bytes.map((byte) => byte ^ 128),
  );
}

/** Small integers also come as varints in `int32_data`, a field that is kept as it is in the file: its length, then the numbers. */
const int32Data = 5;

function typedBytes({ $unknown = [] }: TensorProto): Uint8Array<ArrayBuffer> {
  const values = $unknown
    .filter(({ no, wireType }) => no === int32Data && wireType === WireType.LengthDelimited)
    .flatMap(({ data }) => {
      const reader = new BinaryReader(data);
      const end = reader.uint32() + reader.pos;
      const numbers: number[] = [];
      while (reader.pos < end) numbers.push(reader.int32());
      return numbers;
    });
  return Uint8Array.from(values);
}
