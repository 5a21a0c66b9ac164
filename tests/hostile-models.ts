import { AttributeProto_AttributeType as AttributeType, TensorProto_DataType as OnnxType } from '../src/gen/onnx_pb.ts';
import { buildModel, node, tensor, type ModelParts } from './onnx-runtime/build-model.ts';

/** Models that no exporter writes: they never end, use all memory, or declare wrong shapes. Their input is [1, 3, 8, 8], float32. */

const image = tensor('image', 'FLOAT', [1, 3, 8, 8]);
const scores = tensor('probability', 'FLOAT', [1, 3]);
type Nodes = ModelParts['nodes'];
type Initializers = NonNullable<ModelParts['initializers']>;

/**
 * A model whose probability is the mean of red, green and blue, and that never ends on pictures that are all red (mean
 * above 0.9), or on any picture. The input is not normalized.
 */
export function endlessModel(hangsOn: 'red' | 'any'): Uint8Array<ArrayBuffer> {
  const body = {
    name: 'body',
    input: [tensor('turn', 'INT64', []), tensor('goesOn', 'BOOL', []), tensor('carried', 'FLOAT', [1, 3])],
    output: [tensor('goesOnAgain', 'BOOL', []), tensor('carriedOn', 'FLOAT', [1, 3])],
    node: [node('Identity', ['goesOn'], ['goesOnAgain']), node('Identity', ['carried'], ['carriedOn'])],
  };
  return built(
    [
      node('ReduceMean', ['image', 'sides'], ['mean'], { keepdims: int(0) }),
      node('Gather', ['mean', 'first'], ['red'], { axis: int(1) }),
      node('ReduceMin', ['red'], ['level'], { keepdims: int(0) }),
      node('Greater', ['level', 'limit'], ['hangs']),
      node('Loop', ['turns', 'hangs', 'mean'], ['probability'], { body: { type: AttributeType.GRAPH, g: body } }),
    ],
    [
      ints('sides', [2, 3], [2]),
      ints('first', [0], [1]),
      floats('limit', [hangsOn === 'red' ? 0.9 : -1e30], []),
      ints('turns', [2n ** 63n - 1n], []),
    ],
  );
}

/** A model that needs more memory than exists: at once, or doubling in each iteration of a loop. */
export function greedyModel(how: 'at once' | 'by and by'): Uint8Array<ArrayBuffer> {
  if (how === 'at once')
    return built(
      [
        node('ConstantOfShape', ['vast'], ['much']),
        node('ReduceMax', ['much'], ['none'], { keepdims: int(0) }),
        node('ReduceMean', ['image', 'sides'], ['mean'], { keepdims: int(0) }),
        node('Add', ['mean', 'none'], ['probability']),
      ],
      [ints('sides', [2, 3], [2]), ints('vast', [2 ** 20, 2 ** 20], [2])],
    );
  const body = {
    name: 'body',
    input: [tensor('turn', 'INT64', []), tensor('goesOn', 'BOOL', []), tensor('carried', 'FLOAT', ['n'])],
    output: [tensor('goesOnAgain', 'BOOL', []), tensor('carriedOn', 'FLOAT', ['m'])],
    node: [
      node('Identity', ['goesOn'], ['goesOnAgain']),
      node('Concat', ['carried', 'carried'], ['carriedOn'], { axis: int(0) }),
    ],
  };
  return built(
    [
      node('Reshape', ['image', 'flat'], ['row']),
      node('Loop', ['turns', 'yes', 'row'], ['much'], { body: { type: AttributeType.GRAPH, g: body } }),
      node('ReduceMax', ['much'], ['most'], { keepdims: int(0) }),
      node('ReduceMean', ['image', 'sides'], ['mean'], { keepdims: int(0) }),
      node('Add', ['mean', 'most'], ['probability']),
    ],
    [ints('sides', [2, 3], [2]), ints('flat', [-1], [1]), ints('turns', [64], []), yes],
  );
}

/** A model with `If` nested `depth` times; at the innermost level the probability is the mean of red, green and blue. */
export function nestedModel(depth: number): Uint8Array<ArrayBuffer> {
  const sides = ints('sides', [2, 3], [2]);
  const mean = (output: string) => node('ReduceMean', ['image', 'sides'], [output], { keepdims: int(0) });
  let branch = { name: 'bottom', node: [mean('bottom')], output: [tensor('bottom', 'FLOAT', [1, 3])] };
  for (let level = 0; level < depth; level++) {
    const output = `level${level}`;
    const other = { name: `other${level}`, node: [mean(`o${level}`)], output: [tensor(`o${level}`, 'FLOAT', [1, 3])] };
    const attributes = {
      then_branch: { type: AttributeType.GRAPH, g: branch },
      else_branch: { type: AttributeType.GRAPH, g: other },
    };
    branch = {
      name: output,
      node: [node('If', ['yes'], [output], attributes)],
      output: [tensor(output, 'FLOAT', [1, 3])],
    };
  }
  const [top] = branch.node;
  return built([{ ...top!, output: ['probability'] }], [sides, yes]);
}

/** A model that declares an input of this shape, such as sides of -1 or 0, or too large for any memory. */
export function modelOfShape(shape: readonly number[]): Uint8Array<ArrayBuffer> {
  return buildModel({
    ir: 8,
    opsets: [['', 18]],
    inputs: [tensor('image', 'FLOAT', shape)],
    outputs: [scores],
    nodes: [node('ReduceMean', ['image', 'sides'], ['probability'], { keepdims: int(0) })],
    initializers: [ints('sides', [2, 3], [2])],
  });
}

function built(nodes: Nodes, initializers: Initializers): Uint8Array<ArrayBuffer> {
  return buildModel({ ir: 8, opsets: [['', 18]], inputs: [image], outputs: [scores], nodes, initializers });
}

const int = (value: number) => ({ type: AttributeType.INT, i: BigInt(value) });
const yes = { name: 'yes', dataType: OnnxType.BOOL, dims: [], rawData: Uint8Array.of(1) };

function ints(name: string, values: readonly (number | bigint)[], dims: readonly number[]) {
  const rawData = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return { name, dataType: OnnxType.INT64, dims: dims.map(BigInt), rawData };
}

function floats(name: string, values: readonly number[], dims: readonly number[]) {
  const rawData = new Uint8Array(Float32Array.from(values).buffer);
  return { name, dataType: OnnxType.FLOAT, dims: dims.map(BigInt), rawData };
}
