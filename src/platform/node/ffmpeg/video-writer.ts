import { once } from 'node:events';
import { type Frame, type FrameSize, toStraightRgba8 } from '../../../machine/vision/face/frames.ts';
import { LastErrors } from './frame-info-reader.ts';
import { matroskaFrame, matroskaStart } from './raw-matroska.ts';
import { FfmpegError, outputOf, passThroughOption, startFfmpeg, type RunningFfmpeg } from './start-ffmpeg.ts';

/** The best first; which ones there are depends on how ffmpeg was built. */
const encoders = ['libx264', 'libopenh264', 'mpeg4'] as const;

const qualityOf: Readonly<Record<(typeof encoders)[number], string>> = {
  libx264: '-preset veryfast -crf 20',
  libopenh264: '-b:v 8M',
  mpeg4: '-q:v 3',
};

/** Sides of 4:2:0 are even; what a player is told of colours is what the pixels are made by. */
const picture = (
  '-vf pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p ' +
  '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'
).split(' ');

const file = '-enc_time_base 1:90000 -video_track_timescale 90000 -movflags +faststart -f mp4'.split(' ');

/** Writes an MP4 frame by frame; each keeps its time. Frames have the size of the first one. */
export class VideoWriter {
  readonly #path: string;
  readonly #ffmpeg: RunningFfmpeg;
  readonly #errors: LastErrors;
  readonly #size: FrameSize;

  private constructor(path: string, ffmpeg: RunningFfmpeg, errors: LastErrors, size: FrameSize) {
    this.#path = path;
    this.#ffmpeg = ffmpeg;
    this.#errors = errors;
    this.#size = size;
  }

  /** @throws FfmpegError no-ffmpeg, or not-encoded where it has no encoder for MP4 */
  static async open(path: string, { widthPx, heightPx }: FrameSize): Promise<VideoWriter> {
    const known = await outputOf(['-encoders']);
    const encoder = encoders.find((name) => new RegExp(`^ V\\S* ${name} `, 'm').test(known));
    if (!encoder)
      throw new FfmpegError('not-encoded', `This ffmpeg has none of the encoders ${encoders.join(', ')} for MP4.`);
    const errors = new LastErrors();
    const args = [
      ...'-y -f matroska -i pipe:0'.split(' '),
      ...(await passThroughOption()),
      ...picture,
      '-c:v',
      encoder,
      ...qualityOf[encoder].split(' '),
      ...file,
      `file:${path}`,
    ];
    const ffmpeg = await startFfmpeg(args, (line) => errors.read(line));
    ffmpeg.stdout.resume();
    const writer = new VideoWriter(path, ffmpeg, errors, { widthPx, heightPx });
    await writer.#send(matroskaStart({ widthPx, heightPx }));
    return writer;
  }

  /** Resolves when the next frame may come. @throws FfmpegError not-encoded */
  async write(frame: Frame, timeMs: number): Promise<void> {
    const { samples, widthPx, heightPx } = toStraightRgba8(frame);
    if (widthPx !== this.#size.widthPx || heightPx !== this.#size.heightPx)
      throw new FfmpegError(
        'not-encoded',
        `A video has pictures of one size: at ${timeMs} ms it is ${widthPx}×${heightPx} px instead of ${this.#size.widthPx}×${this.#size.heightPx}.`,
      );
    await this.#send(matroskaFrame(timeMs, samples.length));
    await this.#send(new Uint8Array(samples.buffer, samples.byteOffset, samples.length));
  }

  /** Resolves when the file is whole. @throws FfmpegError not-encoded */
  async close(): Promise<void> {
    this.#ffmpeg.stdin.end();
    if ((await this.#ffmpeg.ended) !== 0) throw await this.#failure();
  }

  /** Ends it without a whole file. */
  async discard(): Promise<void> {
    await this.#ffmpeg.kill();
  }

  async #send(bytes: Uint8Array): Promise<void> {
    const { stdin, ended } = this.#ffmpeg;
    if (stdin.destroyed) throw await this.#failure();
    if (stdin.write(bytes)) return;
    await Promise.race([once(stdin, 'drain').catch(() => {}), ended]);
    if (stdin.destroyed) throw await this.#failure();
  }

  /** The reason is in ffmpeg's last words, and they come after it has closed its input. */
  async #failure(): Promise<FfmpegError> {
    await this.#ffmpeg.ended;
    return new FfmpegError('not-encoded', `ffmpeg cannot write "${this.#path}": ${this.#errors.text}.`);
  }
}
