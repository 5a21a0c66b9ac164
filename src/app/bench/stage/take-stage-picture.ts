import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { saveFile } from '../../kit/layout/save-file.ts';
import { overlayBoxes } from './overlay-boxes.svelte.ts';
import type { StageBench } from './stage-bench.ts';

/** Whether there is a picture to copy or save. */
export const hasStagePicture = ({ session, results }: Pick<StageBench, 'session' | 'results'>): boolean =>
  session.current !== null && results.shownSize !== null;

/** Puts the picture on the stage, with the boxes of the tuned service as they are drawn, on the clipboard; into a file where that is refused. */
export async function copyStagePicture(bench: StageBench): Promise<void> {
  const fileName = fileNameOf(bench);
  const png = takeStagePicture(bench);
  try {
    // The clipboard takes a promise, so that it is asked while the key press still counts as one of the user.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    bench.config.say('Copied the picture with its boxes.');
  } catch {
    const told = await png.then((picture) => {
      saveFile(fileName, picture);
      return 'The browser refused the clipboard. The picture was saved as a file instead.';
    }, whyNot);
    bench.config.say(told);
  }
}

/** Saves the same as a PNG file. */
export async function saveStagePicture(bench: StageBench): Promise<void> {
  const fileName = fileNameOf(bench);
  try {
    saveFile(fileName, await takeStagePicture(bench));
  } catch (error) {
    bench.config.say(whyNot(error));
  }
}

function fileNameOf(bench: StageBench): string {
  const { name, index } = bench.session.current!.frame;
  const [, stem] = /([^/\\]*?)(?:\.[A-Za-z0-9]{1,5})?$/.exec(name)!;
  const number = bench.sources.kind === 'stills' ? '' : `-${String(index).padStart(6, '0')}`;
  return `${stem}${number}-boxes.png`;
}

const whyNot = (error: unknown): string => `The picture could not be drawn: ${errorMessage(error)}`;

/** Everything that it draws is read before it waits: another frame may follow meanwhile. */
async function takeStagePicture(bench: StageBench): Promise<Blob> {
  const { results, view } = bench;
  const ghosts = view.ghosts ? results.ghosts : [];
  const taken = {
    picture: bench.vision.copyStage(),
    frame: results.shownSize!,
    // without a dropped box that is drawn only while it is pointed at
    boxes: overlayBoxes(bench, (point) => point).filter(({ kept, row }) => kept || ghosts.includes(row)),
    style: view.overlayStyle,
    details: view.details ? results.details : null,
    placeOf: results.placeOf,
  };
  try {
    const { drawStagePng } = await import('./draw-stage-png.ts');
    return await drawStagePng(taken);
  } catch (error) {
    taken.picture.then(
      (picture) => picture?.close(),
      () => undefined,
    );
    throw error;
  }
}
