import type { FoundInterpretation } from '../../../../workers/vision/protocol.ts';
import { inkOn, type HexColour } from '../../kit/colours/colour-distance.ts';

/** Draws an interpretation's boxes over the frame, on a canvas with the frame's aspect ratio. */
export function drawInterpretation(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { boxes }: Pick<FoundInterpretation, 'boxes'>,
  colourOf: (label: string) => HexColour,
): void {
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const linePx = Math.max(2, picture.width / 120);
  // In ascending order of score, so that the best are on top.
  for (const { box, label } of boxes.toReversed()) {
    const [x0, y0, x1, y1] = box.map((side, at) => side * (at % 2 === 0 ? picture.width : picture.height)) as [
      number,
      number,
      number,
      number,
    ];
    const colour = colourOf(label);
    for (const [widthPx, stroke] of [
      [1.8 * linePx, inkOn(colour)],
      [linePx, colour],
    ] as const) {
      context.lineWidth = widthPx;
      context.strokeStyle = stroke;
      context.strokeRect(x0, y0, x1 - x0, y1 - y0);
    }
  }
}
