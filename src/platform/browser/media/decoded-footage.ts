import { readMp4, type ByteSource, type Mp4Video } from '../../../mp4/read-mp4.ts';
import { decodeFrom, frameAtUs, shownFrames, type ShownFrames } from '../../../mp4/shown-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../../ports/footage-reader.ts';
import { SourceError } from '../../../ports/frame-source.ts';
import { waitFor } from '../../../schedule/wait-for.ts';
import { yuvLayout } from '../../../vision/yuv/yuv-frame.ts';
import { yuvMatrices, type YuvMatrix } from '../../../vision/yuv/yuv-matrix.ts';
import { yuvToRgba } from '../../../vision/yuv/yuv-to-rgba.ts';
import { createVideoPort } from './video-file.ts';
import { asColours } from './yuv-reader.ts';

/** How much of a file is read at a time. */
const blockBytes = 2 ** 20;
/** Frames that wait, decoded or not: decoders in hardware have few to give. */
const mostWaiting = 4;
/** How long the player plays until its colours are compared. */
const playMs = 400;
/** A conversion on a GPU rounds otherwise than one in integers: by a level, seldom by two. */
const mostLevelsApart = 2;

/** Turned frames are told to decoders by newer browsers only; TypeScript's library does not know it yet. */
type TurnedConfig = VideoDecoderConfig & { readonly rotation?: number };

/** An MP4 or MOV file whose frames this browser decodes in order, each once. @throws Mp4Error, or an Error with why not */
export async function decodedFootage(file: Blob, name: string, fingerprint: string): Promise<FootageReader> {
  if (typeof VideoDecoder !== 'function') throw new Error('this browser gives pages no video decoder');
  const bytes = new FileBytes(file);
  const video = await readMp4(bytes);
  if (video.rotation !== 0 && !('rotation' in VideoFrame.prototype))
    throw new Error('its pictures are turned, which this browser’s decoder does not do');
  const shown = shownFrames(video);
  const undecided = { bytes, video, shown, name };
  const film: Film = { ...undecided, colours: await coloursOfPlayer(undecided, file) };
  return {
    name,
    kind: 'video',
    fingerprint,
    frameCount: shown.count,
    durationMs: shown.durationUs / 1000,
    whySlow: '',
    frames: (behind, signal) => decodedFrames(film, behind ? behind.index + 1 : 0, signal),
    async frameAt({ timeMs }, signal) {
      // Half of a µs more: times in ms may have been rounded.
      return decodedFrame(film, 1000 * timeMs, signal);
    },
  };
}

interface Film {
  readonly bytes: FileBytes;
  readonly video: Mp4Video;
  readonly colours: Colours;
  readonly shown: ShownFrames;
  readonly name: string;
}

/** How frames get the colours that the player shows. */
interface Colours {
  readonly config: TurnedConfig;
  /** makes colours of the decoder's planes; null: the browser does, as it does for the player */
  readonly matrix: YuvMatrix | null;
}

/** What the player shows at a moment. */
interface Sight {
  readonly timeUs: number;
  readonly pixels: Uint8ClampedArray;
}

/**
 * Finds how frames of the decoder get the colours of the player. A decoder guesses otherwise than the player where a file names no colours,
 * and what lies in memory is converted otherwise than what lies on a GPU: boxes of a frame would not be those that the bench finds on it.
 */
