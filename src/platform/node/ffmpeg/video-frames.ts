import {
  type ColourSpace,
  pixelsByReference,
  type ReadFrame,
  yuvFrame,
  yuvLayout,
  yuvMatrices,
  type YuvMatrix,
} from '../../../machine/vision/face/frames.ts';
import { FrameInfoReader, type FrameInfo } from './frame-info-reader.ts';
import { FfmpegError, passThroughOption, startFfmpeg, type RunningFfmpeg } from './start-ffmpeg.ts';

/** What the first frame of a video says of it. */
export interface VideoTraits {
  readonly widthPx: number;
  readonly heightPx: number;
  /** null: the file does not say */
  readonly durationMs: number | null;
  /** how its colours are made, in words */
  readonly colours: string;
  /** planes are read as they are; everything else is converted by ffmpeg */
  readonly readAs: 'yuv420p' | 'yuvj420p' | 'rgba';
}

/** A frame as it is shown, turned as the file says. */
export interface DecodedFrame {
  /** in the order of presentation, from 0 */
  readonly index: number;
  /** from the beginning of the file; frames may lie at any distance */
  readonly timeMs: number;
  readonly frame: ReadFrame;
}

/** Formats whose planes are read: the page reads them, too, of what a browser decodes. Of `nv12` only the order of bytes changes. */
const planar: Readonly<Record<string, 'yuv420p' | 'yuvj420p'>> = {
  yuv420p: 'yuv420p',
  nv12: 'yuv420p',
  yuvj420p: 'yuvj420p',
};

/** Frames below this height are of BT.601, others of BT.709, where the file does not say: as Chromium takes it. */
const leastHdHeightPx = 720;

const matrixNames: Readonly<Record<string, string>> = { smpte170m: 'BT.601', bt470bg: 'BT.601', bt709: 'BT.709' };

/**
 * Reads the traits of a video off its first frame.
 * @throws FfmpegError no-ffmpeg, or bad-video for a file without a frame
 */
export async function readVideoTraits(path: string): Promise<VideoTraits> {
  const reader = new FrameInfoReader();
  const ffmpeg = await startFfmpeg([...inputOf(path), '-frames:v', '1', '-f', 'null', '-'], (line) =>
    reader.read(line),
  );
  ffmpeg.stdin.end();
  ffmpeg.stdout.resume();
  await ffmpeg.ended;
  reader.end();
  const first = await reader.next();
  if (!first) throw badVideo(path, reader.errors.text);
  const { widthPx, heightPx, pixelFormat } = first;
  const space = colourSpaceOf(first);
  const planes = planar[pixelFormat];
  const readAs = planes && yuvMatrices(space).length > 0 ? planes : 'rgba';
  const range = space.fullRange ? 'full' : 'limited';
  const colours =
    readAs === 'rgba'
      ? `${pixelFormat}, converted to RGB by ffmpeg`
      : `${pixelFormat}, ${matrixNames[space.matrix!]!}, ${range} range, converted to RGB as browsers do`;
  return { widthPx, heightPx, durationMs: reader.durationMs, colours, readAs };
}

/**
 * Decodes a video from its first frame on. One frame is in memory: ffmpeg waits while nobody asks for the next one.
 * Whoever stops asking (`break`) ends it.
 * @param path of the file
 * @param readAs of its traits
 * @param onErrors is told at the end, also where nobody asks any more, how many errors the decoder met, with the last ones, where there were any
 * @throws FfmpegError bad-video when ffmpeg fails, as at the end of a damaged file
 */
