import { keptResults, type FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { framesWithPictures } from '../../../evidence/footage/run-footage.ts';
import type { AnnotatedWriter } from '../../../platform/ports/annotated-video.ts';
import type { ReadFootageFrame } from '../../../platform/ports/footage-reader.ts';
import { errorCode } from '../../../machine/vision/face/errors.ts';
import { serviceFilter } from '../../../machine/vision/face/filters.ts';
import { bitmapOf } from './footage-pictures.ts';
import { drawKept, readyToDraw, type DrawingStyle } from './draw-kept.ts';
import type { FootagePorts } from './footage-ports.ts';
import { keptOnSource, type FootageSession } from './footage-session.svelte.ts';

interface Written {
  readonly file: Blob;
  readonly extension: string;
  /** how many frames the machine draws nothing of: they failed, or a box does not fit in them */
  readonly leftOut: number;
}

interface Drawing {
  /** The picture of a frame; null: the machine gives none. Takes the image over. */
  picture(image: ReadFootageFrame['image'], frame: FootageFrame): Promise<ImageBitmap | null>;
  /** Draws what is kept over the picture, where it is not drawn in it. */
  over?(context: CanvasRenderingContext2D, frame: FootageFrame): void;
}

/**
 * Draws what the thresholds keep now on every frame that was run, and writes all frames as a file. `style`: boxes are drawn
 * as on the stage, on the source; null: as the machine draws them, on what the service saw. Rejects where `signal` aborts, or
 * where the bench was configured differently since, so that the machine's picture would be another.
 */
export async function writeAnnotated(
  session: FootageSession,
  ports: Pick<FootagePorts, 'openWriter' | 'prepare'>,
  style: DrawingStyle | null,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Written> {
  const { run, footage } = session;
  const { reader, frames } = run;
  const { count } = frames;
  const drawing = style ? await stageDrawing(session, style) : await machineDrawing(session, ports);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false })!;
  let writer: AnnotatedWriter | null = null;
  let [at, leftOut, frameMs, lastMs] = [0, 0, 40, 0];
  try {
    const pictured = framesWithPictures(frames.all(), reader!.frames(null, signal), ({ image }) => closeImage(image));
    for await (const [frame, { image, timeMs }] of pictured) {
      const drawn = await drawing.picture(image, frame);
      if (drawn) {
        if (!writer || footage.kind === 'pictures') [canvas.width, canvas.height] = [drawn.width, drawn.height];
        writer ??= await ports.openWriter({ widthPx: drawn.width, heightPx: drawn.height, kind: footage.kind });
        context.drawImage(drawn, 0, 0);
        drawn.close();
        drawing.over?.(context, frame);
        await writer.add(canvas, timeMs);
      } else leftOut++;
      if (at++ > 0) frameMs = timeMs - lastMs;
      lastMs = timeMs;
      onProgress(at / count);
    }
    signal.throwIfAborted();
    if (!writer) throw new Error('No frame could be drawn.');
    return { file: await writer.finish(lastMs + frameMs), extension: writer.extension, leftOut };
  } finally {
    writer?.close();
  }
}

function closeImage(image: ReadFootageFrame['image']): void {
  if (!(image instanceof Blob)) image.close();
}

async function stageDrawing({ steps, rule }: FootageSession, style: DrawingStyle): Promise<Drawing> {
  await readyToDraw(style.style);
  return { picture: bitmapOf, over: (context, frame) => drawKept(context, keptOnSource(frame, steps, rule), style) };
}

async function machineDrawing(
  { run, rule }: FootageSession,
  { prepare }: Pick<FootagePorts, 'prepare'>,
): Promise<Drawing> {
  const model = await prepare();
  const why = await run.whyOther();
  if (why !== null) throw new Error(`The bench is configured differently now: ${why}. Run it again.`);
  const filter = serviceFilter(rule);
  return {
    async picture(image, frame) {
      if (frame.failure) {
        closeImage(image);
        return null;
      }
      try {
        return await model.draw(image, keptResults(frame, filter));
      } catch (error) {
        if (errorCode(error) === 'box-outside-frame') return null;
        throw error;
      }
    },
  };
}
