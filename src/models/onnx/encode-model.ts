import { toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { GraphProtoSchema, ModelProtoSchema, TensorProtoSchema, type ModelProto } from '../../gen/onnx_pb.ts';
import { joinBytes } from '../../base/streams/join-bytes.ts';

/** Protocol Buffers' own limit of a message, and that of every runtime's reader. */
const mostBytes = 2 ** 31 - 1;
const graphField = ModelProtoSchema.field.graph.number;
const initializerField = GraphProtoSchema.field.initializer.number;
const rawDataField = TensorProtoSchema.field.rawData.number;

/**
 * Writes a model as a file. Weights are copied once, straight to where they end: a writer that knows messages only would
 * copy them at each level of nesting.
 * @param model as a Protocol Buffers message
 * @returns the bytes of a .onnx file
 * @throws RangeError above 2 GiB
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * import { decodeModel } from './edit-model.ts';
 * const bytes = channelMeansClassifier();
 * encodeModel(decodeModel(bytes)).length === bytes.length; // => true
 */
export function encodeModel(model: ModelProto): Uint8Array<ArrayBuffer> {
  const parts = modelParts(model);
  const length = lengthOf(parts);
  if (length > mostBytes) {
    throw new RangeError(
      `The model would be ${length} bytes; a file of this format holds at most ${mostBytes} (2 GiB). ` +
        'Convert its weights to float16 or int8 first.',
    );
  }
  return joinBytes(parts);
}

function modelParts(model: ModelProto): Uint8Array[] {
  const { graph } = model;
  const { graph: _, ...shell } = model;
  const parts: Uint8Array[] = [toBinary(ModelProtoSchema, shell)];
  if (graph === undefined) return parts;
  const inGraph: Uint8Array[] = [toBinary(GraphProtoSchema, { ...graph, initializer: [] })];
  for (const tensor of graph.initializer) {
    const { rawData } = tensor;
    const inTensor: Uint8Array[] = [toBinary(TensorProtoSchema, { ...tensor, rawData: new Uint8Array() })];
    if (rawData.length > 0) inTensor.push(prefix(rawDataField, rawData.length), rawData);
    inGraph.push(prefix(initializerField, lengthOf(inTensor)), ...inTensor);
  }
  return [...parts, prefix(graphField, lengthOf(inGraph)), ...inGraph];
}

function prefix(field: number, length: number): Uint8Array {
  return new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
