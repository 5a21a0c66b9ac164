import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isImagePath } from '../../../evidence/datasets/face/items.ts';
import type { FootageSource, FrameChoice } from '../../../evidence/footage/run-setup.ts';
import { readFrameFile } from '../../../platform/node/frame-file.ts';
import { readVideoTraits, videoFrames } from '../../../platform/node/ffmpeg/video-frames.ts';
import type { ReadFrame } from '../../../machine/vision/face/frames.ts';
import type { FootageFrames, PlacedFrame } from '../../../platform/ports/footage-frames.ts';
import { CliError } from '../../record/cli-error.ts';
import { listFolder } from '../../shared/list-folder.ts';
import { sha256OfFile } from '../../shared/sha256.ts';
import type { RunArguments } from '../run-record.ts';

/** The image of a frame, before it is run. */
interface SourceImage {
  /** @throws ImageDecodeError for a broken picture */
  readonly read: () => Promise<ReadFrame>;
  /** bytes of the picture as it lies in its folder; null: of a video */
  readonly bytes: (() => Promise<Uint8Array>) | null;
}
export type SourceFrame = PlacedFrame<SourceImage>;

/** A video or folder that can be run from its beginning, as often as it is asked for. */
export interface Footage extends FootageFrames<SourceImage> {
  readonly source: FootageSource;
  /** names and values for the report */
  readonly facts: readonly (readonly [string, string])[];
  /** null: not known */
  readonly durationMs: number | null;
  /** how many errors a video's decoder has met, with the last of them; null: none */
  readonly decoderErrors: DecoderErrors | null;
}

export interface DecoderErrors {
  readonly count: number;
  readonly text: string;
}

/** @throws CliError, FfmpegError */
export async function openFootage({ footage, choice }: RunArguments, say: (text: string) => void): Promise<Footage> {
  return footage.kind === 'video' ? openVideo(footage.path, choice) : openFolder(footage.path, choice, say);
}

async function openVideo(path: string, { every, fromMs, toMs }: FrameChoice): Promise<Footage> {
  if (!(await stat(path)).isFile())
    throw new CliError('not-a-file', `"${path}" is not a file; give a folder of pictures by --frames.`);
  const name = basename(path);
  const traits = await readVideoTraits(path);
  const { widthPx, heightPx, durationMs, colours } = traits;
  let decoderErrors: DecoderErrors | null = null;
  return {
    source: { kind: 'video', name, sha256: await sha256OfFile(path) },
    facts: [
      ['Video', name],
      ['Frame size', `${widthPx} × ${heightPx} px`],
      ['Colours', colours],
    ],
    durationMs,
    async *frames(behind, signal) {
      const decoded = videoFrames(path, traits, (count, text) => (decoderErrors = { count, text }));
      for await (const { index, timeMs, frame } of decoded) {
        if (signal.aborted || (toMs !== null && timeMs > toMs)) break;
        if (index <= (behind?.index ?? -1) || timeMs < fromMs || index % every !== 0) continue;
        yield { index, timeMs, name, image: { read: () => Promise.resolve(frame), bytes: null } };
      }
    },
    get decoderErrors() {
      return decoderErrors;
    },
  };
}

const byName = new Intl.Collator('en', { numeric: true });

/** Pictures in the order of their names: frame-9 before frame-10. */
async function openFolder(
  folder: string,
  { every, fromMs, toMs, framesPerSecond }: FrameChoice,
  say: (text: string) => void,
): Promise<Footage> {
  const files = await listFolder(folder);
  const pictures = files.filter(({ path }) => isImagePath(path)).sort((a, b) => byName.compare(a.path, b.path));
  if (pictures.length === 0) throw new CliError('no-frames', `"${folder}" has no pictures to run.`);
  if (pictures.length < files.length)
    say(`${folder}: ${files.length - pictures.length} files are not pictures and are left out.`);
  const hash = createHash('sha256');
  for (const { path } of pictures) hash.update(`${path}\n${await sha256OfFile(join(folder, path))}\n`);
  const stepMs = 1000 / framesPerSecond!;
  return {
    source: { kind: 'folder', name: basename(resolve(folder)), sha256: hash.digest('hex') },
    facts: [
      ['Folder', folder],
      ['Frames a second', String(framesPerSecond)],
    ],
    durationMs: pictures.length * stepMs,
    async *frames(behind, signal) {
      for (const [index, { path }] of pictures.entries()) {
        const timeMs = index * stepMs;
        if (signal.aborted || (toMs !== null && timeMs > toMs)) break;
        if (index <= (behind?.index ?? -1) || timeMs < fromMs || index % every !== 0) continue;
        const file = join(folder, path);
        yield { index, timeMs, name: path, image: { read: () => readFrameFile(file), bytes: () => readFile(file) } };
      }
    },
    decoderErrors: null,
  };
}
