import { FlatTable, FlatbufferError } from './flat-table.ts';
import { builtinOperatorName, customOperator } from './operator-names.ts';
import { detectionFacts } from './detection-postprocess.ts';
import { tensorTypeName } from './tensor-types.ts';

/** A tensor as the file declares it. */
export interface TfliteTensor {
  readonly name: string;
  /** "float32", or whatever else the schema calls it */
  readonly type: string;
  /** What the interpreter allocates: an open size is 1. */
  readonly shape: readonly number[];
  /** the sizes as the exporter left them, -1 = open; [] if all are fixed */
  readonly shapeSignature: readonly number[];
  /** real = scale · (stored − zeroPoint), one pair or one a channel; [] = not quantised */
  readonly scale: readonly number[];
  readonly zeroPoint: readonly number[];
  /** number of its constant's buffer; 0 = none */
  readonly buffer: number;
}

/** An operator that the file uses. */
export interface TfliteOperator {
  /** "CONV_2D"; for a custom one its own name, "FlexErf" */
  readonly name: string;
  readonly isCustom: boolean;
  /** version of its kernel that the file asks for */
  readonly version: number;
  /** how often it occurs, in all subgraphs */
  readonly count: number;
}

/** A .tflite file without its weights, named as the schema names things. */
export interface TfliteFile {
  readonly schemaVersion: number;
  /** who wrote it: "MLIR Converted." */
  readonly description: string;
  readonly graphName: string;
  /** inputs of the first subgraph, in its order: what the interpreter shows */
  readonly inputs: readonly TfliteTensor[];
  readonly outputs: readonly TfliteTensor[];
  /** `num_classes` of its detection operator, which counts no background; null: none states it */
  readonly classCount: number | null;
  readonly operators: readonly TfliteOperator[];
  /** convolutions of float32 values with int8 weights, as dynamic range quantisation writes them */
  readonly hybridConvolutions: number;
  readonly subgraphCount: number;
  readonly parameterCount: number;
  /** keys of the model's signatures, which the machine does not use */
  readonly signatures: readonly string[];
  /** the file's metadata, by name */
  readonly metadata: ReadonlyMap<string, Uint8Array>;
}

/** The schema has been version 3 since TensorFlow Lite came out. */
const schemaVersion = 3;

/**
 * Tells whether bytes begin as a .tflite file does: the identifier stands behind the first offset.
 * @param bytes of a file, or its first eight
 * @returns whether the identifier is there
 * @example
 * isTflite(new TextEncoder().encode('....TFL3')); // => true
 * isTflite(new Uint8Array(8)); // => false
 */
export function isTflite(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && String.fromCharCode(...bytes.subarray(4, 8)) === 'TFL3';
}

/**
 * Reads what a .tflite file says of itself.
 * @param bytes of the file
 * @returns tensors at its boundary, operators, signatures and metadata
 * @throws FlatbufferError with words that follow "This .tflite file is damaged."
 * @example
 * import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
 * readTflite(tfliteChannelMeans()).operators.map(({ name, count }) => [name, count]); // => [['MEAN', 1]]
 */
export function readTflite(bytes: Uint8Array): TfliteFile {
  const model = FlatTable.root(bytes);
  const version = model.uint32(0);
  if (version !== schemaVersion) throw new FlatbufferError(`Its schema is version ${version}, not ${schemaVersion}.`);
  const subgraphs = model.tables(2);
  const [graph] = subgraphs;
  if (!graph) throw new FlatbufferError('It has no graph.');
  const buffers = model.tables(4);
  const codes = operatorsOf(model);
  const tables = graph.tables(0);
  const tensors = tables.map(tensorOf);
  const boundary = (field: number) =>
    graph.int32s(field).map((index) => {
      const tensor = tensors[index];
      if (!tensor) throw new FlatbufferError(`It names tensor ${index} of ${tensors.length}.`);
      return tensor;
    });
  const { shapes, classCount } = detectionFacts(graph, codes);
  const outputs = graph.int32s(2);
  return {
    schemaVersion: version,
    description: model.string(3),
    graphName: graph.string(4),
    inputs: boundary(1),
    outputs: boundary(2).map((tensor, i) => ({ ...tensor, shape: shapes.get(outputs[i]!) ?? tensor.shape })),
    classCount,
    operators: countOperators(subgraphs, codes),
    hybridConvolutions: subgraphs.reduce((sum, subgraph) => sum + hybridConvolutions(subgraph, codes), 0),
    subgraphCount: subgraphs.length,
    parameterCount: tensors
      .filter(({ buffer }) => buffer > 0 && hasData(buffers[buffer]))
      .reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0),
    signatures: model.tables(7).map((signature) => signature.string(2)),
    metadata: new Map(
      model.tables(6).map((entry) => [entry.string(0), buffers[entry.uint32(1)]?.bytes(0) ?? new Uint8Array()]),
    ),
  };
}

type OperatorCode = Omit<TfliteOperator, 'count'>;

/** The operators that a file names, by the number under which its graphs use them. */
export function operatorsOf(model: FlatTable): OperatorCode[] {
  return model.tables(1).map(operatorOf);
}

function operatorOf(code: FlatTable): OperatorCode {
  // Codes beyond 127 came with the wider field; older files have the narrow one only.
  const number = Math.max(code.int8(0), code.int32(3));
  const isCustom = number === customOperator;
  return { name: isCustom ? code.string(1) : builtinOperatorName(number), isCustom, version: code.int32(2, 1) };
}

function countOperators(subgraphs: readonly FlatTable[], codes: readonly OperatorCode[]): TfliteOperator[] {
  const counts = new Map<OperatorCode, number>();
  for (const index of subgraphs.flatMap((graph) => graph.tables(3)).map((operator) => operator.uint32(0))) {
    const code = codes[index];
    if (!code) throw new FlatbufferError(`It uses operator ${index} of ${codes.length}.`);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ ...code, count }));
}

const convolutions = ['CONV_2D', 'DEPTHWISE_CONV_2D'];

function hybridConvolutions(graph: FlatTable, codes: readonly OperatorCode[]): number {
  const types = graph.tables(0).map((tensor) => tensorTypeName(tensor.int8(1)));
  return graph.tables(3).filter((operator) => {
    const [values = -1, weights = -1] = operator.int32s(1);
    return (
      convolutions.includes(codes[operator.uint32(0)]!.name) && types[values] === 'float32' && types[weights] === 'int8'
    );
  }).length;
}

export function tensorOf(tensor: FlatTable): TfliteTensor {
  const quantization = tensor.table(4);
  const shapeSignature = tensor.int32s(7);
  return {
    name: tensor.string(3),
    type: tensorTypeName(tensor.int8(1)),
    shape: tensor.int32s(0),
    shapeSignature: shapeSignature.includes(-1) ? shapeSignature : [],
    scale: quantization?.float32s(2) ?? [],
    zeroPoint: quantization?.int64s(3) ?? [],
    buffer: tensor.uint32(2),
  };
}

/** Weights beyond 2 GB follow the flatbuffer; the buffer then has their offset and size. */
export function hasData(buffer: FlatTable | undefined): boolean {
  return buffer !== undefined && (buffer.listAt(0) !== 0 || buffer.uint64(2) > 1);
}
