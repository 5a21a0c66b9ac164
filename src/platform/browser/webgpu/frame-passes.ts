import { assertNever } from '../../../vision/assert-never.ts';
import type { UndistortionMap } from '../../../vision/camera-model/undistort.ts';
import type { FrameSize } from '../../../vision/frame.ts';
import type { GpuWork } from '../../../vision/gpu-frame.ts';
import { triangleFilter } from '../../../vision/preprocess/triangle-filter.ts';
import { visibleWindow } from '../../../vision/transforms/crop.ts';
import { sizeAfter, type PixelStep } from '../../../vision/transforms/pixel-step.ts';
import { counterClockwiseDegs, quarterMove } from '../../../vision/transforms/rotate.ts';
import { sineAndCosine } from '../../../vision/transforms/sine-cosine.ts';
import convertShader from './convert.wgsl?raw';
import cropShader from './crop.wgsl?raw';
import resizeBilinearShader from './resize-bilinear.wgsl?raw';
import resizeNearestShader from './resize-nearest.wgsl?raw';
import rotateFreelyShader from './rotate-freely.wgsl?raw';
import rotateQuartersShader from './rotate-quarters.wgsl?raw';
import undistortShader from './undistort.wgsl?raw';
import yuvToRgbShader from './yuv-to-rgb.wgsl?raw';
import { isYuvFrame, yuvLayout, type YuvPlanes } from '../../../vision/yuv/yuv-frame.ts';
import type { ComputePass } from './webgpu-compute.ts';
import { WebGpuError } from './webgpu-error.ts';
import { withJpegColours } from './with-jpeg-colours.ts';

/**
 * What the word of a pixel holds, from its lowest byte: a JPEG's Y, Cb, Cr; red, green, blue and straight alpha; colours that were
 * multiplied by the alpha beside them, which a model sees as they are; or colours of which none is transparent.
 */
export type PictureForm = 'ycbcr' | 'straight' | 'on black' | 'opaque';

/** Passes that leave a picture, one word a pixel. */
export interface PicturePasses extends FrameSize {
  readonly form: PictureForm;
  readonly passes: readonly ComputePass[];
}

const conversions = { planesToRgb: 0, multiplyIn8Bits: 1, multiplyIn16Bits: 2, divideByAlpha: 3 } as const;

/** A frame as it is uploaded. */
export function sourcePicture(source: GpuWork['source']): PicturePasses {
  if (isYuvFrame(source)) return yuvPasses(source);
  const { widthPx, heightPx, format, alphaOnBlack } = source;
  const form = format === 'ycbcr8' ? 'ycbcr' : alphaOnBlack ? 'on black' : 'straight';
  return { widthPx, heightPx, form, passes: [] };
}

function yuvPasses(planes: YuvPlanes): PicturePasses {
  const { widthPx, heightPx, matrix } = planes;
  const { v, chromaStep } = yuvLayout(planes);
  const { scale, bias, redOfV, greenOfU, greenOfV, blueOfU } = matrix;
  const params = [widthPx, heightPx, v, chromaStep, scale, bias, redOfV, greenOfU, greenOfV, blueOfU];
  const pass = { shader: yuvToRgbShader, entryPoint: 'yuv_to_rgb', params };
  return next({ widthPx, heightPx, form: 'opaque', passes: [] }, planes, pass);
}

/** All steps of a frame. @throws TransformError as the reference; WebGpuError too-large */
export function framePasses({ source, steps }: Pick<GpuWork, 'source' | 'steps'>): PicturePasses {
  return steps.reduce(stepPasses, sourcePicture(source));
}

function stepPasses(picture: PicturePasses, step: PixelStep): PicturePasses {
  switch (step.type) {
    case '':
      return picture;
    case 'crop': {
      const { xMin, yMin } = visibleWindow(step.attributes, picture.widthPx, picture.heightPx);
      const size = sizeAfter(picture, step);
      const params = [picture.widthPx, xMin, yMin, size.widthPx, size.heightPx];
      // Whole pixels move: fewer are left to convert.
      return toStraight(next(picture, size, { shader: cropShader, entryPoint: 'crop', params }));
    }
    case 'resize':
      return toOnBlack(resizeNearestPasses(picture, sizeAfter(picture, step)), 'multiplyIn16Bits');
    case 'rotate':
      return rotatePasses(toStraight(picture), step.attributes.angleDegs);
    default:
      return assertNever(step);
  }
}

type PassHead = Pick<ComputePass, 'shader' | 'entryPoint' | 'params' | 'tables'>;

function next(picture: PicturePasses, { widthPx, heightPx }: FrameSize, head: PassHead): PicturePasses {
  const pass = { ...head, resultWords: widthPx * heightPx, columns: widthPx, rows: heightPx };
  return { ...picture, widthPx, heightPx, passes: [...picture.passes, pass] };
}

