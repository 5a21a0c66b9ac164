import type { ConfigEntry } from '../parse/config-entries.ts';
import { readAttribute } from './edit-config.ts';
import { stepsOf } from '../parse/parse-transform-step.ts';
import { matchingKey } from '../parse/parse-attributes.ts';
import { isObject, type JsonObject } from '../json/json-document.ts';
import { upstreamCameras } from '../parse/upstream-cameras.ts';

/** Pictures on the bench: what is known besides the text. */
export interface SeenPictures {
  /** the machine's camera that took them; null: none did, as with photographs */
  readonly camera: string | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** bytes of one picture as the machine encodes it; null: not measured */
  readonly bytes: number | null;
}

/** What it costs to capture a camera's pictures at a rate. */
export interface CaptureCost {
  readonly callsPerSecond: number;
  readonly bytesPerPicture: number;
  readonly bytesPerHour: number;
  /** size of a picture */
  readonly size: PictureSize;
  /** whether the size is that of the camera, by the text or as seen; else it is one to go by */
  readonly isSizeKnown: boolean;
}

interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * The machine encodes pictures as JPEG of quality 75. Photographs of 640 × 480 then take 0.2 bytes a pixel (COCO set: 0.19 on
 * average, for a tenth of them more than 0.34), and less for each pixel where there are more: a quarter power, between what
 * that set (0.13) and our sample photographs (0.27) show when they are made smaller.
 */
const bytesPerPixel = 0.2;
const commonSize: PictureSize = { widthPx: 640, heightPx: 480 };

/**
 * Reckons what it costs to capture a camera's pictures.
 * @param entries of the configuration
 * @param camera its name
 * @param rateHz how often it is captured; what is no rate counts as 0
 * @param seen of the same camera, its pictures are the measure; of another, their size is taken where nothing is known
 * @returns the cost; what is seen on a picture adds some hundred bytes, which do not count
 * @example
 * captureCost([], 'cam', 1, null).bytesPerHour; // => 221184000
 */
export function captureCost(
  entries: readonly ConfigEntry[],
  camera: string,
  rateHz: number,
  seen: SeenPictures | null,
): CaptureCost {
  const own = seen?.camera === camera ? seen : null;
  const known = sizeOf(entries, camera) ?? own;
  const { widthPx, heightPx } = known ?? seen ?? commonSize;
  const bytesPerPicture = own?.bytes ?? estimatedBytes(widthPx * heightPx);
  const callsPerSecond = Math.max(0, rateHz);
  return {
    callsPerSecond,
    bytesPerPicture,
    bytesPerHour: bytesPerPicture * callsPerSecond * 3600,
    size: { widthPx, heightPx },
    isSizeKnown: known !== null,
  };
}

/**
 * Says in words what capturing costs.
 * @param cost of `captureCost`
 * @returns sentences: how much an hour and a day, and of which pictures
 * @example
 * costWords(captureCost([], 'cam', 1, null)); // => 'About 220 MB an hour, 5.3 GB a day, if a picture is 640 × 480 (61 kB).'
 */
export function costWords({ bytesPerPicture, bytesPerHour, size, isSizeKnown }: CaptureCost): string {
  const { widthPx, heightPx } = size;
  const of = isSizeKnown ? 'of pictures of' : 'if a picture is';
  return `About ${aboutBytes(bytesPerHour)} an hour, ${aboutBytes(bytesPerHour * 24)} a day, ${of} ${widthPx} × ${heightPx} (${aboutBytes(bytesPerPicture)}).`;
}

/**
 * Says in a few words what capturing costs.
 * @param cost of `captureCost`
 * @returns such as "about 220 MB an hour"
 * @example
 * hourWords(captureCost([], 'cam', 1, null)); // => 'about 220 MB an hour'
 */
export function hourWords({ bytesPerHour }: CaptureCost): string {
  return `about ${aboutBytes(bytesPerHour)} an hour`;
}

/**
 * Says in words how often something happens.
 * @param hertz times a second
 * @returns such as "once a second"
 * @example
 * [5, 1, 0.1].map(rateWords); // => ['5 times a second', 'once a second', 'once in 10 seconds']
 */
export function rateWords(hertz: number): string {
  if (hertz === 1) return 'once a second';
  return hertz > 1 ? `${twoDigits(hertz)} times a second` : `once in ${twoDigits(1 / hertz)} seconds`;
}

function estimatedBytes(pixels: number): number {
  const { widthPx, heightPx } = commonSize;
  return Math.round(pixels * bytesPerPixel * ((widthPx * heightPx) / pixels) ** 0.25);
}

/** Two digits are as exact as the estimate is. */
function aboutBytes(bytes: number): string {
  const rounded = Number(bytes.toPrecision(2));
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, rounded)) / 3));
  return `${Number((rounded / 1000 ** power).toPrecision(2))} ${['bytes', 'kB', 'MB', 'GB'][power]}`;
}

const twoDigits = (value: number): string => String(Number(value.toPrecision(2)));

/** The size of a camera's pictures by the text: that of its source, and what resize and crop steps make of it. */
function sizeOf(entries: readonly ConfigEntry[], camera: string): PictureSize | null {
  let size: PictureSize | null = null;
  for (const entry of upstreamCameras(entries, camera).entries.toReversed()) {
    if (entry.kind === 'source-camera') size = sourceSize(entry);
    else for (const { raw } of stepsOf(readAttribute(entry, 'pipeline'))) size = sizeAfter(raw, size);
  }
  return size;
}

function sourceSize(entry: ConfigEntry): PictureSize | null {
  const read = (...keys: readonly string[]): number =>
    keys.map((key) => readAttribute(entry, key)).find((value) => typeof value === 'number') ?? 0;
  return wholeSize(read('width_px', 'width'), read('height_px', 'height'));
}

function sizeAfter(step: JsonObject, before: PictureSize | null): PictureSize | null {
  const read = (object: JsonObject, key: string): unknown => object[matchingKey(object, key) ?? key];
  const attributes = read(step, 'attributes');
  const number = (key: string): number => {
    const value = isObject(attributes) ? read(attributes, key) : undefined;
    return typeof value === 'number' ? value : 0;
  };
  const type = read(step, 'type');
  if (type === 'resize') return wholeSize(number('width_px'), number('height_px'));
  const isOnlyDrawn = isObject(attributes) && read(attributes, 'overlay_crop_box') === true;
  if (type !== 'crop' || !before || isOnlyDrawn) return before;
  const [width, height] = [number('x_max_px') - number('x_min_px'), number('y_max_px') - number('y_min_px')];
  const isAbsolute = number('x_max_px') > 1 || number('y_max_px') > 1;
  const whole = isAbsolute ? { widthPx: 1, heightPx: 1 } : before;
  const [widthPx, heightPx] = [width * whole.widthPx, height * whole.heightPx];
  return wholeSize(Math.min(widthPx, before.widthPx), Math.min(heightPx, before.heightPx));
}

function wholeSize(widthPx: number, heightPx: number): PictureSize | null {
  const size = { widthPx: Math.trunc(widthPx), heightPx: Math.trunc(heightPx) };
  return size.widthPx > 0 && size.heightPx > 0 ? size : null;
}
