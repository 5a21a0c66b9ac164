import type { Preprocessing } from './family.ts';
import type { InputSize } from './input-size.ts';
import type { OptionValues } from './options.ts';

/**
 * Says what a model loses that learned from padded pictures, where its file cannot pad: the machine stretches every frame to its input. Of two
 * photographs of about 3:2 YOLOv5n found four of six persons stretched, and all six padded.
 * @param preprocessing how such models are fed
 * @param options as they were chosen
 * @param size of the input
 * @returns a sentence with what to do; null: it learned from stretched pictures, pads, or was asked to stretch
 * @example
 * stretching({ letterbox: null }, {}, { widthPx: 640, heightPx: 640 }); // => null
 */
export function stretching(
  { letterbox }: Pick<Preprocessing, 'letterbox'>,
  options: OptionValues,
  { widthPx, heightPx }: InputSize,
): string | null {
  if (letterbox === null || options['letterbox'] !== undefined) return null;
  return (
    `Such models learned from pictures of kept proportions. This file cannot pad, so the machine stretches every frame to ${widthPx}×${heightPx}, ` +
    'and the model may find less. Export it with an input of your camera’s proportions, or as ONNX of opset 11 or later, into which padding is written.'
  );
}
