import type { GraphProto } from '../../../gen/onnx_pb.ts';
import { floatValues, graphConstants } from '../../onnx/face/graphs.ts';
import { asBytes, asUnits, type Normalization } from '../../../machine/vision/face/feeding.ts';
import type { StructureNode } from './structure-node.ts';

/** What a graph does to pixel values by itself, before its first layer. */
export interface InputNormalization extends Normalization {
  /** a sentence: what was seen, and what the model is to be fed therefore */
  readonly why: string;
}

const passing = new Set([
  'Identity',
  'Cast',
  'Transpose',
  'Pad',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'QUANTIZE',
  'DEQUANTIZE',
]);

/**
 * Finds the arithmetic at the beginning of a graph that makes a network's numbers of pixels (Sub, Mul, Div, Add, a batch
 * normalization; Keras' Rescaling is one of these) and says what pixels it expects: bytes, or values from 0 to 1.
 * @param graph a graph with its weights
 * @param input name of the picture's input
 * @returns mean and deviation (of values v / 255) that the machine is to feed it with; null: nothing normalizes there
 * @example
 * inputNormalization({ node: [], initializer: [] }, 'image'); // => null
 */
export function inputNormalization(
  graph: Pick<GraphProto, 'node' | 'initializer'>,
  input: string,
): InputNormalization | null {
  const constants = graphConstants(graph);
  const valuesOf = (name: string) => floatValues(constants.get(name), 3);
  const nodes = graph.node.map((node) => ({
    ...node,
    epsilon: node.attribute.find(({ name }) => name === 'epsilon')?.f,
  }));
  return firstArithmetic({ nodes, valuesOf }, input);
}

/** A graph whose beginning is read. */
interface PixelGraph {
  readonly nodes: readonly PixelNode[];
  /** a constant's values in their order; null: none, or many */
  readonly valuesOf: (tensor: string) => readonly number[] | null;
}

interface PixelNode extends StructureNode {
  /** epsilon of a batch normalization */
  readonly epsilon?: number | undefined;
}

/** What the arithmetic before the first layer of a graph, under ONNX's names for operators, says of the pixels that it expects. */
export function firstArithmetic({ nodes, valuesOf }: PixelGraph, input: string): InputNormalization | null {
  /** One value, or one a channel. */
  const fewOf = (name: string) => {
    const values = valuesOf(name);
    return values?.length === 1 || values?.length === 3 ? values : null;
  };
  const operators: string[] = [];
  // What the graph makes of a pixel x: factor · x + offset, by the largest of the channels.
  let [factor, offset] = [1, 0];
  let tensor = input;
  // No more steps than nodes: the operators of a broken file may form a circle.
  for (let left = nodes.length; left > 0; left--) {
    const readers = nodes.filter((node) => node.input.includes(tensor));
    const [reader] = readers;
    if (!reader || readers.length > 1) break;
    if (!passing.has(reader.opType)) {
      const step = stepOf(reader, tensor, fewOf);
      if (!step) break;
      [factor, offset] = [factor * step.factor, offset * step.factor + step.offset];
      operators.push(reader.opType);
    }
    tensor = reader.output[0]!;
  }
  return operators.length > 0 ? meantBy(factor, offset, operators) : null;
}

type Step = { readonly factor: number; readonly offset: number };

function stepOf(
  { opType, input, epsilon = 1e-5 }: PixelNode,
  tensor: string,
  valuesOf: (name: string) => readonly number[] | null,
): Step | null {
  if (opType === 'BatchNormalization' && input[0] === tensor) {
    const [scale, bias, mean, variance] = input.slice(1, 5).map(valuesOf);
    if (!scale || !bias || !mean || !variance) return null;
    const factor = scale[0]! / Math.sqrt(variance[0]! + epsilon);
    return { factor, offset: bias[0]! - factor * mean[0]! };
  }
  const isFirst = input[0] === tensor;
  const values = input.length === 2 ? valuesOf(input[isFirst ? 1 : 0]!) : null;
  if (!values) return null;
  const value = values[0]!;
  if (opType === 'Add') return { factor: 1, offset: value };
  if (opType === 'Mul') return { factor: value, offset: 0 };
  if (opType === 'Sub') return isFirst ? { factor: 1, offset: -value } : { factor: -1, offset: value };
  return opType === 'Div' && isFirst && value !== 0 ? { factor: 1 / value, offset: 0 } : null;
}

/** Bytes are made smaller by a hundred or so, or lose about 100 of their 255; values from 0 to 1 are made larger, if anything. */
function meantBy(factor: number, offset: number, operators: readonly string[]): InputNormalization | null {
  const seen = `The graph begins with ${operators.join(', ')}, which normalizes pixels itself`;
  if (Math.abs(factor) < 0.1 || (Math.abs(factor) <= 2 && Math.abs(offset) > 20))
    return { ...asBytes, why: `${seen}: it is to be fed values from 0 to 255.` };
  if (Math.abs(factor) > 1.5 && Math.abs(offset) < 20)
    return { ...asUnits, why: `${seen}: it is to be fed values from 0 to 1.` };
  return null;
}
