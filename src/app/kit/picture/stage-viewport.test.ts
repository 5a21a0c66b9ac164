import { describe, expect, it } from 'vitest';
import { lookSize } from '../../../machine/vision/gpu/looks.ts';
import { StageViewport } from './stage-viewport.svelte.ts';

function viewport(frameWidthPx = 1000, frameHeightPx = 500): StageViewport {
  const made = new StageViewport();
  Object.assign(made, { stageWidthPx: 548, stageHeightPx: 400, frameWidthPx, frameHeightPx });
  return made;
}

describe('StageViewport', () => {
  it('fits the frame and centres it, with a margin', () => {
    const fitted = viewport();
    const marginPx = 16; // 3 % of 548
    expect(fitted.scale).toBeCloseTo((548 - 2 * marginPx) / 1000);
    expect(fitted.offsetXPx).toBe(marginPx);
    expect(fitted.offsetYPx).toBeCloseTo((400 - 500 * fitted.scale) / 2);
  });

  it.each([
    { stage: [670, 601], frame: [1280, 720] },
    { stage: [1001, 333], frame: [1280, 720] },
    { stage: [389, 388], frame: [719, 1279] },
  ])(
    'lays a fitted picture of $frame on whole px of a stage of $stage, as large as it is drawn',
    ({ stage, frame }) => {
      const [frameWidthPx = 0, frameHeightPx = 0] = frame;
      const fitted = viewport(frameWidthPx, frameHeightPx);
      Object.assign(fitted, { stageWidthPx: stage[0], stageHeightPx: stage[1] });
      expect([fitted.offsetXPx % 1, fitted.offsetYPx % 1]).toEqual([0, 0]);
      expect(fitted.toFrame(fitted.offsetXPx, fitted.offsetYPx)).toEqual({ x: 0, y: 0 });
      const { widthPx, heightPx } = fitted.pictureWithin(1)!;
      const longestPx =
        Math.max(frameWidthPx, frameHeightPx) * Math.min(widthPx / frameWidthPx, heightPx / frameHeightPx);
      const shown = { widthPx: frameWidthPx * fitted.scale, heightPx: frameHeightPx * fitted.scale };
      const drawn = lookSize({ widthPx: frameWidthPx, heightPx: frameHeightPx }, longestPx);
      expect(drawn).toEqual({ widthPx: Math.round(shown.widthPx), heightPx: Math.round(shown.heightPx) });
    },
  );

  it('has room for as large a picture as it shows, in pixels of the screen, and no bound once it is zoomed', () => {
    const shown = viewport();
    const { widthPx, heightPx } = shown.pictureWithin(2)!;
    expect(Math.min(widthPx / 1000, heightPx / 500)).toBeCloseTo(2 * shown.scale, 2);
    shown.zoomTo(0.1);
    expect(shown.pictureWithin(2)).toBeNull();
    shown.fit();
    shown.stageHeightPx = 0;
    expect(shown.pictureWithin(2)).toBeNull();
  });

  it('follows the size of the stage while it is fitted', () => {
    const fitted = viewport();
    const before = fitted.scale;
    fitted.stageWidthPx = 1096;
    expect(fitted.scale).toBeGreaterThan(before);
  });

  it('keeps the point under the pointer when it zooms', () => {
    const zoomed = viewport();
    const before = zoomed.toFrame(300, 210);
    zoomed.zoomTo(3, 300, 210);
    expect(zoomed.fitted).toBe(false);
    expect(zoomed.toFrame(300, 210).x).toBeCloseTo(before.x);
    expect(zoomed.toFrame(300, 210).y).toBeCloseTo(before.y);
  });

  it('shows one frame pixel on one stage pixel at 100 %', () => {
    const actual = viewport();
    actual.actualSize();
    expect(actual.toStage(11, 0).x - actual.toStage(10, 0).x).toBe(1);
  });

  it('pans by what the pointer moved', () => {
    const panned = viewport();
    panned.zoomTo(2);
    const before = panned.toStage(500, 250);
    panned.panBy(30, -12);
    expect(panned.toStage(500, 250).x).toBeCloseTo(before.x + 30);
    expect(panned.toStage(500, 250).y).toBeCloseTo(before.y - 12);
  });

  it('cannot lose the frame', () => {
    const far = viewport();
    far.panBy(100_000, 100_000);
    expect(far.toFrame(548 / 2, 400 / 2)).toEqual({ x: 0, y: 0 });
  });

  it('does not lose a smaller frame after a larger one, and is back at its place with the next large one', () => {
    const corner = viewport(1000, 500);
    corner.zoomTo(20);
    corner.panBy(-1e6, -1e6);
    Object.assign(corner, { frameWidthPx: 100, frameHeightPx: 50 });
    expect(corner.toStage(100, 50)).toEqual({ x: 548 / 2, y: 400 / 2 });
    Object.assign(corner, { frameWidthPx: 1000, frameHeightPx: 500 });
    expect(corner.toFrame(548 / 2, 400 / 2)).toEqual({ x: 1000, y: 500 });
  });

  it.each([
    [1e9, 64],
    [1e-9, 0.05],
  ])('holds a zoom of %f to %f', (wanted, scale) => {
    const held = viewport();
    held.zoomTo(wanted);
    expect(held.scale).toBe(scale);
  });

  it('goes back to fitting', () => {
    const back = viewport();
    back.zoomTo(8);
    back.fit();
    expect(back.fitted).toBe(true);
  });
});
