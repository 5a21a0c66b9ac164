import { create } from '@bufbuild/protobuf';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  NodeProtoSchema,
  type GraphProto,
  type ModelProto,
  type NodeProto,
} from '../../gen/onnx_pb.ts';
import type { TensorData, TensorDtype } from '../../machine/vision/face/feeding.ts';
import { tensorProto } from './edit-model.ts';
import { graphsOf, tensorNames } from './graph-walk.ts';

/** Operator set 7 made broadcasting what it is today; what was written for an older one may mean something else. */
const oldestOpset = 7;
const target = 10;

/**
 * Brings a model of operator sets 7 to 9 to 10, the first with NonMaxSuppression, and with Slice, TopK and Resize in the
 * form that they have had since. It computes the same.
 * @param model is changed, unless it is newer
 * @returns the operator set that it had
 * @throws RangeError for what has no equal there, naming it
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * raiseOpset(decodeModel(channelMeansClassifier())); // => 18
 */
export function raiseOpset(model: ModelProto & { graph: GraphProto }): number {
  const entry = model.opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx');
  const opset = Number(entry?.version ?? 1);
  if (entry === undefined || opset >= target) return opset;
  if (opset < oldestOpset) throw new RangeError(`Opset ${opset} is older than ${oldestOpset}.`);
  const taken = tensorNames(model.graph);
  let count = 0;
  const freshName = () => {
    do count += 1;
    while (taken.has(`sightglass/raised_${count}`));
    return `sightglass/raised_${count}`;
  };
  for (const graph of graphsOf(model.graph)) graph.node = graph.node.flatMap((node) => raised(node, freshName));
  entry.version = BigInt(target);
  return opset;
}

/** The node in its new form, behind the constants that it now reads. */
function raised(node: NodeProto, freshName: () => string): NodeProto[] {
  if (node.domain !== '' && node.domain !== 'ai.onnx') return [node];
  const constants: NodeProto[] = [];
  const take = (name: string) => {
    const attribute = node.attribute.find((candidate) => candidate.name === name);
    node.attribute = node.attribute.filter((candidate) => candidate !== attribute);
    return attribute;
  };
  const reads = (dtype: TensorDtype, data: TensorData) => {
    const constant = constantNode(freshName(), dtype, data);
    constants.push(constant);
    node.input.push(constant.output[0]!);
  };
  switch (node.opType) {
    case 'Slice': {
      const starts = take('starts')?.ints ?? [];
      const ends = take('ends')?.ints ?? [];
      const axes = take('axes')?.ints ?? [];
      for (const values of [starts, ends, axes.length > 0 ? axes : starts.map((_, axis) => BigInt(axis))]) {
        reads('int64', BigInt64Array.from(values));
      }
      break;
    }
    case 'TopK':
      if (node.input.length === 1) reads('int64', BigInt64Array.of(take('k')?.i ?? 1n));
      break;
    case 'Upsample': {
      const scales = take('scales');
      if (scales) reads('float32', Float32Array.from(scales.floats));
      node.opType = 'Resize';
      break;
    }
    case 'BatchNormalization':
      if ((take('spatial')?.i ?? 1n) !== 1n)
        throw new RangeError('BatchNormalization of single activations (spatial=0) is gone.');
      break;
    case 'Scan':
      throw new RangeError('Scan has another form since opset 9.');
  }
  return [...constants, node];
}

function constantNode(name: string, dtype: TensorDtype, data: TensorData): NodeProto {
  const value = create(AttributeProtoSchema, {
    name: 'value',
    type: AttributeType.TENSOR,
    t: tensorProto('', dtype, [data.length], data),
  });
  return create(NodeProtoSchema, { opType: 'Constant', output: [name], attribute: [value] });
}
