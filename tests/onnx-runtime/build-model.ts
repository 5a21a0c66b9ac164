import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
  ModelProtoSchema,
  TensorProto_DataLocation as DataLocation,
  TensorProto_DataType as OnnxType,
  type AttributeProtoSchema,
  type FunctionProtoSchema,
  type NodeProtoSchema,
  type TensorProtoSchema,
  type TypeProtoSchema,
  type ValueInfoProtoSchema,
} from '../../src/gen/onnx_pb.ts';

type Node = MessageInitShape<typeof NodeProtoSchema>;
type Value = MessageInitShape<typeof ValueInfoProtoSchema>;
type Type = MessageInitShape<typeof TypeProtoSchema>;

/** The parts of an ONNX model, without checks, so that also invalid models can be written. */
export interface ModelParts {
  readonly ir: number;
  readonly opsets: readonly (readonly [domain: string, version: number])[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly nodes: readonly Node[];
  readonly initializers?: readonly MessageInitShape<typeof TensorProtoSchema>[];
  readonly functions?: readonly MessageInitShape<typeof FunctionProtoSchema>[];
}

export function buildModel({ ir, opsets, inputs, outputs, nodes, initializers = [], functions = [] }: ModelParts) {
  return toBinary(
    ModelProtoSchema,
    create(ModelProtoSchema, {
      irVersion: BigInt(ir),
      opsetImport: imports(opsets),
      functions: [...functions],
      graph: {
        name: 'graph',
        node: [...nodes],
        input: [...inputs],
        output: [...outputs],
        initializer: [...initializers],
      },
    }),
  );
}

export function imports(opsets: ModelParts['opsets']) {
  return opsets.map(([domain, version]) => ({ domain, version: BigInt(version) }));
}

export type ElementType = keyof typeof OnnxType;

export function tensorType(type: ElementType | number, shape?: readonly (number | string)[]): Type {
  const elemType = typeof type === 'number' ? type : OnnxType[type];
  const dim = shape?.map((size) => ({
    value:
      typeof size === 'number'
        ? { case: 'dimValue' as const, value: BigInt(size) }
        : { case: 'dimParam' as const, value: size },
  }));
  return { value: { case: 'tensorType', value: { elemType, ...(dim && { shape: { dim } }) } } };
}

export function tensor(name: string, type: ElementType | number, shape?: readonly (number | string)[]): Value {
  return { name, type: tensorType(type, shape) };
}

export function node(
  opType: string,
  input: readonly string[],
  output: readonly string[],
  attributes: Readonly<Record<string, Omit<MessageInitShape<typeof AttributeProtoSchema>, '$typeName'>>> = {},
  domain = '',
): Node {
  const attribute = Object.entries(attributes).map(([name, value]) => ({ name, ...value }));
  return { opType, domain, input: [...input], output: [...output], attribute };
}

/** A tensor of zeros of any type. */
export function zeros(name: string, type: ElementType, shape: readonly number[], bytesEach: number) {
  const count = shape.reduce((product, size) => product * size, 1);
  const rawData = new Uint8Array(count * bytesEach);
  return { name, dataType: OnnxType[type], dims: shape.map(BigInt), rawData };
}

/** A float32 tensor with external data in a file beside the model. */
export function outside(name: string, shape: readonly number[], location: string) {
  return {
    name,
    dataType: OnnxType.FLOAT,
    dims: shape.map(BigInt),
    dataLocation: DataLocation.EXTERNAL,
    externalData: [{ key: 'location', value: location }],
  };
}
