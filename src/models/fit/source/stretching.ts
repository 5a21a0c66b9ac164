import type { Preprocessing } from '../structure/family.ts';
import type { InputSize } from '../structure/input-size.ts';
import type { OptionValues } from '../structure/options.ts';

/**
 * Says what a model loses that learned from padded pictures, where its file does not pad: the machine stretches every frame to its input. Of two
 * photographs of about 3:2 YOLOv5n found four of six persons stretched, and all six padded.
 * @param preprocessing how such models are fed
 * @param options as they were chosen
 * @param asked options that somebody chose, who may want frames stretched
 * @param size of the input
 * @returns a sentence with what to do; null: it learned from stretched pictures, pads, or was asked to stretch
 * @example
 * stretching({ letterbox: null }, {}, {}, { widthPx: 640, heightPx: 640 }); // => null
 */
export function stretching(
  { letterbox }: Pick<Preprocessing, 'letterbox'>,
  options: OptionValues,
  asked: OptionValues,
  { widthPx, heightPx }: InputSize,
): string | null {
  if (letterbox === null || options['letterbox'] === 'pad' || asked['letterbox'] !== undefined) return null;
  const seen = `Such models learned from pictures of kept proportions. The machine stretches every frame to ${widthPx}×${heightPx}, and the model may find less.`;
  return options['frame'] === undefined
    ? `${seen} Export it as ONNX of opset 11 or later, into which padding is written, or with an input of your camera’s proportions.`
    : `${seen} Say the size of your camera’s frames, such as frame=1280x720: padding for these is then written into the file.`;
}
