import type { RotateAttributes } from '../../config/face/cameras.ts';
import type { Frame, FrameSize } from '../frame/frame.ts';
import { toStraightRgba8, wholePixels, type Rgba8Frame } from '../frame/frame-formats.ts';
import { depthAngle, depthAs } from './depth-picture.ts';
import type { GpuPass, PixelStepRecord, TraceBack } from './pixel-step-record.ts';
import { rotatedSize, rotateFreely } from './rotate-freely.ts';
import { sineAndCosine } from './sine-cosine.ts';

/**
 * Rotates a frame clockwise, as 8-bit RGBA. Multiples of 90° move pixels exactly; any other angle gives the bounding
 * box of the rotated frame, bilinear, opaque black outside.
 * @param frame the picture before
 * @param attributes `angleDegs`: clockwise, in degrees
 * @returns the rotated picture
 * @throws TransformError for a depth picture at an angle that the machine does not support
 * @example
 * const red = [9, 0, 0, 255];
 * const blue = [0, 0, 9, 255];
 * const frame = { format: 'rgba8', widthPx: 2, heightPx: 1, samples: Uint8ClampedArray.from([...red, ...blue]) };
 * const turned = rotate(frame, { angleDegs: 180 });
 * [...turned.samples]; // => [...blue, ...red]
 */
export function rotate(frame: Frame, { angleDegs }: RotateAttributes): Rgba8Frame {
  const source = toStraightRgba8(frame);
  const turnDegs = counterClockwiseDegs(frame.isDepth ? depthAngle(angleDegs) : angleDegs);
  const move = quarterMove(source, turnDegs);
  return move ? depthAs(frame, movePixels(source, move)) : rotateFreely(source, turnDegs);
}

/** The size of an 8-bit frame of this size once it is rotated. */
function rotatedFrameSize(size: FrameSize, { angleDegs }: RotateAttributes): FrameSize {
  const turnDegs = counterClockwiseDegs(angleDegs);
  const move = quarterMove(size, turnDegs);
  if (move) return { widthPx: move.widthPx, heightPx: move.heightPx };
  const [widthPx, heightPx] = rotatedSize(size.widthPx, size.heightPx, ...sineAndCosine((Math.PI * turnDegs) / 180));
  return { widthPx, heightPx };
}

/** The same rotation the other way round, in [0, 360). */
function counterClockwiseDegs(angleDegs: number): number {
  return -angleDegs - Math.floor(-angleDegs / 360) * 360;
}

/** Where pixel 0 of a frame turned by quarters comes from, and how far its columns and rows step through the source's pixels. */
interface QuarterMove {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly origin: number;
  readonly column: number;
  readonly row: number;
}

/** null = no multiple of 90. */
function quarterMove(
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

export const rotateStep: PixelStepRecord<RotateAttributes> = {
  apply: rotate,
  sizeAfter: rotatedFrameSize,
  gpuPass(before, { angleDegs }) {
    const turnDegs = counterClockwiseDegs(angleDegs);
    const move = quarterMove(before, turnDegs);
    if (!move) return freePass(before, angleDegs, turnDegs);
    const params = [move.origin, move.column, move.row, move.widthPx, move.heightPx];
    return { shader: 'rotate-quarters', entryPoint: 'rotate_quarters', params, reads: 'straight' };
  },
  trial: { name: 'a turn', attributes: { angleDegs: 17 }, toleranceLevels: 1 },
};

function freePass(before: FrameSize, angleDegs: number, turnDegs: number): GpuPass {
  const [sin, cos] = sineAndCosine((Math.PI * turnDegs) / 180);
  const after = rotatedFrameSize(before, { angleDegs });
  const centreX = after.widthPx / 2 - 0.5;
  const centreY = after.heightPx / 2 - 0.5;
  const columns = offsets(after.widthPx, (x) => [(x - centreX) * cos, (x - centreX) * sin]);
  const rows = offsets(after.heightPx, (y) => [
    before.widthPx / 2 - 0.5 - (y - centreY) * sin,
    before.heightPx / 2 - 0.5 + (y - centreY) * cos,
  ]);
  return {
    shader: 'rotate-freely',
    entryPoint: 'rotate_freely',
    params: [before.widthPx, before.heightPx, after.widthPx, after.heightPx],
    tables: [columns, rows],
    reads: 'straight',
    uncovers: true,
  };
}

/** Positions as whole pixels and 2⁻³² pixels: the shader adds a column's and a row's without losing a bit. */
function offsets(length: number, at: (index: number) => readonly [number, number]): Int32Array<ArrayBuffer> {
  const table = new Int32Array(4 * length);
  for (let i = 0; i < length; i++) {
    at(i).forEach((position, axis) => {
      const whole = Math.floor(position);
      table[4 * i + 2 * axis] = whole;
      table[4 * i + 2 * axis + 1] = Math.floor((position - whole) * 2 ** 32) | 0;
    });
  }
  return table;
}

/** The mapping that rotation samples by: about the centres of both pictures, against the clockwise angle. */
export const traceRotate: TraceBack<RotateAttributes> = ({ x, y }, { angleDegs }, after, before) => {
  const { sin, cos } = sinCos(-angleDegs);
  const fromCentreX = x - (after.widthPx / 2 - 0.5);
  const fromCentreY = y - (after.heightPx / 2 - 0.5);
  return {
    x: fromCentreX * cos - fromCentreY * sin + before.widthPx / 2 - 0.5,
    y: fromCentreX * sin + fromCentreY * cos + before.heightPx / 2 - 0.5,
  };
};

/** Exact at quarter turns, where Math.sin has a rounding error. */
function sinCos(degs: number): { sin: number; cos: number } {
  const turned = degs - Math.floor(degs / 360) * 360;
  const quarter = turned / 90;
  if (Number.isInteger(quarter)) return { sin: [0, 1, 0, -1][quarter]!, cos: [1, 0, -1, 0][quarter]! };
  const radians = (turned * Math.PI) / 180;
  return { sin: Math.sin(radians), cos: Math.cos(radians) };
}
