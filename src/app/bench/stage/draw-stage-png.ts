import type { DetectionDetails } from '../../../machine/vision/face/results.ts';
import type { PictureSize, Point } from '../../../machine/vision/face/traces.ts';
import { drawBenchOverlay, drawMachineOverlay, type OverlayBox } from '../../kit/picture/draw-overlay.ts';
import { detailsOfBoxes, drawDetails } from './draw-details.ts';
import { loadMachineFont } from '../../kit/picture/machine-font.ts';

/** What the stage shows at one moment. */
export interface StageMoment {
  /** null: there is no stage any more */
  readonly picture: Promise<ImageBitmap | null>;
  /** the picture's own size; `picture` may be smaller */
  readonly frame: PictureSize;
  /** corners in pixels of the frame */
  readonly boxes: readonly OverlayBox[];
  readonly style: 'bench' | 'machine';
  readonly details: DetectionDetails | null;
  /** puts a point of the details on the frame */
  readonly placeOf: (point: Point) => Point;
}

/** The longest side in px of a picture on which lines and texts have the size that they have on the stage. */
const usualSidePx = 1280;

/** A PNG of the picture with its boxes, as large as the picture is at hand. */
export async function drawStagePng({ picture, frame, boxes, style, details, placeOf }: StageMoment): Promise<Blob> {
  if (style === 'machine') await loadMachineFont();
  const bitmap = await picture;
  if (!bitmap) throw new Error('The stage was closed before its picture was taken.');
  const { width, height } = bitmap;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const perPixel = width / frame.widthPx;
  const pen = style === 'machine' ? 1 : Math.max(1, Math.max(width, height) / usualSidePx);
  const onPaper = ({ x, y }: Point): Point => ({ x: (x * perPixel) / pen, y: (y * perPixel) / pen });
  context.scale(pen, pen);
  // what is pointed at or selected is of no interest to whoever sees the picture
  const drawn = boxes.map((box) => ({ ...box, corners: box.corners.map(onPaper), selected: false, hovered: false }));
  if (details)
    drawDetails(
      context,
      detailsOfBoxes(details, drawn, (point) => onPaper(placeOf(point))),
    );
  if (style === 'machine') drawMachineOverlay(context, drawn, perPixel);
  else drawBenchOverlay(context, drawn, { x: 0, y: 0, width: width / pen, height: height / pen });
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('The browser could not write a PNG.'))), 'image/png');
  });
}
