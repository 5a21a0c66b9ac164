import type { CropAttributes, ResizeAttributes, RotateAttributes } from '../../../config/machine-config.ts';
import type { UndistortionMap } from '../../../vision/camera-model/undistort.ts';
import { triangleFilter } from '../../../vision/preprocess/triangle-filter.ts';
import { visibleWindow } from '../../../vision/transforms/crop.ts';
import { checkResize } from '../../../vision/transforms/resize.ts';
import { counterClockwiseDegs, quarterMove } from '../../../vision/transforms/rotate.ts';
import { rotatedSize } from '../../../vision/transforms/rotate-freely.ts';
import cropShader from './crop.wgsl?raw';
import premultiplyShader from './premultiply.wgsl?raw';
import resizeBilinearShader from './resize-bilinear.wgsl?raw';
import resizeNearestShader from './resize-nearest.wgsl?raw';
import rotateFreelyShader from './rotate-freely.wgsl?raw';
import rotateQuartersShader from './rotate-quarters.wgsl?raw';
import undistortShader from './undistort.wgsl?raw';
import type { ComputePass } from './webgpu-compute.ts';

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Passes that leave a picture, one word a pixel. */
export interface PicturePasses extends Size {
  readonly passes: readonly ComputePass[];
}

type PassHead = Pick<ComputePass, 'shader' | 'entryPoint' | 'params' | 'tables'>;

function picturePass({ widthPx, heightPx }: Size, head: PassHead): ComputePass {
  return { ...head, resultWords: widthPx * heightPx, columns: widthPx, rows: heightPx };
}

/** @throws TransformError as the reference */
export function cropPasses(source: Size, attributes: CropAttributes): PicturePasses {
  const { xMin, yMin, xMax, yMax } = visibleWindow(attributes, source.widthPx, source.heightPx);
  const size = { widthPx: xMax - xMin, heightPx: yMax - yMin };
  const params = [source.widthPx, xMin, yMin, size.widthPx, size.heightPx];
  return { ...size, passes: [picturePass(size, { shader: cropShader, entryPoint: 'crop', params })] };
}

/** @throws TransformError as the reference */
export function resizeNearestPasses(source: Size, { widthPx, heightPx }: ResizeAttributes): PicturePasses {
  checkResize({ widthPx, heightPx });
  const size = { widthPx, heightPx };
  const params = [source.widthPx, source.heightPx, widthPx, heightPx];
  const resize = picturePass(size, { shader: resizeNearestShader, entryPoint: 'resize_nearest', params });
  return { ...size, passes: [premultiplyPass(source, 'in 16 bits'), resize] };
}

/** The stretch in front of a model; a frame that has the size already is only composited on black. */
export function resizeBilinearPasses(source: Size, { widthPx, heightPx }: Size): PicturePasses {
  const size = { widthPx, heightPx };
  if (source.widthPx === widthPx && source.heightPx === heightPx) {
    return { ...size, passes: [premultiplyPass(source, 'in 16 bits')] };
  }
  const columns = triangleFilter(source.widthPx, widthPx, 8);
  const rows = triangleFilter(source.heightPx, heightPx, 8);
  const narrow = { widthPx, heightPx: source.heightPx };
  const along = (axis: 0 | 1, from: Size, to: Size, { taps, start, weights, total }: typeof rows) =>
    picturePass(to, {
      shader: resizeBilinearShader,
      entryPoint: 'resize_bilinear',
      params: [axis, from.widthPx, taps, to.widthPx, to.heightPx],
      tables: [start, weights, total] as Int32Array<ArrayBuffer>[],
    });
  return {
    ...size,
    passes: [premultiplyPass(source, 'in 8 bits'), along(0, source, narrow, columns), along(1, narrow, size, rows)],
  };
}

function premultiplyPass(size: Size, precision: 'in 8 bits' | 'in 16 bits'): ComputePass {
  const params = [size.widthPx, size.heightPx, precision === 'in 8 bits' ? 1 : 0];
  return picturePass(size, { shader: premultiplyShader, entryPoint: 'premultiply', params });
}

export function rotatePasses(source: Size, { angleDegs }: RotateAttributes): PicturePasses {
  const turn = counterClockwiseDegs(angleDegs);
  const move = quarterMove(source, turn);
  if (!move) return rotateFreelyPasses(source, turn);
  const params = [move.origin, move.column, move.row, move.widthPx, move.heightPx];
  const pass = picturePass(move, { shader: rotateQuartersShader, entryPoint: 'rotate_quarters', params });
  return { widthPx: move.widthPx, heightPx: move.heightPx, passes: [pass] };
}

function rotateFreelyPasses(source: Size, counterClockwise: number): PicturePasses {
  const radians = (Math.PI * counterClockwise) / 180;
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const [widthPx, heightPx] = rotatedSize(source.widthPx, source.heightPx, sin, cos);
  const centreX = widthPx / 2 - 0.5;
  const centreY = heightPx / 2 - 0.5;
  const columns = offsets(widthPx, (x) => [(x - centreX) * cos, (x - centreX) * sin]);
  const rows = offsets(heightPx, (y) => [
    source.widthPx / 2 - 0.5 - (y - centreY) * sin,
    source.heightPx / 2 - 0.5 + (y - centreY) * cos,
  ]);
  const size = { widthPx, heightPx };
  const pass = picturePass(size, {
    shader: rotateFreelyShader,
    entryPoint: 'rotate_freely',
    params: [source.widthPx, source.heightPx, widthPx, heightPx],
    tables: [columns, rows],
  });
  return { ...size, passes: [pass] };
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

export function undistortPasses({ widthPx, heightPx, sourcePixel }: UndistortionMap): PicturePasses {
  const size = { widthPx, heightPx };
  const pass = picturePass(size, {
    shader: undistortShader,
    entryPoint: 'undistort',
    params: [widthPx, heightPx],
    tables: [sourcePixel as Int32Array<ArrayBuffer>],
  });
  return { ...size, passes: [pass] };
}
