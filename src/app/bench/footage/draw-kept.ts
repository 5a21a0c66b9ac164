import { drawBenchOverlay, drawMachineOverlay, type OverlayBox } from '../../kit/picture/draw-overlay.ts';
import { loadMachineFont } from '../../kit/picture/machine-font.ts';
import type { LabelColours } from '../../kit/colours/label-colours.svelte.ts';
import type { KeptOnSource } from './footage-session.svelte.ts';

/** How boxes are drawn: as on the stage. */
export interface DrawingStyle {
  readonly style: 'bench' | 'machine';
  readonly colours: LabelColours;
}

/** The longest side in px of a picture on which lines and texts have the size that they have on the stage. */
const usualSidePx = 960;

/** Makes ready what drawing needs. */
export const readyToDraw = async (style: DrawingStyle['style']): Promise<void> => {
  if (style === 'machine') await loadMachineFont();
};

/** Draws what is kept of a frame over its picture, which fills the canvas. */
export function drawKept(
  context: CanvasRenderingContext2D,
  { boxes, classes }: KeptOnSource,
  { style, colours }: DrawingStyle,
): void {
  const { width, height } = context.canvas;
  const pen = style === 'machine' ? 1 : Math.max(1, Math.max(width, height) / usualSidePx);
  const [w, h] = [width / pen, height / pen];
  const drawn = boxes.map(({ label, score, xMin, yMin, xMax, yMax }, row): OverlayBox => ({
    row,
    label,
    score,
    colour: colours.of(label),
    corners: [
      { x: xMin * w, y: yMin * h },
      { x: xMax * w, y: yMin * h },
      { x: xMax * w, y: yMax * h },
      { x: xMin * w, y: yMax * h },
    ],
    kept: true,
    selected: false,
    hovered: false,
    faded: false,
  }));
  context.save();
  context.scale(pen, pen);
  if (style === 'machine') drawMachineOverlay(context, drawn, 1);
  else drawBenchOverlay(context, drawn, { x: 0, y: 0, width: w, height: h });
  if (classes.length > 0) {
    context.font = '600 14px system-ui, sans-serif';
    context.fillStyle = '#ffffff';
    context.strokeStyle = '#000000';
    context.lineWidth = 3;
    for (const [line, { label, score }] of classes.entries()) {
      const text = `${label} ${score.toFixed(2)}`;
      context.strokeText(text, 8, 20 + 18 * line);
      context.fillText(text, 8, 20 + 18 * line);
    }
  }
  context.restore();
}