async function coloursOfPlayer(film: Omit<Film, 'colours'>, file: Blob): Promise<Colours> {
  const { sights, space } = await sightsOfPlayer(file, film.name);
  for (const config of [configOf(film.video, null), configOf(film.video, space)]) {
    const { supported } = await VideoDecoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (!supported) throw new Error(`this browser’s decoder does not know ${film.video.codec}`);
    const matrix = await matrixOf({ ...film, colours: { config, matrix: null } }, sights);
    if (matrix !== undefined) return { config, matrix };
  }
  throw new Error('its colours come out of the decoder otherwise than the player shows them');
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
async function matrixOf(film: Film, sights: readonly Sight[]): Promise<YuvMatrix | null | undefined> {
  const frames: VideoFrame[] = [];
  try {
    for (const { timeUs } of sights) {
      const frame = await decodedFrame(film, timeUs, new AbortController().signal);
      if (!frame) throw new Error('its decoder gives no frame');
      frames.push(frame);
    }
    const isPlanar = planarFormatOf(frames[0]!) !== null && film.video.rotation === 0;
    let least = mostLevelsApart + 1;
    let best: YuvMatrix | null | undefined;
    for (const matrix of [null, ...(isPlanar ? yuvMatrices(frames[0]!.colorSpace) : [])]) {
      const given = await Promise.all(frames.map((frame) => pixelsOf(frame, matrix)));
      const apart = Math.max(...given.map((pixels, at) => levelsApart(pixels, sights[at]!.pixels)));
      if (apart < least) [least, best] = [apart, matrix];
    }
    return best;
  } finally {
    for (const frame of frames) frame.close();
  }
}

/** The frame of a moment; null: it is damaged. */
async function decodedFrame(film: Film, timeUs: number, signal: AbortSignal): Promise<VideoFrame | null> {
  // Half of a µs more: times in ms may have been rounded.
  const wanted = frameAtUs(film.shown, timeUs + 0.5);
  for await (const { image, index } of decodedFrames(film, wanted, signal)) {
    if (index === wanted) return image as VideoFrame;
    (image as VideoFrame).close();
    return null;
  }
  return null;
}

const planarFormatOf = ({ format }: VideoFrame) => (format === 'I420' ? 'i420' : format === 'NV12' ? 'nv12' : null);

/** The colours of a frame; `matrix` makes them of its planes. */
async function pixelsOf(frame: VideoFrame, matrix: YuvMatrix | null): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const format = planarFormatOf(frame);
  if (!matrix || !format) {
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

/** By how many levels of 255 two pictures differ at most. */
function levelsApart(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  if (one.length !== other.length) return Infinity;
  let most = 0;
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs(one[at]! - other[at]!));
  return most;
}

/** The frame in the colours of the player; closes the decoder's. */
async function inColours(frame: VideoFrame, matrix: YuvMatrix | null): Promise<VideoFrame> {
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

function configOf(
  { codec, description, codedWidth, codedHeight, pixelAspect, rotation }: Mp4Video,
  colorSpace: VideoColorSpaceInit | null,
): TurnedConfig {
  return {
    codec,
    codedWidth,
    codedHeight,
    ...(description && { description }),
    ...(pixelAspect && {
      displayAspectWidth: codedWidth * pixelAspect[0],
      displayAspectHeight: codedHeight * pixelAspect[1],
    }),
    ...(rotation !== 0 && { rotation }),
    ...(colorSpace && { colorSpace }),
  };
}

/** Frames from one on. Those that are damaged are left out: decoding goes on at the next key frame. @throws SourceError if all are */
async function* decodedFrames(film: Film, from: number, signal: AbortSignal): AsyncGenerator<ReadFootageFrame> {
  const { shown, video, name, bytes } = film;
  if (from >= shown.count) return;
  let decoding = new Decoding(film.colours.config, name);
  let sample = decodeFrom(video.samples, shown.sample[from]!);
  let index = from;
  /** the frame at which decoding failed before, and the sample from which it went on */
  let failed = { index: -1, sample: -1 };
  const give = async (): Promise<EncodedVideoChunk | null> => {
    if (sample === video.samples.count) return null;
    const data = await bytes.of(video.samples, sample);
    return chunkOf(video, sample++, data);
  };
  try {
    while (index < shown.count && !signal.aborted) {
      let frame: VideoFrame | null;
      try {
        frame = await decoding.next(give);
      } catch (error) {
        decoding.close();
        const wanted = shown.sample[index]!;
        // Once more: browsers take decoders away from pages that nobody looks at. Then the frame itself is damaged.
        if (failed.index !== index) sample = decodeFrom(video.samples, wanted);
        else sample = video.samples.isKey.indexOf(1, Math.max(wanted, failed.sample) + 1);
        if (isTakenAway(error) && failed.index === index) throw error;
        if (sample < 0 && index === 0) throw error;
        if (sample < 0) return;
        failed = { index, sample };
        decoding = new Decoding(film.colours.config, name);
        continue;
      }
      if (!frame) return; // a damaged file may hold fewer than it lists
      while (index < shown.count && shown.timeUs[index]! < frame.timestamp) index++; // those were damaged
      if (shown.timeUs[index] !== frame.timestamp) frame.close();
      else {
        const image = await inColours(frame, film.colours.matrix);
        yield { image, index, timeMs: shown.timeUs[index++]! / 1000, name };
      }
    }
  } finally {
    decoding.close();
  }
}

function chunkOf(
  { samples, timescale, shownFrom }: Mp4Video,
  sample: number,
  data: Uint8Array<ArrayBuffer>,
): EncodedVideoChunk {
  return new EncodedVideoChunk({
    type: samples.isKey[sample] ? 'key' : 'delta',
    timestamp: Math.round(((samples.shownAt[sample]! - shownFrom) * 1e6) / timescale),
    data,
  });
}

/** A decoder that is fed as far as its frames are taken. */
class Decoding {
  readonly #decoder: VideoDecoder;
  readonly #name: string;
  readonly #frames: VideoFrame[] = [];
  #failure: DOMException | null = null;
  #ended: Promise<void> | null = null;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(config: VideoDecoderConfig, name: string) {
    this.#name = name;
    this.#decoder = new VideoDecoder({
      output: (frame) => {
        this.#frames.push(frame);
        this.#wake();
      },
      error: (error) => {
        this.#failure = error;
        this.#wake();
      },
    });
    this.#decoder.addEventListener('dequeue', () => this.#wake());
    this.#decoder.configure(config);
  }

  /** The next frame; null: there is none any more. `give` gives the next sample; null: that was the last. @throws SourceError */
  async next(give: () => Promise<EncodedVideoChunk | null>): Promise<VideoFrame | null> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) return frame;
      if (this.#failure) throw broken(this.#name, this.#failure);
      if (this.#isEnded) return null;
      if (this.#ended || this.#decoder.decodeQueueSize >= mostWaiting) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      const chunk = await give();
      if (this.#failure) continue;
      if (chunk) this.#decode(chunk);
      else
        this.#ended = this.#decoder.flush().then(
          () => this.#end(),
          (error: DOMException) => {
            this.#failure ??= error;
            this.#wake();
          },
        );
    }
  }

  close(): void {
    if (this.#decoder.state !== 'closed') this.#decoder.close();
    for (const frame of this.#frames.splice(0)) frame.close();
  }

  #decode(chunk: EncodedVideoChunk): void {
    try {
      this.#decoder.decode(chunk);
    } catch (error) {
      this.#failure = error as DOMException; // what the file calls a key frame is none
    }
  }

  #end(): void {
    this.#isEnded = true;
    this.#wake();
  }
}

