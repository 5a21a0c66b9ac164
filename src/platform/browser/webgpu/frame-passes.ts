import { gpuPassOf, type PixelStep, sizeAfter, type UndistortionMap } from '../../../machine/vision/face/cameras.ts';
import { type FrameSize, isYuvFrame, yuvLayout, type YuvPlanes } from '../../../machine/vision/face/frames.ts';
import type { GpuWork } from '../../../machine/vision/face/runs.ts';
import { triangleFilter } from '../../../machine/vision/face/feeding.ts';
import convertShader from './convert.wgsl?raw';
import resizeBilinearShader from './resize-bilinear.wgsl?raw';
import undistortShader from './undistort.wgsl?raw';
import yuvToRgbShader from './yuv-to-rgb.wgsl?raw';
import type { ComputePass } from './webgpu-compute.ts';
import { WebGpuError } from './webgpu-error.ts';
import { withJpegColours } from './with-jpeg-colours.ts';

/** Every shader of this folder by its file's name: a step has its own by putting it here. */
const shaders = import.meta.glob<string>('./*.wgsl', { query: '?raw', import: 'default', eager: true });

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
  const pass = gpuPassOf(picture, step);
  if (!pass) return picture;
  const { reads, uncovers, leaves, tooLarge, shader, ...head } = pass;
  if (tooLarge !== undefined) throw new WebGpuError('too-large', tooLarge);
  const read = reads === 'straight' ? toStraight(picture) : picture;
  const before: PicturePasses = uncovers ? { ...read, form: 'straight' } : read;
  const made = next(before, sizeAfter(picture, step), { ...head, shader: stepShader(shader) });
  if (leaves === undefined) return made;
  return leaves === 'straight' ? toStraight(made) : toOnBlack(made, 'multiplyIn16Bits');
}

/** The text of a shader in this folder; a GPU pass names its own. */
function stepShader(name: string): string {
  const text = shaders[`./${name}.wgsl`];
  if (text === undefined) throw new RangeError(`There is no shader ${name}.wgsl in src/platform/browser/webgpu.`);
  return text;
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

/** A picture of the map's size without its lens's distortion, opaque black outside. */
export function undistortPasses(picture: PicturePasses, map: UndistortionMap): PicturePasses {
  return next(picture.form === 'ycbcr' ? toStraight(picture) : picture, map, {
    shader: undistortShader,
    entryPoint: 'undistort',
    params: [map.widthPx, map.heightPx],
    tables: [map.sourcePixel as Int32Array<ArrayBuffer>],
  });
}
