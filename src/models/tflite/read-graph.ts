import type { GraphOperator, GraphTensor, ModelGraph } from '../../machine/vision/face/inference.ts';
import { FlatTable } from './flat-table.ts';
import { detectionFacts } from './detection-postprocess.ts';
import { decodeTflite } from './read-model.ts';
import { hasData, operatorsOf, tensorOf } from './read-tflite.ts';

/**
 * Reads the first subgraph of a .tflite file, which is what the interpreter runs.
 * @param bytes of the file
 * @returns operators and tensors
 * @throws ModelError `not-tflite`
 * @example
 * import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
 * readTfliteGraph(tfliteChannelMeans()).operators.map(({ operator }) => operator); // => ['MEAN']
 */
export function readTfliteGraph(bytes: Uint8Array): ModelGraph {
  // Says what is wrong with a damaged file, in words.
  decodeTflite(bytes);
  const model = FlatTable.root(bytes);
  const graph = model.tables(2)[0]!;
  const buffers = model.tables(4);
  const codes = operatorsOf(model);
  const { shapes } = detectionFacts(graph, codes);
  const tensors = graph.tables(0).map(tensorOf);
  const names = distinctNames(tensors.map(({ name }) => name));
  const nameAll = (indices: readonly number[]) => indices.filter((index) => index >= 0).map((index) => names[index]!);
  const described = tensors.map(({ type, shape, shapeSignature, buffer }, index): [string, GraphTensor] => {
    const open = shapeSignature.map((size) => (size < 0 ? '?' : size));
    return [
      names[index]!,
      {
        dtype: type,
        shape: shapes.get(index) ?? (open.length > 0 ? open : shape),
        constant: buffer > 0 && hasData(buffers[buffer]) ? '' : null,
      },
    ];
  });
  return {
    inputs: nameAll(graph.int32s(1)),
    outputs: nameAll(graph.int32s(2)),
    operators: graph.tables(3).map((operator): GraphOperator => {
      const { name, isCustom, version } = codes[operator.uint32(0)]!;
      return {
        operator: isCustom ? `custom.${name}` : name,
        name: '',
        inputs: nameAll(operator.int32s(1)),
        outputs: nameAll(operator.int32s(2)),
        attributes: [['kernel version', String(version)]],
        isAdded: false,
      };
    }),
    tensors: new Map(described),
  };
}

/** A tensor whose values stand in the file. */
export interface TfliteConstant {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the constants of the first subgraph.
 * @param bytes a .tflite file
 * @returns types and bytes, under the names that `readTfliteGraph` gives
 * @throws FlatbufferError
 * @example
 * readConstants(new Uint8Array(2)); // throws: Error
 */
export function readConstants(bytes: Uint8Array): ReadonlyMap<string, TfliteConstant> {
  const model = FlatTable.root(bytes);
  const tensors = model.tables(2)[0]!.tables(0).map(tensorOf);
  const names = distinctNames(tensors.map(({ name }) => name));
  const buffers = model.tables(4);
  return new Map(
    tensors.flatMap(({ type, buffer }, index) =>
      buffer > 0 && hasData(buffers[buffer]) ? [[names[index]!, { type, bytes: buffers[buffer]!.bytes(0) }]] : [],
    ),
  );
}

/** The real numbers that a quantised tensor's steps stand for: real = scale · (stored − zeroPoint). */
export interface Quantisation {
  readonly type: string;
  readonly scale: number;
  readonly zeroPoint: number;
}

/**
 * Reads how tensors of the first subgraph are quantised, where all of a tensor's channels have one scale.
 * @param bytes a .tflite file
 * @returns scales and zero points, under the names that `readTfliteGraph` gives
 * @throws FlatbufferError
 * @example
 * readQuantisations(new Uint8Array(2)); // throws: Error
 */
export function readQuantisations(bytes: Uint8Array): ReadonlyMap<string, Quantisation> {
  const tensors = FlatTable.root(bytes).tables(2)[0]!.tables(0).map(tensorOf);
  const names = distinctNames(tensors.map(({ name }) => name));
  return new Map(
    tensors.flatMap(({ type, scale, zeroPoint }, index) =>
      scale.length === 1 ? [[names[index]!, { type, scale: scale[0]!, zeroPoint: zeroPoint[0] ?? 0 }]] : [],
    ),
  );
}

/** Tensors are numbered; their names need not differ. */
function distinctNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name, index) => {
    const distinct = name === '' || seen.has(name) ? `${name}#${index}` : name;
    seen.add(distinct);
    return distinct;
  });
}
