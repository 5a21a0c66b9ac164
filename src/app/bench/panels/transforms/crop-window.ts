import type { Attributes } from '../../../../machine/config/face/machine-config.ts';
import { isRelative, type stepRecords } from '../../../../machine/config/face/cameras.ts';
import type { FrameSize } from '../../../../machine/vision/face/frames.ts';
import type { PixelWindow } from '../../../../machine/vision/face/cameras.ts';

type CropEdges = Pick<Attributes<typeof stepRecords.crop.fields>, 'x_min_px' | 'y_min_px' | 'x_max_px' | 'y_max_px'>;

/** The window as the machine cuts it, before it meets the frame's edges. */
export function windowOf(edges: CropEdges, { widthPx, heightPx }: FrameSize): PixelWindow {
  const [x, y] = isRelative(edges) ? [widthPx, heightPx] : [1, 1];
  return {
    xMin: Math.trunc(edges.x_min_px * x),
    yMin: Math.trunc(edges.y_min_px * y),
    xMax: Math.trunc(edges.x_max_px * x),
    yMax: Math.trunc(edges.y_max_px * y),
  };
}

/** The attributes that cut this window: pixels, or the shortest fractions that come to the same pixels. */
export function edgesOf(window: PixelWindow, relative: boolean, { widthPx, heightPx }: FrameSize): CropEdges {
  const { xMin, yMin, xMax, yMax } = window;
  if (!relative) return { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax };
  return {
    x_min_px: fraction(xMin, widthPx),
    y_min_px: fraction(yMin, heightPx),
    x_max_px: fraction(xMax, widthPx),
    y_max_px: fraction(yMax, heightPx),
  };
}

/** Rounded up, since the machine truncates the product; that of 0.29 and 100 is a little below 29. */
function fraction(px: number, ofPx: number): number {
  for (const scale of [1e2, 1e3, 1e4, 1e5]) {
    const steps = Math.ceil((px / ofPx) * scale);
    const candidates = [steps, steps + 1].map((step) => Math.min(1, step / scale));
    const found = candidates.find((candidate) => Math.trunc(candidate * ofPx) === px);
    if (found !== undefined) return found;
  }
  return px / ofPx;
}
