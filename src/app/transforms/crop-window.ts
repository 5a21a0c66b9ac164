import type { Attributes } from '../../config/parse-attributes.ts';
import type { stepAttributeFields } from '../../config/attribute-fields.ts';

/** A crop window in whole pixels of the frame before the step; the maxima are exclusive. */
export interface CropWindow {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

export interface FrameSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

type CropEdges = Pick<Attributes<typeof stepAttributeFields.crop>, 'x_min_px' | 'y_min_px' | 'x_max_px' | 'y_max_px'>;

/** Which edges move with a handle: n, ne, e … ; '' is the whole window. */
export type CropHandle = '' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';

/** The machine takes all four for pixels as soon as either maximum is above 1. */
export function isRelative({ x_max_px, y_max_px }: CropEdges): boolean {
  return x_max_px <= 1 && y_max_px <= 1;
}

/** The window as the machine cuts it, before it meets the frame's edges. */
export function windowOf(edges: CropEdges, { widthPx, heightPx }: FrameSize): CropWindow {
  const [x, y] = isRelative(edges) ? [widthPx, heightPx] : [1, 1];
  return {
    xMin: Math.trunc(edges.x_min_px * x),
    yMin: Math.trunc(edges.y_min_px * y),
    xMax: Math.trunc(edges.x_max_px * x),
    yMax: Math.trunc(edges.y_max_px * y),
  };
}

/** The attributes that cut this window: pixels, or the shortest fractions that come to the same pixels. */
export function edgesOf(window: CropWindow, relative: boolean, { widthPx, heightPx }: FrameSize): CropEdges {
  const { xMin, yMin, xMax, yMax } = window;
  if (!relative) return { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax };
  return {
    x_min_px: fraction(xMin, widthPx),
    y_min_px: fraction(yMin, heightPx),
    x_max_px: fraction(xMax, widthPx),
    y_max_px: fraction(yMax, heightPx),
  };
}

/** Rounded up, since the machine truncates the product. */
function fraction(px: number, ofPx: number): number {
  for (const scale of [1e2, 1e3, 1e4, 1e5]) {
    const candidate = Math.min(1, Math.ceil((px / ofPx) * scale) / scale);
    if (Math.trunc(candidate * ofPx) === px) return candidate;
  }
  return px / ofPx;
}

/** Moves a handle by whole pixels; the window stays inside the frame and at least one pixel wide and high. */
export function moveHandle(
  window: CropWindow,
  handle: CropHandle,
  xPx: number,
  yPx: number,
  { widthPx, heightPx }: FrameSize,
): CropWindow {
  const x = Math.round(xPx);
  const y = Math.round(yPx);
  if (handle === '') {
    const right = clamp(x, -window.xMin, widthPx - window.xMax);
    const down = clamp(y, -window.yMin, heightPx - window.yMax);
    return {
      xMin: window.xMin + right,
      yMin: window.yMin + down,
      xMax: window.xMax + right,
      yMax: window.yMax + down,
    };
  }
  return {
    xMin: handle.includes('w') ? clamp(window.xMin + x, 0, window.xMax - 1) : window.xMin,
    yMin: handle.includes('n') ? clamp(window.yMin + y, 0, window.yMax - 1) : window.yMin,
    xMax: handle.includes('e') ? clamp(window.xMax + x, window.xMin + 1, widthPx) : window.xMax,
    yMax: handle.includes('s') ? clamp(window.yMax + y, window.yMin + 1, heightPx) : window.yMax,
  };
}

/** The part of a window that lies on the frame, at least one pixel of it. */
export function onFrame(window: CropWindow, { widthPx, heightPx }: FrameSize): CropWindow {
  const xMin = clamp(window.xMin, 0, widthPx - 1);
  const yMin = clamp(window.yMin, 0, heightPx - 1);
  return {
    xMin,
    yMin,
    xMax: clamp(window.xMax, xMin + 1, widthPx),
    yMax: clamp(window.yMax, yMin + 1, heightPx),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