function converted(picture: PicturePasses, form: PictureForm, conversion: keyof typeof conversions): PicturePasses {
  const params = [picture.widthPx, picture.heightPx, conversions[conversion]];
  return { ...next(picture, picture, { shader: withJpegColours(convertShader), entryPoint: 'convert', params }), form };
}

function toStraight(picture: PicturePasses): PicturePasses {
  if (picture.form === 'straight' || picture.form === 'opaque') return picture;
  return converted(picture, 'straight', picture.form === 'ycbcr' ? 'planesToRgb' : 'divideByAlpha');
}

/** JPEG planes know no alpha: they become RGB. */
function toOnBlack(picture: PicturePasses, multiply: 'multiplyIn8Bits' | 'multiplyIn16Bits'): PicturePasses {
  if (picture.form === 'on black' || picture.form === 'opaque') return picture;
  return picture.form === 'ycbcr' ? toStraight(picture) : converted(picture, 'on black', multiply);
}

function resizeNearestPasses(picture: PicturePasses, size: FrameSize): PicturePasses {
  const isExact = (from: number, to: number) => 2 * from * to < 2 ** 32;
  if (!isExact(picture.widthPx, size.widthPx) || !isExact(picture.heightPx, size.heightPx)) {
    const sizes = [picture, size].map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`).join(' to ');
    throw new WebGpuError(
      'too-large',
      `Resizing ${sizes} needs more than the GPU's 32 bits. The CPU does the same work.`,
    );
  }
  const params = [picture.widthPx, picture.heightPx, size.widthPx, size.heightPx];
  return next(picture, size, { shader: resizeNearestShader, entryPoint: 'resize_nearest', params });
}

/** The stretch in front of a model, on black; a frame that has the size already is not filtered. JPEG planes stay planes. */
export function stretchPasses(picture: PicturePasses, size: FrameSize): PicturePasses {
  const isFiltered = picture.widthPx !== size.widthPx || picture.heightPx !== size.heightPx;
  const multiply = isFiltered ? 'multiplyIn8Bits' : 'multiplyIn16Bits';
  const opaque = picture.form === 'straight' ? converted(picture, 'on black', multiply) : picture;
  if (!isFiltered) return opaque;
  const narrow = { widthPx: size.widthPx, heightPx: picture.heightPx };
  return stretchAxis(stretchAxis(opaque, narrow, 'columns'), size, 'rows');
}

function stretchAxis(picture: PicturePasses, to: FrameSize, axis: 'columns' | 'rows'): PicturePasses {
  const [from, length] = axis === 'columns' ? [picture.widthPx, to.widthPx] : [picture.heightPx, to.heightPx];
  const { taps, start, weights, total } = triangleFilter(from, length, 8);
  return next(picture, to, {
    shader: resizeBilinearShader,
    entryPoint: 'resize_bilinear',
    params: [axis === 'columns' ? 0 : 1, picture.widthPx, taps, to.widthPx, to.heightPx],
    tables: [start, weights, total] as Int32Array<ArrayBuffer>[],
  });
}

function rotatePasses(picture: PicturePasses, angleDegs: number): PicturePasses {
  const turnDegs = counterClockwiseDegs(angleDegs);
  const move = quarterMove(picture, turnDegs);
  if (!move) return rotateFreelyPasses(picture, angleDegs, turnDegs);
  const params = [move.origin, move.column, move.row, move.widthPx, move.heightPx];
  return next(picture, move, { shader: rotateQuartersShader, entryPoint: 'rotate_quarters', params });
}

function rotateFreelyPasses(picture: PicturePasses, angleDegs: number, turnDegs: number): PicturePasses {
  const [sin, cos] = sineAndCosine((Math.PI * turnDegs) / 180);
  const size = sizeAfter(picture, { type: 'rotate', attributes: { angleDegs } });
  const centreX = size.widthPx / 2 - 0.5;
  const centreY = size.heightPx / 2 - 0.5;
  const columns = offsets(size.widthPx, (x) => [(x - centreX) * cos, (x - centreX) * sin]);
  const rows = offsets(size.heightPx, (y) => [
    picture.widthPx / 2 - 0.5 - (y - centreY) * sin,
    picture.heightPx / 2 - 0.5 + (y - centreY) * cos,
  ]);
  // Where the picture was not, nothing is: alpha 0.
  return next({ ...picture, form: 'straight' }, size, {
    shader: rotateFreelyShader,
    entryPoint: 'rotate_freely',
    params: [picture.widthPx, picture.heightPx, size.widthPx, size.heightPx],
    tables: [columns, rows],
  });
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

/** A picture of the map's size without its lens's distortion, opaque black outside. */
export function undistortPasses(picture: PicturePasses, map: UndistortionMap): PicturePasses {
  return next(picture.form === 'ycbcr' ? toStraight(picture) : picture, map, {
    shader: undistortShader,
    entryPoint: 'undistort',
    params: [map.widthPx, map.heightPx],
    tables: [map.sourcePixel as Int32Array<ArrayBuffer>],
  });
}
