import { readMp4, type ByteSource, type Mp4Video } from '../../../mp4/read-mp4.ts';
import { decodeFrom, frameAtUs, shownFrames, type ShownFrames } from '../../../mp4/shown-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../../ports/footage-reader.ts';
import { SourceError } from '../../../ports/frame-source.ts';
import { createVideoPort } from './video-file.ts';

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
  const config = configOf(video, await playersColours(file, name));
  if (video.rotation !== 0 && !('rotation' in VideoFrame.prototype))
    throw new Error('its pictures are turned, which this browser’s decoder does not do');
  const { supported } = await VideoDecoder.isConfigSupported(config).catch(() => ({ supported: false }));
  if (!supported) throw new Error(`this browser’s decoder does not know ${video.codec}`);
  const shown = shownFrames(video);
  const film: Film = { bytes, video, config, shown, name };
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
      for await (const { image } of decodedFrames(film, frameAtUs(shown, 1000 * timeMs + 0.5), signal)) return image;
      return null;
    },
  };
}

interface Film {
  readonly bytes: FileBytes;
  readonly video: Mp4Video;
  readonly config: TurnedConfig;
  readonly shown: ShownFrames;
  readonly name: string;
}

/**
 * The colour space of a video as the player takes it; null: it plays no such file. A file that names none is guessed at, and decoders guess
 * otherwise than players: boxes of a frame would not be those that the bench finds on it.
 */
async function playersColours(file: Blob, name: string): Promise<VideoColorSpaceInit | null> {
  const video = await createVideoPort()
    .open(file, name)
    .catch(() => null);
  if (!video) return null;
  const frame = await new Promise<VideoFrame | ImageBitmap>((resolve) => video.onFrame(resolve));
  const colours = frame instanceof VideoFrame ? frame.colorSpace.toJSON() : null;
  frame.close();
  video.close();
  return colours;
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

async function* decodedFrames(film: Film, from: number, signal: AbortSignal): AsyncGenerator<ReadFootageFrame> {
  const { shown, video, name, bytes } = film;
  if (from >= shown.count) return;
  const decoding = new Decoding(film.config, name);
  let sample = decodeFrom(video.samples, shown.sample[from]!);
  let index = from;
  try {
    while (index < shown.count && !signal.aborted) {
      const frame = await decoding.next(async () => {
        if (sample === video.samples.count) return null;
        const data = await bytes.of(video.samples, sample);
        return chunkOf(video, sample++, data);
      });
      if (!frame) return; // a damaged file may hold fewer than it lists
      while (index < shown.count && shown.timeUs[index]! < frame.timestamp) index++; // those were damaged
      if (shown.timeUs[index] !== frame.timestamp) frame.close();
      else yield { image: frame, index, timeMs: shown.timeUs[index++]! / 1000, name };
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
      if (this.#failure) throw broken(this.#name, this.#failure);
      const frame = this.#frames.shift();
      if (frame) return frame;
      if (this.#isEnded) return null;
      if (this.#ended || this.#decoder.decodeQueueSize >= mostWaiting) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      const chunk = await give();
      if (this.#failure) continue;
      if (chunk) this.#decoder.decode(chunk);
      else
        this.#ended = this.#decoder.flush().then(
          () => this.#end(),
          () => this.#end(),
        );
    }
  }

  close(): void {
    if (this.#decoder.state !== 'closed') this.#decoder.close();
    for (const frame of this.#frames.splice(0)) frame.close();
  }

  #end(): void {
    this.#isEnded = true;
    this.#wake();
  }
}

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
