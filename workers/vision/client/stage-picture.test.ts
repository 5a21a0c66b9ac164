import { expect, it } from 'vitest';
import type { PictureOrder } from '../protocol.ts';
import { StagePicture } from './stage-picture.ts';

const half = { widthPx: 640, heightPx: 360 };

/** A stage over a worker whose answers the test gives. Records the requests, the picture on the stage and closed pictures. */
function stage() {
  const asked: PictureOrder[] = [];
  const answers: ((picture: ImageBitmap | null) => void)[] = [];
  const closed: string[] = [];
  let onCanvas = '';
  const picture = (name: string) => ({ name, close: () => closed.push(name) }) as unknown as ImageBitmap;
  const drawn = new StagePicture((order) => {
    asked.push(order);
    return new Promise((resolve) => answers.push(resolve));
  });
  drawn.canvas = {
    show: (shown) => (onCanvas = (shown as unknown as { name: string }).name),
    copy: () => Promise.resolve(picture(`copy of ${onCanvas}`)),
  };
  return {
    drawn,
    asked,
    closed,
    show: (runId: number, isReduced = true) =>
      drawn.show({ picture: picture(`run ${runId}`), isReduced }, { runId, within: drawn.within }),
    async answer(name: string | null): Promise<void> {
      answers.shift()!(name === null ? null : picture(name));
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
    onCanvas: () => onCanvas,
  };
}

it('draws a picture again, in full, once it is to be seen in full', async () => {
  const { drawn, asked, show, answer, onCanvas } = stage();
  drawn.within = half;
  show(1);
  expect(asked).toEqual([]);
  drawn.within = null;
  expect(asked).toEqual([{ runId: 1, within: null }]);
  await answer('run 1 in full');
  expect(onCanvas()).toBe('run 1 in full');
  drawn.within = half; // the present picture must stay
  drawn.within = null;
  expect(asked).toHaveLength(1);
});

it('leaves a picture that shows all of its frame', () => {
  const { drawn, asked, show } = stage();
  drawn.within = half;
  show(1, false);
  drawn.within = null;
  expect(asked).toEqual([]);
});

it('draws again what was on its way when it was zoomed', async () => {
  const { drawn, asked, onCanvas, answer } = stage();
  drawn.within = null;
  drawn.show({ picture: {} as ImageBitmap, isReduced: true }, { runId: 1, within: half });
  expect(asked).toEqual([{ runId: 1, within: null }]);
  await answer('run 1 in full');
  expect(onCanvas()).toBe('run 1 in full');
});

it('draws again for a stage that became larger, not for one that became smaller', () => {
  const { drawn, asked, show } = stage();
  drawn.within = half;
  show(1);
  drawn.within = { widthPx: 320, heightPx: 180 };
  expect(asked).toEqual([]);
  drawn.within = { widthPx: 640, heightPx: 361 };
  expect(asked).toEqual([{ runId: 1, within: { widthPx: 640, heightPx: 361 } }]);
});

it('never shows the picture of one run after that of a later one', async () => {
  const { drawn, show, answer, onCanvas, closed } = stage();
  drawn.within = half;
  show(1);
  drawn.within = null;
  drawn.within = half;
  show(2);
  await answer('run 1 in full');
  expect([onCanvas(), closed]).toEqual(['run 2', ['run 1 in full']]);
});

it('shows nothing of a source that was left', async () => {
  const { drawn, asked, show, answer, onCanvas, closed } = stage();
  drawn.within = half;
  show(1);
  drawn.within = null;
  drawn.leave();
  await answer('run 1 in full');
  expect([onCanvas(), closed]).toEqual(['run 1', ['run 1 in full']]);
  drawn.within = half;
  drawn.within = null;
  expect(asked).toHaveLength(1);
});

it('asks again later where the worker had nothing to draw', async () => {
  const { drawn, asked, show, answer, onCanvas } = stage();
  drawn.within = half;
  show(1);
  drawn.within = null;
  await answer(null);
  expect(onCanvas()).toBe('run 1');
  drawn.within = null;
  await answer('run 1 in full');
  expect([asked.length, onCanvas()]).toEqual([2, 'run 1 in full']);
});

it('copies the picture in full, or as large as it is shown once the worker has run another frame', async () => {
  const { drawn, show, answer, asked, closed } = stage();
  drawn.within = half;
  show(1);
  const nameOf = async (copy: Promise<ImageBitmap | null>) => (await copy) as unknown as { readonly name: string };

  const full = drawn.copy();
  expect(asked).toEqual([{ runId: 1, within: null }]);
  show(2); // while the full picture of the first is drawn
  await answer('run 1 in full');
  expect(await nameOf(full)).toMatchObject({ name: 'run 1 in full' });
  expect(closed).toContain('copy of run 1');

  const late = drawn.copy();
  expect(asked.at(-1)).toEqual({ runId: 2, within: null });
  show(3);
  await answer(null);
  expect(await nameOf(late)).toMatchObject({ name: 'copy of run 2' });
});

it('copies the picture as it is shown, without asking the worker, where that is wanted', async () => {
  const { drawn, show, asked } = stage();
  drawn.within = half;
  show(1);
  expect(await drawn.copy(true)).toMatchObject({ name: 'copy of run 1' });
  expect(asked).toEqual([]);
});
