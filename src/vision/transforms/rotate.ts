import type { RotateAttributes } from '../../config/machine-config.ts';
import type { Frame } from '../frame.ts';
import { toRgba8, wholePixels, type Rgba8Frame } from '../frame-formats.ts';
import { rotateFreely } from './rotate-freely.ts';

/**
 * Rotates clockwise by any number of degrees, as 8-bit RGBA. Multiples of 90 move pixels exactly; any other angle
 * gives the bounding box of the rotated frame, bilinear, opaque black outside.
 */
export function rotate(frame: Frame, { angleDegs }: RotateAttributes): Rgba8Frame {
  const source = toRgba8(frame);
  const counterClockwiseDegs = -angleDegs - Math.floor(-angleDegs / 360) * 360;
  switch (counterClockwiseDegs) {
    case 0:
      return source;
    case 90:
      return moveByQuarters(source, 3);
    case 180:
      return moveByQuarters(source, 2);
    case 270:
      return moveByQuarters(source, 1);
    default:
      return rotateFreely(source, counterClockwiseDegs);
  }
}

function moveByQuarters(source: Rgba8Frame, clockwiseQuarters: 1 | 2 | 3): Rgba8Frame {
  const { widthPx: w, heightPx: h } = source;
  const [widthPx, heightPx] = clockwiseQuarters === 2 ? [w, h] : [h, w];
  // Where output pixel 0 comes from, and how far one column and one row of the output step through the source.
  const [origin, column, row] = (
    {
      1: [(h - 1) * w, -w, 1],
      2: [h * w - 1, -1, -w],
      3: [w - 1, w, -1],
    } as const
  )[clockwiseQuarters];
  const from = wholePixels(source);
  const into = new Uint32Array(w * h);
  for (let y = 0, i = 0; y < heightPx; y++) {
    let at = origin + y * row;
    for (let x = 0; x < widthPx; x++, at += column) into[i++] = from[at]!;
  }
  return { format: 'rgba8', widthPx, heightPx, samples: new Uint8ClampedArray(into.buffer) };
}
