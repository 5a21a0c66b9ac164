import type { NewTensor, TfliteEditor } from '../../tflite/edit-model.ts';
import { tensorTypeNumber } from '../../tflite/tensor-types.ts';
import type { OperatorForm } from '../../tflite/written-operators.ts';
import type { Preprocessing } from '../structure/family.ts';
import { isRaw, type Feeding } from '../source/prologue.ts';
import { FitError } from '../structure/fit-error.ts';
import { addBorder, paddingWords, type Padding } from './tflite-letterbox.ts';

/** The input `image` of the written file, and how the machine is to feed it. */
export interface TflitePrologue {
  /** the tensor `image` */
  readonly input: number;
  readonly feeding: Feeding;
  readonly added: readonly string[];
}

/**
 * Makes the network's input one that the machine fills: bytes as uint8, or float32 with the mean and deviation of its configuration. An
 * input that is one already only gets its name; before others goes a cast or a quantisation, and before these the border of a letterbox.
 */
export function addTflitePrologue(
  editor: TfliteEditor,
  { colour, mean, stdDev }: Preprocessing,
  padding: Padding | null,
): TflitePrologue {
  const [input] = editor.inputs as [number];
  const { shape } = editor.tensor(input);
  const { from, operator, words } = wayInto(editor, input, { mean, stdDev });
  // What the network takes, or what the operator makes that of.
  const whole = operator ? editor.addTensor({ ...from, name: padding ? 'sightglass/padded' : 'image', shape }) : input;
  if (!operator) editor.renameTensor(input, padding ? 'sightglass/padded' : 'image');
  let image = whole;
  if (padding) image = addBorder(editor, from, whole, shape, padding);
  if (operator) editor.addOperator(operator, [whole], [input], 'before');
  const isBytes = from.type === 'uint8';
  return {
    input: image,
    feeding: {
      dtype: isBytes ? 'uint8' : 'float32',
      mean: isBytes ? null : mean,
      stdDev: isBytes ? null : stdDev,
      bgr: colour === 'bgr',
    },
    added: [...(padding ? [paddingWords(padding)] : []), ...words],
  };
}

/** The input that the machine fills, and the operator that makes the network's input of it; null: it is that input. */
interface Way {
  readonly from: Pick<NewTensor, 'quantization'> & { readonly type: 'uint8' | 'float32' };
  readonly operator: OperatorForm | null;
  readonly words: readonly string[];
}

/** @throws FitError not-in-tflite */
function wayInto(editor: TfliteEditor, input: number, fed: Pick<Preprocessing, 'mean' | 'stdDev'>): Way {
  const { type, scale, zeroPoint } = editor.tensor(input);
  const [quantum, zero] = [scale[0], zeroPoint[0] ?? 0];
  if (type === 'float32' && !isRaw(fed)) return { from: { type }, operator: null, words: [] };
  if (type === 'uint8') {
    const quantization = quantum === undefined ? {} : { quantization: { scale: quantum, zeroPoint: zero } };
    return { from: { type, ...quantization }, operator: null, words: [] };
  }
  if (type === 'int8' && quantum !== undefined) {
    // Where quantised values are the bytes moved by 128, no float need be made.
    const isMoved = isNear(fed, quantum, zero + 128);
    const from = isMoved
      ? ({ type: 'uint8', quantization: { scale: quantum, zeroPoint: zero + 128 } } as const)
      : ({ type: 'float32' } as const);
    const words = [`a quantisation of the input from ${from.type} to int8`];
    return { from, operator: { name: 'QUANTIZE', options: [] }, words };
  }
  if (type !== 'float32' && type !== 'int32')
    throw new FitError(
      'not-in-tflite',
      `The model's input is ${type}, and the machine gives uint8 and float32 alone. Convert it with inference_input_type = tf.uint8.`,
    );
  const options = [{ int8: tensorTypeNumber('uint8') }, { int8: tensorTypeNumber(type) }];
  const words = [`a cast of the input from uint8 to ${type}`];
  return { from: { type: 'uint8' }, operator: { name: 'CAST', options }, words };
}

/** Whether feeding bytes b as (b/255 − mean) / deviation gives what quantised values scale · (b − zero) stand for, within a step. */
function isNear({ mean, stdDev }: Pick<Preprocessing, 'mean' | 'stdDev'>, scale: number, zero: number): boolean {
  return mean.every((value, k) =>
    [0, 255].every((byte) => Math.abs((byte / 255 - value) / stdDev[k]! - scale * (byte - zero)) <= 1.5 * scale),
  );
}
