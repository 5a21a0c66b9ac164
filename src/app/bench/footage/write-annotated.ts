import type { AnnotatedWriter } from '../../../ports/annotated-video.ts';
import { bitmapOf } from './footage-pictures.ts';
import { drawKept, readyToDraw, type DrawingStyle } from './draw-kept.ts';
import type { FootagePorts } from './footage-ports.ts';
import { keptOnSource, type FootageSession } from './footage-session.svelte.ts';

interface Written {
  readonly file: Blob;
  readonly extension: string;
}

/** Draws on every frame that was run what is kept now, and writes all of them as a file. Rejects where `signal` aborts. */
export async function writeAnnotated(
  session: FootageSession,
  { openWriter }: Pick<FootagePorts, 'openWriter'>,
  drawing: DrawingStyle,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Written> {
  const { run, steps, rule, footage } = session;
  const { reader, frames, count } = run;
  await readyToDraw(drawing.style);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false })!;
  let writer: AnnotatedWriter | null = null;
  let at = 0;
  try {
    for await (const read of reader!.frames(null, signal)) {
      const picture = await bitmapOf(read.image);
      while (at < count && frames[at]!.index < read.index) at++;
      const frame = frames[at];
      if (frame?.index === read.index) {
        if (!writer || footage.kind === 'pictures') [canvas.width, canvas.height] = [picture.width, picture.height];
        writer ??= await openWriter({ widthPx: picture.width, heightPx: picture.height, kind: footage.kind });
        context.drawImage(picture, 0, 0);
        drawKept(context, keptOnSource(frame, steps, rule), drawing);
        await writer.add(canvas, read.timeMs);
        onProgress(++at / count);
      }
      picture.close();
      if (at >= count) break;
    }
    signal.throwIfAborted();
    if (!writer) throw new Error('No frame could be read any more.');
    const lastMs = frames[count - 1]!.timeMs;
    const frameMs = count > 1 ? lastMs - frames[count - 2]!.timeMs : 40;
    return { file: await writer.finish(lastMs + frameMs), extension: writer.extension };
  } finally {
    writer?.close();
  }
}
