import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import DetailsOverlay from '../../src/app/bench/stage/DetailsOverlay.svelte';
import type { OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';
import { StageViewport } from '../../src/app/kit/picture/stage-viewport.svelte.ts';
import type { DetectionDetails } from '../../src/machine/vision/details/decode-details.ts';
import { Given } from './given.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

const box: OverlayBox = {
  row: 0,
  label: 'person',
  score: 0.9,
  colour: '#ff0000',
  kept: true,
  selected: false,
  hovered: false,
  faded: false,
  corners: [
    { x: 20, y: 20 },
    { x: 80, y: 20 },
    { x: 80, y: 80 },
    { x: 20, y: 80 },
  ],
};

interface Drawn {
  readonly details: DetectionDetails | null;
  readonly boxes: readonly OverlayBox[];
}

/** Shows the details of a frame of 100×100 px on a stage of that size. */
function show(first: Drawn) {
  const given = new Given(first);
  const viewport = new StageViewport();
  Object.assign(viewport, { stageWidthPx: 100, stageHeightPx: 100, frameWidthPx: 100, frameHeightPx: 100 });
  const results = {
    get details() {
      return given.current.details;
    },
    placeOf: (point: unknown) => point,
  };
  const props = {
    bench: { viewport, results } as never,
    get boxes() {
      return given.current.boxes;
    },
  };
  const overlay = mount(DetailsOverlay, { target: document.body, props });
  close = () => void unmount(overlay);
  flushSync();
  const canvas = document.querySelector('canvas')!;
  return {
    canvas,
    frame(next: Drawn): void {
      given.current = next;
      flushSync();
    },
    pixelAt(x: number, y: number): number[] {
      const place = viewport.toStage(x, y);
      const [left, top] = [place.x, place.y].map((px) => Math.round(px * devicePixelRatio));
      return [...canvas.getContext('2d')!.getImageData(left!, top!, 1, 1).data];
    },
    coveredPx(): number {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    },
  };
}

const square = (from: number, to: number) => [from, from, to, from, to, to, from, to];

it('fills a mask translucently in the colour of its label, with its holes left open', () => {
  const masks = {
    points: Float32Array.from([...square(30, 70), ...square(45, 55)]),
    ends: Uint32Array.of(4, 8),
    rows: Uint32Array.of(0, 0),
  };
  const { pixelAt } = show({ details: { keyPoints: null, masks }, boxes: [box] });
  const [red, green, blue, alpha] = pixelAt(37, 50);
  expect([red, green, blue]).toEqual([255, 0, 0]);
  expect(alpha).toBeGreaterThan(60);
  expect(alpha).toBeLessThan(130);
  expect(pixelAt(50, 50)[3]).toBe(0);
  expect(pixelAt(25, 50)[3]).toBe(0);
});

it('draws key points as rings, and the lines of a body between those that the model is sure of', () => {
  const values = new Float32Array(17 * 3);
  values.set([30, 30, 0.9], 3 * 5); // a shoulder
  values.set([70, 30, 0.9], 3 * 6); // the other
  values.set([30, 70, 0.1], 3 * 7); // an elbow that is not seen
  const { pixelAt } = show({ details: { keyPoints: { perRow: 17, values }, masks: null }, boxes: [box] });
  expect(pixelAt(50, 30)[3]).toBeGreaterThan(0);
  expect(pixelAt(30, 50)[3]).toBe(0);
  expect(pixelAt(30, 70)[3]).toBe(0);
});

it('shows nothing of a frame on the next, nor of a box that a threshold drops', () => {
  const keyPoints = { perRow: 1, values: Float32Array.of(50, 50, 1) };
  const drawn = { details: { keyPoints, masks: null }, boxes: [box] };
  const { canvas, frame, coveredPx } = show(drawn);
  expect(coveredPx()).toBeGreaterThan(0);
  frame({ ...drawn, boxes: [{ ...box, kept: false }] });
  expect(coveredPx()).toBe(0);
  expect(getComputedStyle(canvas).visibility).toBe('hidden');
  frame(drawn);
  expect(coveredPx()).toBeGreaterThan(0);
  frame({ details: null, boxes: [box] });
  expect(coveredPx()).toBe(0);
});
