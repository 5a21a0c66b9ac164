import { waitFor } from '../../../base/schedule/wait-for.ts';
import { yuvLayout, yuvMatrices, type YuvMatrix, yuvToRgba } from '../../../machine/vision/face/frames.ts';
import { createVideoPort } from './video-file.ts';
import { asColours, copiesColours, planarFormats } from './yuv-reader.ts';

/** How long the player plays until its colours are compared. */
const playMs = 400;
/** A conversion on a GPU rounds otherwise than one in integers: by a level, seldom by two. */
const mostLevelsApart = 2;

/** How frames of a decoder get the colours that the player shows. */
export interface PlayerColours {
  /** the colour space that the decoder is told; null: none */
  readonly space: VideoColorSpaceInit | null;
  /** makes colours of the decoder's planes; null: the browser does, as it does for the player */
  readonly matrix: YuvMatrix | null;
}

/** The frame of a time in µs as a decoder gives it; null: it gives none. */
export type DecodeAt = (timeUs: number) => Promise<VideoFrame | null>;

/** What the player shows at a moment. */
interface Sight {
  readonly timeUs: number;
  readonly pixels: Uint8ClampedArray;
}

/**
 * Finds how frames of a decoder get the colours of the player. A decoder guesses otherwise than the player where a file names no colours,
 * and what lies in memory is converted otherwise than what lies on a GPU: boxes of a frame would not be those that the bench finds on it.
 * @param decoderOf a decoder that is told these colours
 * @throws Error with why not
 */
export async function coloursOfPlayer(
  file: Blob,
  name: string,
  decoderOf: (space: VideoColorSpaceInit | null) => Promise<DecodeAt>,
): Promise<PlayerColours> {
  const { sights, space: shown } = await sightsOfPlayer(file, name);
  for (const space of [null, shown]) {
    const matrix = await matrixOf(await decoderOf(space), sights);
    if (matrix !== undefined) return { space, matrix };
  }
  throw new Error('its colours come out of the decoder otherwise than the player shows them');
}

/** The frame in the colours of the player; closes the decoder's. */
export async function inColours(frame: VideoFrame, matrix: YuvMatrix | null): Promise<VideoFrame> {
  if (!matrix) return frame;
  const { timestamp, displayWidth, displayHeight, visibleRect } = frame;
  const { width: codedWidth, height: codedHeight } = visibleRect!;
  const layout = { format: 'RGBA', codedWidth, codedHeight, displayWidth, displayHeight, timestamp } as const;
  try {
    return new VideoFrame(await pixelsOf(frame, matrix), layout);
  } finally {
    frame.close();
  }
}

/** The first frame and one that comes soon after it: a video may begin with black. */
async function sightsOfPlayer(file: Blob, name: string) {
  const video = await createVideoPort().open(file, name);
  const frames: VideoFrame[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      video.onFrame((frame) => {
        if (!(frame instanceof VideoFrame)) {
          frame.close();
          reject(new Error('this browser’s player gives no frames to compare colours by'));
          return;
        }
        frames.splice(1).forEach((former) => former.close());
        frames.push(frame);
        if (frames.length === 1)
          void video
            .play()
            .then(() => waitFor(playMs))
            .then(resolve, resolve);
      });
    });
    const space = frames[0]!.colorSpace.toJSON();
    const sights: Sight[] = [];
    for (const frame of frames) sights.push({ timeUs: frame.timestamp, pixels: await pixelsOf(frame, null) });
    return { sights, space };
  } finally {
    video.close();
    for (const frame of frames) frame.close();
  }
}

/** null: the browser's own conversion gives these sights; undefined: none does that is known here. */
async function matrixOf(decodeAt: DecodeAt, sights: readonly Sight[]): Promise<YuvMatrix | null | undefined> {
  const frames: VideoFrame[] = [];
  try {
    for (const { timeUs } of sights) {
      const frame = await decodeAt(timeUs);
      if (!frame) throw new Error('its decoder gives no frame');
      frames.push(frame);
    }
    const [first] = frames;
    let least = mostLevelsApart + 1;
    let best: YuvMatrix | null | undefined;
    for (const matrix of [null, ...(first && canConvert(first) ? yuvMatrices(first.colorSpace) : [])]) {
      const given = await Promise.all(frames.map((frame) => pixelsOf(frame, matrix)));
      const apart = Math.max(...given.map((pixels, at) => levelsApart(pixels, sights[at]!.pixels)));
      if (apart < least) [least, best] = [apart, matrix];
    }
    return best;
  } finally {
    for (const frame of frames) frame.close();
  }
}

/** Planes of frames that are not turned: their pixels lie as they are shown. */
const canConvert = (frame: VideoFrame): boolean =>
  planarFormats[frame.format!] !== undefined && !('rotation' in frame && frame.rotation);

/** The colours of a frame; `matrix` makes them of its planes. */
async function pixelsOf(frame: VideoFrame, matrix: YuvMatrix | null): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const format = planarFormats[frame.format!];
  if (!matrix || !format) {
    if (!copiesColours(frame)) return drawnPixels(frame);
    const samples = new Uint8ClampedArray(frame.allocationSize(asColours));
    await frame.copyTo(samples, asColours);
    return samples;
  }
  const { width: widthPx, height: heightPx } = frame.visibleRect!;
  const planes = new Uint8Array(yuvLayout({ format, widthPx, heightPx }).byteLength);
  await frame.copyTo(planes);
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  yuvToRgba({ format, widthPx, heightPx, planes, matrix }, samples);
  return samples;
}

function drawnPixels(frame: VideoFrame): Uint8ClampedArray<ArrayBuffer> {
  const { displayWidth, displayHeight } = frame;
  const context = new OffscreenCanvas(displayWidth, displayHeight).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(frame, 0, 0);
  return context.getImageData(0, 0, displayWidth, displayHeight).data;
}

/** By how many levels of 255 two pictures differ at most. */
function levelsApart(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  if (one.length !== other.length) return Infinity;
  let most = 0;
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs(one[at]! - other[at]!));
  return most;
}
