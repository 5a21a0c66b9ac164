import type { RotateAttributes } from '../../config/transform-steps.ts';
import type { Frame, FrameSize } from '../frame.ts';
import { toStraightRgba8, wholePixels, type Rgba8Frame } from '../frame-formats.ts';
import { depthAngle, depthAs } from './depth-picture.ts';
import { rotatedSize, rotateFreely } from './rotate-freely.ts';
import { sineAndCosine } from './sine-cosine.ts';

/**
 * Rotates clockwise by any number of degrees, as 8-bit RGBA. Multiples of 90 move pixels exactly; any other angle
 * gives the bounding box of the rotated frame, bilinear, opaque black outside.
 */
export function rotate(frame: Frame, { angleDegs }: RotateAttributes): Rgba8Frame {
  const source = toStraightRgba8(frame);
  const turnDegs = counterClockwiseDegs(frame.isDepth ? depthAngle(angleDegs) : angleDegs);
  const move = quarterMove(source, turnDegs);
  return move ? depthAs(frame, movePixels(source, move)) : rotateFreely(source, turnDegs);
}

/** The size of an 8-bit frame of this size once it is rotated. */
export function rotatedFrameSize(size: FrameSize, { angleDegs }: RotateAttributes): FrameSize {
  const turnDegs = counterClockwiseDegs(angleDegs);
  const move = quarterMove(size, turnDegs);
  if (move) return { widthPx: move.widthPx, heightPx: move.heightPx };
  const [widthPx, heightPx] = rotatedSize(size.widthPx, size.heightPx, ...sineAndCosine((Math.PI * turnDegs) / 180));
  return { widthPx, heightPx };
}

/** The same rotation the other way round, in [0, 360). */
export function counterClockwiseDegs(angleDegs: number): number {
  return -angleDegs - Math.floor(-angleDegs / 360) * 360;
}

/** Where pixel 0 of a frame turned by quarters comes from, and how far its columns and rows step through the source's pixels. */
export interface QuarterMove {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly origin: number;
  readonly column: number;
  readonly row: number;
}

/** null = no multiple of 90. */
export function quarterMove(
  { widthPx: w, heightPx: h }: Pick<Frame, 'widthPx' | 'heightPx'>,
  turnDegs: number,
): QuarterMove | null {
  switch (turnDegs) {
    case 0:
      return { widthPx: w, heightPx: h, origin: 0, column: 1, row: w };
    case 90:
      return { widthPx: h, heightPx: w, origin: w - 1, column: w, row: -1 };
    case 180:
      return { widthPx: w, heightPx: h, origin: h * w - 1, column: -1, row: -w };
    case 270:
      return { widthPx: h, heightPx: w, origin: (h - 1) * w, column: -w, row: 1 };
    default:
      return null;
  }
}

function movePixels(source: Rgba8Frame, { widthPx, heightPx, origin, column, row }: QuarterMove): Rgba8Frame {
  const from = wholePixels(source);
  const into = new Uint32Array(widthPx * heightPx);
  for (let y = 0, i = 0; y < heightPx; y++) {
    let at = origin + y * row;
    for (let x = 0; x < widthPx; x++, at += column) into[i++] = from[at]!;
  }
  return { format: 'rgba8', widthPx, heightPx, samples: new Uint8ClampedArray(into.buffer) };
}