/** No damage of the file: the browser has no decoder to spare. */
const isTakenAway = (error: unknown): boolean =>
  error instanceof SourceError && (error.cause as DOMException).name === 'QuotaExceededError';

const broken = (name: string, cause: DOMException): SourceError =>
  new SourceError(
    'unsupported',
    `A frame of "${name}" could not be decoded: ${cause.message}`,
    'The file may be damaged. Convert it, for instance: ffmpeg -i in.mp4 -pix_fmt yuv420p out.mp4',
    { cause },
  );

/** The bytes of a file, of which one block is in memory. */
class FileBytes implements ByteSource {
  readonly #file: Blob;
  #block: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #blockAt = 0;

  constructor(file: Blob) {
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#file.size;
  }

  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#file.slice(from, to).arrayBuffer());
  }

  /** The bytes of a sample; they lie in the block until the next call. */
  async of({ offset, sizeBytes }: Mp4Video['samples'], sample: number): Promise<Uint8Array<ArrayBuffer>> {
    const [from, size] = [offset[sample]!, sizeBytes[sample]!];
    if (from < this.#blockAt || from + size > this.#blockAt + this.#block.length) {
      this.#block = await this.read(from, from + Math.max(size, blockBytes));
      this.#blockAt = from;
    }
    return this.#block.subarray(from - this.#blockAt, from - this.#blockAt + size);
  }
}
