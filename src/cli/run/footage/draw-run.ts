import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keptResults } from '../../../evidence/footage/footage-frame.ts';
import { VideoWriter } from '../../../platform/node/ffmpeg/video-writer.ts';
import { pngOf, writePngFile } from '../../../platform/node/frame-file.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import { drawResults } from '../../../machine/vision/face/runs.ts';
import { stretch } from '../../../machine/vision/face/feeding.ts';
import { framesWithResults, writeWhole, type FinishedRun } from './write-outputs.ts';

const thumbnailWidthPx = 240;

/** Where drawn frames go. */
interface DrawnFrames {
  write(drawn: Frame, frame: { readonly timeMs: number; readonly name: string }): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Draws what the filter keeps as the machine draws it, over each frame that the service saw.
 * @param annotatedPath an MP4 for a video, a folder of PNGs for a folder; null: only small pictures are made
 * @param pictured numbers of the frames of which small pictures are made
 * @returns those pictures as data: URLs
 * @throws FfmpegError
 */
export async function drawRun(
  run: FinishedRun,
  annotatedPath: string | null,
  pictured: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const pictures = new Map<number, string>();
  if (annotatedPath === null && pictured.size === 0) return pictures;
  const draw = async (unfinished: string | null): Promise<void> => {
    let annotated: DrawnFrames | null = null;
    try {
      for await (const [frame, source] of framesWithResults(run, signal)) {
        if (unfinished === null && !pictured.has(frame.index)) continue;
        const seen = await run.machine.seen(source);
        const drawn = drawResults(seen, keptResults(frame, run.filter), run.machine.font);
        if (pictured.has(frame.index)) pictures.set(frame.index, pngUrl(thumbnail(drawn)));
        if (unfinished === null) continue;
        annotated ??= await openDrawn(run.footage.source.kind, unfinished, drawn);
        await annotated.write(drawn, frame);
      }
      await annotated?.close();
    } catch (error) {
      await annotated?.discard();
      throw error;
    }
  };
  await (annotatedPath === null ? draw(null) : writeWhole(annotatedPath, draw));
  return pictures;
}

async function openDrawn(kind: 'video' | 'folder', path: string, first: Frame): Promise<DrawnFrames> {
  if (kind === 'video') {
    const writer = await VideoWriter.open(path, first);
    return {
      write: (drawn, { timeMs }) => writer.write(drawn, timeMs),
      close: () => writer.close(),
      discard: () => writer.discard(),
    };
  }
  // In lower case: names that differ in case alone are one file on some systems.
  const taken = new Set<string>();
  return {
    async write(drawn, { name }) {
      let file = join(path, dirname(name), `${basename(name).replace(/\.[^.]*$/, '')}.png`);
      if (taken.has(file.toLowerCase())) file = join(path, `${name}.png`);
      while (taken.has(file.toLowerCase())) file += '.png';
      taken.add(file.toLowerCase());
      await mkdir(dirname(file), { recursive: true });
      await writePngFile(file, drawn);
    },
    close: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

function thumbnail(frame: Frame): Frame {
  if (frame.widthPx <= thumbnailWidthPx) return frame;
  const widthPx = thumbnailWidthPx;
  const heightPx = Math.max(1, Math.round((frame.heightPx * widthPx) / frame.widthPx));
  const rgb = stretch(frame, widthPx, heightPx);
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx).fill(255);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) samples.set(rgb.subarray(from, from + 3), to);
  return { format: 'rgba8', widthPx, heightPx, samples };
}

const pngUrl = (frame: Frame): string => `data:image/png;base64,${Buffer.from(pngOf(frame)).toString('base64')}`;
