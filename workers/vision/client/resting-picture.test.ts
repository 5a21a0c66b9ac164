import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PictureOrder } from '../protocol.ts';
import { RestingPicture } from './resting-picture.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const room = { widthPx: 640, heightPx: 360 };

/** A stage over a fake worker, which with `holds` answers only when told to. Records the picture on the canvas and closed pictures. */
function stage({ holds = false, widthPx = 1920, heightPx = 1080, smallest = 0 } = {}) {
  const asked: PictureOrder[] = [];
  const held: (() => void)[] = [];
  const closed: string[] = [];
  const onCanvas: string[] = [];
  const picture = (runId: number, within: PictureOrder['within'], drawnAgain = ' again') => {
    const scale = within ? Math.max(smallest, Math.min(1, within.widthPx / widthPx, within.heightPx / heightPx)) : 1;
    const name = `run ${runId} ${within ? `in ${Math.round(widthPx * scale)}` : `full${drawnAgain}`}`;
    const size = { width: Math.round(widthPx * scale), height: Math.round(heightPx * scale) };
    return { ...size, name, close: () => void closed.push(name) } as unknown as ImageBitmap;
  };
  const resting = new RestingPicture(async (order) => {
    asked.push(order);
    if (holds) await new Promise<void>((answer) => held.push(answer));
    return picture(order.runId, order.within);
  });
  resting.canvas = { show: (shown) => void onCanvas.push((shown as unknown as { name: string }).name) };
  return {
    resting,
    asked,
    closed,
    onCanvas,
    show: (runId: number) => resting.show(picture(runId, null, ''), runId),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    async answer(): Promise<void> {
      held.shift()!();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

it('makes a picture at rest as small as the stage, and shows it in full in the same task in which it is zoomed', async () => {
  const { resting, show, pass, onCanvas, asked } = stage();
  resting.within = room;
  show(1);
  await pass(299);
  expect([onCanvas, asked]).toEqual([['run 1 full'], []]);
  await pass(1);
  expect(onCanvas.at(-1)).toBe('run 1 in 640');
  resting.within = null;
  expect(onCanvas.at(-1)).toBe('run 1 full again');
  await pass(10_000);
  expect(onCanvas).toHaveLength(3);
});

it('shows it in full at once on a stage that grows, and rests again', async () => {
  const { resting, show, pass, onCanvas } = stage();
  resting.within = room;
  show(1);
  await pass(300);
  resting.within = { widthPx: 641, heightPx: 361 };
  expect(onCanvas.at(-1)).toBe('run 1 full again');
  await pass(300);
  expect(onCanvas.at(-1)).toBe('run 1 in 641');
});

it('leaves a picture in full whose stage was zoomed while it was drawn smaller', async () => {
  const { resting, show, pass, answer, onCanvas, closed } = stage({ holds: true });
  resting.within = room;
  show(1);
  await pass(300);
  await answer();
  resting.within = null;
  await answer();
  expect([onCanvas, closed]).toEqual([['run 1 full'], ['run 1 in 640', 'run 1 full again']]);
});

it('rests on a stage that says its size again while the picture is drawn smaller', async () => {
  const { resting, show, pass, answer, onCanvas } = stage({ holds: true });
  resting.within = room;
  show(1);
  await pass(300);
  await answer();
  resting.within = { ...room };
  await answer();
  expect(onCanvas).toEqual(['run 1 full', 'run 1 in 640']);
});

it('never shows the picture of one run after that of a later one', async () => {
  const { resting, show, pass, answer, onCanvas, closed } = stage({ holds: true });
  resting.within = room;
  show(1);
  await pass(300);
  show(2);
  await answer();
  expect([onCanvas, closed]).toEqual([['run 1 full', 'run 2 full'], ['run 1 in 640']]);
});

it('lets go of the full one when another picture is shown, or none', async () => {
  const { resting, show, pass, onCanvas, closed } = stage();
  resting.within = room;
  show(1);
  await pass(300);
  show(2);
  expect(closed).toEqual(['run 1 full again']);
  await pass(300);
  resting.leave();
  expect(closed).toEqual(['run 1 full again', 'run 2 full again']);
  resting.within = null;
  expect(onCanvas.at(-1)).toBe('run 2 in 640');
});

it('draws none again that is no larger than the stage, is none of a run in full, or would stay as large', async () => {
  const small = stage({ widthPx: 640, heightPx: 360 });
  small.resting.within = room;
  small.show(1);
  await small.pass(300);
  expect(small.asked).toEqual([]);
  const reduced = stage();
  reduced.resting.within = room;
  reduced.resting.show({ width: 1920, height: 1080, close: () => {} } as ImageBitmap, null);
  await reduced.pass(300);
  expect(reduced.asked).toEqual([]);
  const nearly = stage({ smallest: 1 });
  nearly.resting.within = room;
  nearly.show(1);
  await nearly.pass(300);
  expect([nearly.onCanvas, nearly.closed]).toEqual([['run 1 full'], ['run 1 in 1920']]);
});
