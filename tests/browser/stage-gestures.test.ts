import type {} from '@vitest/browser-playwright';
import { afterEach, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { stageGestures } from '../../src/app/kit/picture/stage-gestures.ts';
import { StageViewport } from '../../src/app/kit/picture/stage-viewport.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

type Finger = readonly [id: number, x: number, y: number];

/** A frame of 300×200 px on a stage of 200×200 px, with simulated fingers. Points are in stage pixels. */
function aStage() {
  const viewport = new StageViewport();
  Object.assign(viewport, { stageWidthPx: 200, stageHeightPx: 200, frameWidthPx: 300, frameHeightPx: 200 });
  const taps: unknown[] = [];
  const stage = document.createElement('div');
  stage.style.cssText = 'position: absolute; inset: 0 auto auto 0; width: 200px; height: 200px; touch-action: none';
  document.body.replaceChildren(stage);
  close = stageGestures(viewport, { onHover: () => undefined, onTap: (point) => taps.push(point) })(stage);

  const frame = window.frameElement?.getBoundingClientRect();
  const shrink = frame ? frame.width / innerWidth : 1;
  const send = (type: string, fingers: readonly Finger[]) =>
    cdp().send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: fingers.map(([id, x, y]) => ({
        id,
        x: (frame?.left ?? 0) + x * shrink,
        y: (frame?.top ?? 0) + y * shrink,
      })),
    });
  return {
    viewport,
    taps,
    put: (...fingers: Finger[]) => send('touchStart', fingers),
    move: (...fingers: Finger[]) => send('touchMove', fingers),
    lift: (...fingers: Finger[]) => send('touchEnd', fingers),
    /** The picture's position: [left, top, scale], rounded to a tenth. */
    place: () =>
      [viewport.offsetXPx, viewport.offsetYPx, 100 * viewport.scale].map((value) => Math.round(value * 10) / 10),
  };
}

it('keeps what is under two fingers under them, also once a limit has held the picture back', async () => {
  const { viewport, put, move, lift, place } = aStage();
  const under = [viewport.toFrame(80, 100), viewport.toFrame(120, 100)];
  await put([1, 80, 100], [2, 120, 100]);
  await move([1, 40, 120], [2, 160, 120]);
  await expect.poll(() => viewport.toStage(under[0]!.x, under[0]!.y).x).toBeCloseTo(40);
  expect(viewport.toStage(under[1]!.x, under[1]!.y)).toEqual({ x: expect.closeTo(160), y: expect.closeTo(120) });
  const before = place();

  await move([1, 99.9, 100], [2, 100.1, 100]);
  await expect.poll(() => viewport.scale).toBe(0.05);
  await move([1, 40, 120], [2, 160, 120]);
  await expect.poll(place).toEqual(before);
  await lift();
});

it('only pans where three fingers move side by side, and goes on with those that stay', async () => {
  const { put, move, lift, place } = aStage();
  const [left, top, scale] = place() as [number, number, number];
  await put([1, 50, 100], [2, 100, 40], [3, 150, 120]);
  await move([1, 70, 110], [2, 120, 50], [3, 170, 130]);
  await expect.poll(place).toEqual([left + 20, top + 10, scale]);
  await lift([1, 70, 110]);
  await lift([3, 170, 130]);
  expect(place()).toEqual([left + 20, top + 10, scale]);
  await move([2, 130, 50]);
  await expect.poll(place).toEqual([left + 30, top + 10, scale]);
  await lift();
});

it('takes a press of one finger for one, and that of two for none', async () => {
  const { taps, put, lift } = aStage();
  await put([1, 80, 100], [2, 120, 100]);
  await lift();
  await put([1, 80, 100]);
  await lift();
  await expect.poll(() => taps).toHaveLength(1);
});
