import { errorMessage } from '../../../vision/error-message.ts';
import { saveFile } from '../../kit/layout/save-file.ts';
import { overlayBoxes } from './overlay-boxes.svelte.ts';
import type { StageBench } from './stage-bench.ts';

/** Puts the picture on the stage, with what is drawn over it, on the clipboard. */
export async function copyStagePicture(bench: StageBench): Promise<void> {
  try {
    // The clipboard takes a promise, so that it is asked while the key press still counts as one of the user.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': takeStagePicture(bench) })]);
    bench.config.say('Copied the picture with its boxes.');
  } catch {
    bench.config.say('The browser refused the clipboard. Save the picture instead.');
  }
}

/** Saves the same as a PNG file. */
export async function saveStagePicture(bench: StageBench): Promise<void> {
  const { name, index } = bench.session.current!.frame;
  const [, stem] = /([^/\\]*?)(?:\.[A-Za-z0-9]{1,5})?$/.exec(name)!;
  const number = bench.sources.kind === 'stills' ? '' : `-${String(index).padStart(6, '0')}`;
  try {
    saveFile(`${stem}${number}-boxes.png`, await takeStagePicture(bench));
  } catch (error) {
    bench.config.say(`The picture was not saved: ${errorMessage(error)}`);
  }
}

/** Everything that it draws is read before it waits: another frame may follow meanwhile. */
async function takeStagePicture(bench: StageBench): Promise<Blob> {
  const { results, view } = bench;
  const taken = {
    picture: bench.vision.copyStage(),
    frame: results.shownSize!,
    boxes: overlayBoxes(bench, (point) => point),
    style: view.overlayStyle,
    details: view.details ? results.details : null,
    placeOf: results.placeOf,
  };
  const { drawStagePng } = await import('./draw-stage-png.ts');
  return drawStagePng(taken);
}
