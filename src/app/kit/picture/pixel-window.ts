import type { FrameSize } from '../../../machine/vision/face/frames.ts';
import type { PixelWindow } from '../../../machine/vision/face/cameras.ts';

/** The edges that a handle moves: n, ne, e … ; '' moves the whole window. */
export type WindowHandle = '' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';

/** Clockwise from the upper left corner, without the handle of the whole window. */
export const edgeHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;

/** Moves a handle by whole pixels; the window stays inside the frame and at least one pixel wide and high. */
export function moveHandle(
  window: PixelWindow,
  handle: WindowHandle,
  xPx: number,
  yPx: number,
  { widthPx, heightPx }: FrameSize,
): PixelWindow {
  const x = Math.round(xPx);
  const y = Math.round(yPx);
  if (handle === '') {
    const right = clamp(x, -window.xMin, widthPx - window.xMax);
    const down = clamp(y, -window.yMin, heightPx - window.yMax);
    return { xMin: window.xMin + right, yMin: window.yMin + down, xMax: window.xMax + right, yMax: window.yMax + down };
  }
  return {
    xMin: handle.includes('w') ? clamp(window.xMin + x, 0, window.xMax - 1) : window.xMin,
    yMin: handle.includes('n') ? clamp(window.yMin + y, 0, window.yMax - 1) : window.yMin,
    xMax: handle.includes('e') ? clamp(window.xMax + x, window.xMin + 1, widthPx) : window.xMax,
    yMax: handle.includes('s') ? clamp(window.yMax + y, window.yMin + 1, heightPx) : window.yMax,
  };
}

/** Clips a window to the frame; at least one pixel of it remains. */
export function onFrame(window: PixelWindow, { widthPx, heightPx }: FrameSize): PixelWindow {
  const xMin = clamp(window.xMin, 0, widthPx - 1);
  const yMin = clamp(window.yMin, 0, heightPx - 1);
  return { xMin, yMin, xMax: clamp(window.xMax, xMin + 1, widthPx), yMax: clamp(window.yMax, yMin + 1, heightPx) };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
