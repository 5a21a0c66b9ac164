import type { GraphProto, NodeProto, TensorProto, ValueInfoProto } from '../../gen/onnx_pb.ts';

/** Sizes, -1 where the graph does not say one. */
type Sizes = readonly number[];

/** Operators whose result has the shape of their first input. */
export const shapeless: ReadonlySet<string> = new Set([
  'Sigmoid',
  'HardSigmoid',
  'Softmax',
  'LogSoftmax',
  'Identity',
  'Cast',
  'Exp',
  'Log',
  'Sqrt',
  'Neg',
  'Abs',
  'Relu',
  'LeakyRelu',
  'PRelu',
  'Clip',
  'Tanh',
  'Elu',
  'QuantizeLinear',
  'DequantizeLinear',
]);
export const elementwise: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div', 'Pow', 'Max', 'Min']);

/**
 * Finds the shape that the nodes above a tensor state: the sizes that a reshape names, joined and transposed as the graph
 * does. It is for files that leave the sizes of their outputs open, as exports with dynamic axes do.
 * @param graph of a model
 * @param tensor its name
 * @returns null for an open size; null: nothing states even how many sizes there are
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * statedShape(decodeModel(channelMeansClassifier()).graph, 'unknown'); // => null
 */
export function statedShape(graph: GraphProto, tensor: string): Sizes | null {
  const makerOf = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const weights = new Map(graph.initializer.map((weight) => [weight.name, weight]));
  const declared = new Map([...graph.input, ...graph.valueInfo].map((info) => [info.name, info]));
  const known = new Map<string, Sizes | null>();

  const shapeOf = (name: string): Sizes | null => {
    if (!known.has(name)) {
      // A graph has no cycles; a file that says otherwise must not end in one.
      known.set(name, null);
      known.set(name, find(name));
    }
    return known.get(name)!;
  };
  const find = (name: string): Sizes | null => {
    const weight = weights.get(name);
    if (weight) return weight.dims.map(Number);
    const maker = makerOf.get(name);
    return filled(sizesOf(declared.get(name)), maker ? ofNode(maker) : null);
  };
  const ofNode = (node: NodeProto): Sizes | null => {
    const [first = '', second = ''] = node.input;
    if (shapeless.has(node.opType)) return shapeOf(first);
    if (elementwise.has(node.opType)) return broadcast(node.input.map(shapeOf));
    switch (node.opType) {
      case 'Reshape':
        // 0 takes a size over from the input, which may not say it.
        return values(second)?.map((size, k) => (size === 0 ? (shapeOf(first)?.[k] ?? -1) : size)) ?? null;
      case 'Transpose':
        return turned(shapeOf(first), integers(node, 'perm'));
      case 'Concat':
        return joined(node.input.map(shapeOf), Number(attribute(node, 'axis')?.i ?? 0n));
      case 'Slice':
        return cut(shapeOf(first), node.input.slice(1, 5).map(values));
      case 'Conv':
        return [-1, Number(weights.get(second)?.dims[0] ?? -1n), -1, -1];
      default:
        return null;
    }
  };
  /** Whole numbers that a tensor of sizes has, -1 for those that are counted when it runs. */
  const values = (name: string): number[] | null => {
    const weight = weights.get(name);
    if (weight) return wholeNumbers(weight);
    const maker = makerOf.get(name);
    if (!maker) return null;
    switch (maker.opType) {
      case 'Constant':
        return wholeNumbers(attribute(maker, 'value')?.t);
      case 'Unsqueeze':
      case 'Cast':
      case 'Identity':
        return values(maker.input[0]!);
      case 'Concat': {
        const parts = maker.input.map(values);
        return parts.every((part) => part !== null) ? parts.flat() : null;
      }
      case 'Gather':
        return [-1];
      default:
        return null;
    }
  };
  return shapeOf(tensor);
}

function attribute(node: NodeProto, name: string) {
  return node.attribute.find((candidate) => candidate.name === name);
}

function integers(node: NodeProto, name: string): number[] {
  return attribute(node, name)?.ints.map(Number) ?? [];
}

/** Null where they lie elsewhere than in the raw bytes, which few exporters do. */
export function wholeNumbers(tensor: TensorProto | undefined): number[] | null {
  if (tensor === undefined || tensor.rawData.length === 0) return null;
  const { buffer, byteOffset, byteLength } = tensor.rawData;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: byteLength / 8 }, (_, k) => Number(view.getBigInt64(8 * k, true)));
}

function sizesOf(info: ValueInfoProto | undefined): Sizes | null {
  const type = info?.type?.value;
  if (type?.case !== 'tensorType' || type.value.shape === undefined) return null;
  return type.value.shape.dim.map(({ value }) =>
    value.case === 'dimValue' && value.value > 0n ? Number(value.value) : -1,
  );
}

/** Each size from whichever says it. */
function filled(sizes: Sizes | null, others: Sizes | null): Sizes | null {
  if (sizes === null || others === null) return sizes ?? others;
  return sizes.length === others.length ? sizes.map((size, k) => (size === -1 ? others[k]! : size)) : sizes;
}

function turned(sizes: Sizes | null, order: readonly number[]): Sizes | null {
  if (sizes === null || order.length !== sizes.length) return null;
  return order.map((from) => sizes[from]!);
}

/** Exporters write the largest number there is for the end of all. */
const openEnd = 2 ** 31 - 1;

/** Starts, ends, axes and steps, of which the last two may be missing. Ends of an unknown size are taken at their word. */
function cut(sizes: Sizes | null, [starts, ends, axes, steps]: readonly (readonly number[] | null)[]): Sizes | null {
  if (sizes === null || !starts || !ends) return null;
  const along = (axes ?? starts.map((_, k) => k)).map((axis) => (axis < 0 ? axis + sizes.length : axis));
  return sizes.map((size, axis) => {
    const k = along.indexOf(axis);
    if (k === -1) return size;
    const fromStart = (place: number) => (place < 0 && size !== -1 ? place + size : place);
    const [start, end] = [fromStart(starts[k]!), Math.min(fromStart(ends[k]!), size === -1 ? Infinity : size)];
    if (start === 0 && end >= openEnd) return size;
    return start >= 0 && end > start && end < openEnd && (steps?.[k] ?? 1) === 1 ? end - start : -1;
  });
}

function joined(parts: readonly (Sizes | null)[], axis: number): Sizes | null {
  const shapes = parts.filter((part) => part !== null);
  const [first] = shapes;
  if (!first || shapes.some(({ length }) => length !== first.length)) return null;
  const along = axis < 0 ? axis + first.length : axis;
  return first.map((_, k) => {
    const sizes = shapes.map((shape) => shape[k]!);
    if (k !== along) return Math.max(...sizes);
    return shapes.length === parts.length && sizes.every((size) => size > 0) ? sizes.reduce((a, b) => a + b, 0) : -1;
  });
}

/** Only of shapes with equally many sizes: others are constants, that change none. */
function broadcast(parts: readonly (Sizes | null)[]): Sizes | null {
  const rank = Math.max(...parts.map((part) => part?.length ?? 0));
  const shapes = parts.filter((part) => part?.length === rank) as Sizes[];
  return rank === 0 ? null : shapes[0]!.map((_, k) => Math.max(...shapes.map((shape) => shape[k]!)));
}
