import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';
import Overlay from '../../src/app/bench/stage/Overlay.svelte';
import { StageViewport } from '../../src/app/kit/picture/stage-viewport.svelte.ts';
import { Given } from './given.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

const box: OverlayBox = {
  row: 0,
  label: 'face',
  score: 0.9,
  colour: '#ff0000',
  kept: true,
  selected: false,
  hovered: false,
  faded: false,
  corners: [
    { x: 10, y: 40 },
    { x: 60, y: 40 },
    { x: 60, y: 80 },
    { x: 10, y: 80 },
  ],
};

/** Shows the overlay of a stage of 100×100 px with the given boxes for each frame. */
function show() {
  const given = new Given<readonly OverlayBox[]>([]);
  const viewport = new StageViewport();
  Object.assign(viewport, { stageWidthPx: 100, stageHeightPx: 100, frameWidthPx: 100, frameHeightPx: 100 });
  const drawn = vi.fn();
  const results = { detections: {} };
  const bench = { viewport, view: { overlayStyle: 'bench' }, results, profile: { times: { drawn } } } as never;
  const props = {
    bench,
    get boxes() {
      return given.current;
    },
  };
  const overlay = mount(Overlay, { target: document.body, props });
  close = () => void unmount(overlay);
  const canvas = document.querySelector('canvas')!;
  const cleared = vi.spyOn(CanvasRenderingContext2D.prototype, 'clearRect');
  return {
    canvas,
    cleared,
    drawn,
    frame(boxes: readonly OverlayBox[]): void {
      results.detections = {};
      given.current = boxes;
      flushSync();
    },
    /** Shows other boxes over the same frame, as a moved threshold does. */
    choose(boxes: readonly OverlayBox[]): void {
      given.current = boxes;
      flushSync();
    },
    coveredPx(): number {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    },
  };
}

it('leaves its canvas as it is while frames have no boxes, and out of what is seen', () => {
  const { canvas, cleared, drawn, frame, coveredPx } = show();
  drawn.mockClear();
  for (let count = 0; count < 3; count++) frame([]);
  expect(cleared).not.toHaveBeenCalled();
  expect(drawn).toHaveBeenCalledTimes(3); // called for every frame, also without boxes, because the profile counts frames
  expect(getComputedStyle(canvas).visibility).toBe('hidden');
  frame([box]);
  expect(getComputedStyle(canvas).visibility).toBe('visible');
  expect(coveredPx()).toBeGreaterThan(0);
});

it('shows no box of the frame before on one without', () => {
  const { canvas, cleared, frame, coveredPx } = show();
  frame([box]);
  frame([]);
  expect(coveredPx()).toBe(0);
  expect(getComputedStyle(canvas).visibility).toBe('hidden');
  cleared.mockClear();
  frame([]);
  expect(cleared).not.toHaveBeenCalled();
});

it('fades what a threshold drops, and is out of what is seen after that', async () => {
  const { canvas, frame, choose, coveredPx } = show();
  frame([box]);
  choose([]);
  expect(coveredPx()).toBeGreaterThan(0);
  expect(getComputedStyle(canvas).visibility).toBe('visible');
  await expect.poll(() => [coveredPx(), getComputedStyle(canvas).visibility]).toEqual([0, 'hidden']);
});

it('draws a frame once while each frame drops another box, and fades after the last', async () => {
  const { canvas, cleared, frame, choose, coveredPx } = show();
  const boxes = Array.from({ length: 4 }, (_, row) => ({ ...box, row }));
  frame(boxes);
  cleared.mockClear();
  for (let dropped = 1; dropped <= boxes.length; dropped++) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    choose(boxes.slice(dropped));
    expect(cleared).toHaveBeenCalledTimes(dropped);
  }
  await expect.poll(() => [coveredPx(), getComputedStyle(canvas).visibility]).toEqual([0, 'hidden']);
});

it('fades nothing where less motion is asked for', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  const { frame, choose, coveredPx } = show();
  frame([box]);
  choose([]);
  expect(coveredPx()).toBe(0);
});
