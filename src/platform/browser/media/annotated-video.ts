import { writeMp4, type WrittenSample } from '../../../base/mp4/write-mp4.ts';
import type { AnnotatedWriter, OpenAnnotatedWriter } from '../../ports/annotated-video.ts';
import { annotatedZip } from './annotated-zip.ts';

/** H.264 plays everywhere; VP9 where a browser does not encode that. */
const codecs = ['avc1.640034', 'avc1.4d0034', 'avc1.42003e', 'vp09.00.51.08'];
/** Frames that wait for the encoder: few, so that they take little memory. */
const mostWaiting = 4;
const keyEveryMs = 2000;
/** Encoded frames are put together into Blobs of about this size: a Blob for each of a million frames would fill the memory. */
const partBytes = 2 ** 20;

/** Writes an MP4 by the browser's encoder, or a zip of JPEG files where there is none. */
export const openAnnotatedWriter: OpenAnnotatedWriter = async ({ widthPx, heightPx, kind }) => {
  if (kind === 'pictures') return annotatedZip('a folder holds pictures');
  if (typeof VideoEncoder !== 'function') return annotatedZip('this browser gives pages no video encoder');
  // Colours are stored for each 2 × 2 pixels: encoders take even sizes only.
  const [width, height] = [widthPx - (widthPx % 2), heightPx - (heightPx % 2)];
  for (const codec of codecs) {
    const config: VideoEncoderConfig = {
      codec,
      width,
      height,
      bitrate: Math.max(1_000_000, Math.round(width * height * 6)),
      ...(codec.startsWith('avc1') && { avc: { format: 'avc' } }),
    };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return new VideoWriter(config);
  }
  return annotatedZip(`this browser encodes neither H.264 nor VP9 of ${width} × ${height}`);
};

class VideoWriter implements AnnotatedWriter {
  readonly extension = '.mp4';
  readonly whyZip = '';
  readonly #config: VideoEncoderConfig;
  readonly #encoder: VideoEncoder;
  readonly #samples: WrittenSample[] = [];
  readonly #parts: Blob[] = [];
  /** encoded frames that are in no part yet */
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;
  #decoder: VideoDecoderConfig | null = null;
  #failure: DOMException | null = null;
  #keyMs = -Infinity;

  constructor(config: VideoEncoderConfig) {
    this.#config = config;
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) => {
        this.#decoder ??= metadata?.decoderConfig ?? null;
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.#waiting.push(bytes);
        this.#waitingBytes += bytes.length;
        if (this.#waitingBytes >= partBytes) this.#putAway();
        this.#samples.push({ sizeBytes: bytes.length, timeUs: chunk.timestamp, isKey: chunk.type === 'key' });
      },
      error: (error) => (this.#failure = error),
    });
    this.#encoder.configure(config);
  }

  async add(canvas: HTMLCanvasElement, timeMs: number): Promise<void> {
    while (this.#encoder.encodeQueueSize >= mostWaiting && !this.#failure)
      await new Promise((resolve) => this.#encoder.addEventListener('dequeue', resolve, { once: true }));
    this.#refuseBroken();
    const { width, height } = this.#config;
    const keyFrame = timeMs - this.#keyMs >= keyEveryMs;
    if (keyFrame) this.#keyMs = timeMs;
    const timestamp = Math.round(1000 * timeMs);
    const frame = new VideoFrame(canvas, { timestamp, alpha: 'discard', visibleRect: { x: 0, y: 0, width, height } });
    this.#encoder.encode(frame, { keyFrame });
    frame.close();
  }

  async finish(endMs: number): Promise<Blob> {
    await this.#encoder.flush();
    this.#refuseBroken();
    this.#putAway();
    const { codec, width, height } = this.#config;
    const { description } = this.#decoder ?? {};
    const track = {
      codec: this.#decoder?.codec ?? codec,
      widthPx: width,
      heightPx: height,
      ...(description && { description: bytesOf(description) }),
    };
    const { head, tail } = writeMp4(track, this.#samples, 1000 * endMs);
    return new Blob([head, ...this.#parts, tail], { type: 'video/mp4' });
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  /** The browser may put a Blob on disk. */
  #putAway(): void {
    this.#parts.push(new Blob(this.#waiting));
    [this.#waiting, this.#waitingBytes] = [[], 0];
  }

  #refuseBroken(): void {
    if (this.#failure) throw new Error(`The browser’s encoder failed: ${this.#failure.message}`);
  }
}

const bytesOf = (source: AllowSharedBufferSource): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source).slice();