export async function* videoFrames(
  path: string,
  { readAs }: Pick<VideoTraits, 'readAs'>,
  onErrors: (count: number, text: string) => void,
): AsyncGenerator<DecodedFrame> {
  const reader = new FrameInfoReader();
  const exact = readAs === 'rgba' ? ['-sws_flags', 'accurate_rnd+full_chroma_int+full_chroma_inp+bitexact'] : [];
  const output = [...exact, ...(await passThroughOption()), '-f', 'rawvideo', '-pix_fmt', readAs, 'pipe:1'];
  // However many frames are damaged: those that are not are given, and the errors are told.
  const input = ['-max_error_rate', '1', ...inputOf(path)];
  const ffmpeg = await startFfmpeg([...input, ...output], (line) => reader.read(line));
  ffmpeg.stdin.end();
  void ffmpeg.ended.then(() => reader.end());
  let isOver = false;
  /** not those that ffmpeg meets because nobody reads it any more */
  let met: { readonly count: number; readonly text: string } = { count: 0, text: '' };
  try {
    for await (const frame of framesOf(path, ffmpeg, reader, readAs)) {
      met = { count: reader.errors.count, text: reader.errors.text };
      yield frame;
    }
    const code = await ffmpeg.ended;
    isOver = true;
    met = reader.errors;
    if (code !== 0) throw badVideo(path, reader.errors.text);
  } finally {
    if (!isOver) await ffmpeg.kill();
    if (met.count > 0) onErrors(met.count, met.text);
  }
}

/** Only this file: neither a playlist nor a name may lead to another one, or into the network. `V` is no cover picture. */
const inputOf = (path: string): string[] =>
  '-protocol_whitelist file,pipe -i FILE -map 0:V:0 -an -sn -dn -vf showinfo'
    .split(' ')
    .map((word) => (word === 'FILE' ? `file:${path}` : word));

async function* framesOf(
  path: string,
  { stdout }: RunningFfmpeg,
  reader: FrameInfoReader,
  readAs: VideoTraits['readAs'],
): AsyncGenerator<DecodedFrame> {
  let index = 0;
  let timeMs = 0;
  let info: FrameInfo | null = null;
  let bytes = new Uint8Array(0);
  let filled = 0;
  for await (const chunk of stdout as AsyncIterable<Uint8Array>) {
    for (let from = 0; from < chunk.length;) {
      if (info === null) {
        info = await reader.next(); // ffmpeg says it before it writes the frame
        if (!info) throw badVideo(path, reader.errors.text);
        bytes = new Uint8Array(byteLengthOf(info, readAs));
        filled = 0;
      }
      const part = chunk.subarray(from, from + bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < bytes.length) continue;
      timeMs = info.timeMs ?? timeMs;
      yield { index, timeMs, frame: frameOf(bytes, info, readAs) };
      index++;
      info = null;
    }
  }
  if (info !== null) throw badVideo(path, `frame ${index} is cut off: ${reader.errors.text}`);
}

const byteLengthOf = ({ widthPx, heightPx }: FrameInfo, readAs: VideoTraits['readAs']): number =>
  readAs === 'rgba' ? 4 * widthPx * heightPx : yuvLayout({ format: 'i420', widthPx, heightPx }).byteLength;

function frameOf(bytes: Uint8Array<ArrayBuffer>, info: FrameInfo, readAs: VideoTraits['readAs']): ReadFrame {
  const { widthPx, heightPx } = info;
  if (readAs === 'rgba') return { format: 'rgba8', widthPx, heightPx, samples: new Uint8ClampedArray(bytes.buffer) };
  return yuvFrame({ format: 'i420', widthPx, heightPx, planes: bytes, matrix: matrixOf(info) }, pixelsByReference);
}

/** The first of the two likely matrices: that of browsers on x86. Blue differs by one level at most from the other one's. */
const matrixOf = (info: FrameInfo): YuvMatrix => yuvMatrices(colourSpaceOf(info))[0]!;

function colourSpaceOf({ pixelFormat, matrix, range, heightPx }: FrameInfo): ColourSpace {
  const unsaid = heightPx < leastHdHeightPx ? 'smpte170m' : 'bt709';
  return {
    matrix: matrix === 'unknown' ? unsaid : matrix,
    fullRange: range === 'pc' || (range === 'unknown' && pixelFormat === 'yuvj420p'),
  };
}

const badVideo = (path: string, why: string): FfmpegError =>
  new FfmpegError(
    'bad-video',
    `ffmpeg cannot decode "${path}": ${why}. Play the file to see whether it is whole and has pictures.`,
  );
