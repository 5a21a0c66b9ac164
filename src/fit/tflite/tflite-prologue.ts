import type { TfliteEditor } from '../../tflite/edit-model.ts';
import { tensorTypeNumber } from '../../tflite/tensor-types.ts';
import type { Preprocessing } from '../family.ts';
import { isRaw, type Feeding } from '../prologue.ts';
import { FitError } from '../fit-error.ts';
import { TfliteWriter } from './tflite-writer.ts';

/** The input `image` of the written file, and how the machine is to feed it. */
export interface TflitePrologue {
  /** the tensor `image` */
  readonly input: number;
  readonly feeding: Feeding;
  readonly added: readonly string[];
}

/**
 * Makes the network's input one that the machine fills: bytes as uint8, or float32 with the mean and deviation of its configuration. An
 * input that is one already only gets its name; before others goes a cast or a quantisation.
 */
export function addTflitePrologue(editor: TfliteEditor, { colour, mean, stdDev }: Preprocessing): TflitePrologue {
  const [input] = editor.inputs as [number];
  const { type, shape, scale, zeroPoint } = editor.tensor(input);
  const bgr = colour === 'bgr';
  const bytes: Feeding = { dtype: 'uint8', mean: null, stdDev: null, bgr };
  const floats: Feeding = { dtype: 'float32', mean, stdDev, bgr };
  if (type === 'uint8' || (type === 'float32' && !isRaw({ mean, stdDev }))) {
    editor.renameTensor(input, 'image');
    return { input, feeding: type === 'uint8' ? bytes : floats, added: [] };
  }
  const [quantum, zero] = [scale[0], zeroPoint[0] ?? 0];
  const isQuantised = type === 'int8' && quantum !== undefined;
  // Of bytes whose quantised values are the bytes moved by 128, no float need be made.
  const isMoved = isQuantised && isNear({ mean, stdDev }, quantum, zero + 128);
  const from = isQuantised && !isMoved ? 'float32' : 'uint8';
  const writer = new TfliteWriter(editor, 'before');
  const image = editor.addTensor({
    name: 'image',
    type: from,
    shape,
    ...(isMoved && { quantization: { scale: quantum, zeroPoint: zero + 128 } }),
  });
  writer.read('image', image, from, shape);
  if (isQuantised) {
    editor.addOperator({ name: 'QUANTIZE', options: [] }, [image], [input], 'before');
    return {
      input: image,
      feeding: isMoved ? bytes : floats,
      added: [`a quantisation of the input from ${from} to int8`],
    };
  }
  if (type !== 'float32' && type !== 'int32')
    throw new FitError(
      'not-in-tflite',
      `The model's input is ${type}, and the machine gives uint8 and float32 alone. Convert it with inference_input_type = tf.uint8.`,
    );
  const options = [{ int8: tensorTypeNumber('uint8') }, { int8: tensorTypeNumber(type) }];
  editor.addOperator({ name: 'CAST', options }, [image], [input], 'before');
  return { input: image, feeding: bytes, added: [`a cast of the input from uint8 to ${type}`] };
}

/** Whether feeding bytes b as (b/255 − mean) / deviation gives what quantised values scale · (b − zero) stand for, within a step. */
function isNear({ mean, stdDev }: Pick<Preprocessing, 'mean' | 'stdDev'>, scale: number, zero: number): boolean {
  return mean.every((value, k) =>
    [0, 255].every((byte) => Math.abs((byte / 255 - value) / stdDev[k]! - scale * (byte - zero)) <= 1.5 * scale),
  );
}
