import { readMp4, type ByteSource, type Mp4Video } from '../../../base/mp4/read-mp4.ts';
import { decodeFrom, frameAtUs, shownFrames, type ShownFrames } from '../../../base/mp4/shown-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../ports/footage-reader.ts';
import { SourceError } from '../../ports/frame-source.ts';
import { coloursOfPlayer, inColours, type PlayerColours } from './player-colours.ts';

/** How much of a file is read at a time. */
const blockBytes = 2 ** 20;
/** Frames that wait, decoded or not: decoders in hardware have few to give. */
const mostWaiting = 4;

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
  const filmIn = ({ space, matrix }: PlayerColours): Film => ({
    bytes,
    video,
    shown,
    name,
    matrix,
    config: configOf(video, space),
  });
  const colours = await coloursOfPlayer(file, name, async (space) => {
    const asDecoded = filmIn({ space, matrix: null });
    const { supported } = await VideoDecoder.isConfigSupported(asDecoded.config).catch(() => ({ supported: false }));
    if (!supported) throw new Error(`this browser’s decoder does not know ${video.codec}`);
    return (timeUs) => decodedFrame(asDecoded, timeUs, new AbortController().signal);
  });
  const film = filmIn(colours);
  return {
    name,
    kind: 'video',
    fingerprint,
    frameCount: shown.count,
    durationMs: shown.durationUs / 1000,
    whySlow: '',
    frames: (behind, signal) => decodedFrames(film, behind ? behind.index + 1 : 0, signal),
    frameAt: ({ timeMs }, signal) => decodedFrame(film, 1000 * timeMs, signal),
  };
}

interface Film {
  readonly bytes: FileBytes;
  readonly video: Mp4Video;
  readonly config: TurnedConfig;
  readonly matrix: PlayerColours['matrix'];
  readonly shown: ShownFrames;
  readonly name: string;
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
  let decoding = new Decoding(film.config, name);
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
        decoding = new Decoding(film.config, name);
        continue;
      }
      if (!frame) return; // a damaged file may hold fewer than it lists
      while (index < shown.count && shown.timeUs[index]! < frame.timestamp) index++; // those were damaged
      if (shown.timeUs[index] !== frame.timestamp) frame.close();
      else {
        const image = await inColours(frame, film.matrix);
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
