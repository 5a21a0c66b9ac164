import { expect, it } from 'vitest';
import { drawBenchOverlay, type OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';

const sidePx = 120;

/** The RGBA pixels of one box whose second corner is `lowerPx` lower. */
function pixelsOf(how: Partial<OverlayBox>, lowerPx: number): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(sidePx, sidePx);
  const context = canvas.getContext('2d')!;
  const [left, top, right, bottom] = [20.3, 30.6, 90.8, 81.2];
  const corners = [
    { x: left, y: top },
    { x: right, y: top + lowerPx },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  const box = { row: 0, label: 'cat', score: 0.5, colour: '#4bc3f0', kept: true } as const;
  const stage = { x: 0, y: 0, width: sidePx, height: sidePx };
  const drawn = { ...box, corners, selected: false, hovered: false, faded: false, ...how };
  drawBenchOverlay(context as unknown as CanvasRenderingContext2D, [drawn], stage, false);
  return context.getImageData(0, 0, sidePx, sidePx).data;
}

it.each([
  ['kept', {}],
  ['dropped', { kept: false }],
  ['selected', { selected: true }],
  ['faded', { faded: true }],
])('draws a box that stands upright as any other: %s', (_, how) => {
  const upright = pixelsOf(how, 0);
  const tilted = pixelsOf(how, 1e-4); // an invisible tilt, but a tilted box is drawn as a path
  const apart = upright.map((value, at) => Math.abs(value - tilted[at]!));
  expect(upright.some((value) => value > 0)).toBe(true);
  expect(Math.max(...apart)).toBeLessThan(96); // antialiased edges differ by a fraction of a pixel
});
