import { describe, expect, it } from 'vitest';
import {
  lookAtColors,
  type ColorLook,
  type ColorView,
} from '../../../../machine/vision/color-detector/look-at-colors.ts';
import type { Frame } from '../../../../machine/vision/frame/frame.ts';
import { ConfigState } from '../../config/config-state.svelte.ts';
import type { ColorBench } from './color-bench.ts';
import { ColorState } from './color-state.svelte.ts';

/** Four pixels: red, a red that is nearly orange, grey, blue. */
const frame: Frame = {
  format: 'rgba8',
  widthPx: 4,
  heightPx: 1,
  samples: Uint8ClampedArray.from([255, 0, 0, 255, 255, 40, 0, 255, 90, 90, 90, 255, 0, 0, 255, 255]),
};
const patch = (xMin: number, xMax = xMin + 1) => ({ xMin, yMin: 0, xMax, yMax: 1 });

function stateOf(attributes: object, answer: (look: ColorLook) => Promise<ColorView | null>) {
  const config = new ConfigState();
  const service = { name: 'c', api: 'rdk:service:vision', model: 'color_detector', attributes };
  config.importText(JSON.stringify({ services: [service] }));
  const session = { listed: { frame: { name: 'a', index: 0 } } };
  const bench = { config, session, view: null, vision: { lookAtColors: answer } };
  return { config, session, color: new ColorState(bench as unknown as ColorBench) };
}
const here = (look: ColorLook) => Promise.resolve(lookAtColors(frame, look));
const valid = { detect_color: '#00ff00', hue_tolerance_pct: 0.3, segment_size_px: 1 };

describe('a colour that is picked', () => {
  it('of one pixel leaves the tolerance; a patch sets it; each is one step to undo', async () => {
    const { config, color } = stateOf(valid, here);
    await color.pick(patch(3));
    expect(color.attributes).toMatchObject({ detect_color: '#0000ff', hue_tolerance_pct: 0.3 });
    await color.pick(patch(0, 2));
    expect(color.attributes.detect_color).toMatch(/^#ff/);
    expect(color.attributes.hue_tolerance_pct).toBeLessThan(0.1);
    config.undo();
    expect(color.attributes).toMatchObject({ detect_color: '#0000ff', hue_tolerance_pct: 0.3 });
  });

  it('of one pixel sets a tolerance where there is none', async () => {
    const { color } = stateOf({ detect_color: '#00ff00' }, here);
    expect(color.rule).toBeNull();
    await color.pick(patch(3));
    expect(color.rule).toMatchObject({ label: 'blue' });
  });

  it('that is bright raises what a dark one has lowered', async () => {
    const dark = { ...frame, samples: Uint8ClampedArray.from([40, 30, 30, 255, ...frame.samples.subarray(4)]) };
    const { color } = stateOf(valid, (look) => Promise.resolve(lookAtColors(dark, look)));
    const cutoffs = () => [color.saturationCutoff, color.valueCutoff];
    await color.pick(patch(0));
    expect(cutoffs()).toEqual([0.2, 0.15]);
    expect(color.rule).not.toBeNull();
    await color.pick(patch(3));
    expect(cutoffs()).toEqual([0.2, 0.3]);
    expect(color.attributes).toMatchObject({ detect_color: '#0000ff', value_cutoff_pct: 0 });
  });

  it('of grey changes nothing, and says so', async () => {
    const { color, config } = stateOf(valid, here);
    const before = config.text;
    await color.pick(patch(2));
    expect([config.text, color.fault]).toEqual([before, expect.stringContaining('no hue')]);
    color.dismissFault();
    expect(color.fault).toBe('');
  });

  it('says why the picture cannot be read', async () => {
    const { color } = stateOf(valid, () => Promise.reject(new Error('The worker ended.')));
    await color.pick(patch(0));
    expect(color.fault).toContain('The worker ended.');
  });
});

describe('a look at the picture', () => {
  it('counts what passes, and the frames seen', async () => {
    const { color, session } = stateOf({ ...valid, detect_color: '#ff0000', hue_tolerance_pct: 0.05 }, here);
    await color.look();
    expect(color.shares).toEqual([0.25, 0.25, 0, 0.5]);
    await color.look();
    expect(color.histograms.frameCount).toBe(1);
    session.listed = { frame: { name: 'a', index: 1 } };
    await color.look();
    expect(color.histograms.frameCount).toBe(2);
  });

  it('is made once more where something changed during it, and never two at a time', async () => {
    const asked: ColorLook[] = [];
    const answers: (() => void)[] = [];
    const { color } = stateOf(valid, (look) => {
      asked.push(look);
      return new Promise((resolve) => answers.push(() => resolve(lookAtColors(frame, look))));
    });
    const looking = color.look();
    color.set({ hue_tolerance_pct: 0.5 });
    void color.look();
    void color.look();
    expect(asked).toHaveLength(1);
    answers[0]!();
    await expect.poll(() => asked.length).toBe(2);
    answers[1]!();
    await looking;
    expect(asked.map(({ rule }) => rule?.tolerance)).toEqual([0.3, 0.5]);
  });

  it('shows no shares of a service that is not built', async () => {
    const { color } = stateOf({ ...valid, detect_color: '#808080' }, here);
    await color.look();
    expect([color.shares, color.view?.widthPx]).toEqual([null, 4]);
  });
});

describe('a box that is drawn', () => {
  it('gives the least area: as large a box is kept', async () => {
    const { color, config } = stateOf(valid, here);
    color.takeArea({ xMin: 10, yMin: 20, xMax: 41, yMax: 31 });
    expect([color.minAreaPx, color.fault]).toEqual([30 * 10, '']);
    config.undo();
    expect(color.minAreaPx).toBe(1);
  });

  it.each([
    ['column', { xMin: 3, yMin: 0, xMax: 4, yMax: 9 }],
    ['row', { xMin: 3, yMin: 5, xMax: 40, yMax: 6 }],
  ])('of one %s has no area, which is said', (_, one) => {
    const { color } = stateOf(valid, here);
    color.takeArea(one);
    expect([color.minAreaPx, color.fault]).toEqual([1, expect.stringContaining('no area')]);
    color.takeArea({ xMin: 0, yMin: 0, xMax: 3, yMax: 3 });
    expect([color.minAreaPx, color.fault]).toEqual([4, '']);
  });
});

describe('a drag', () => {
  it('is one step to undo', () => {
    const { color, config } = stateOf(valid, here);
    for (const hue_tolerance_pct of [0.4, 0.5, 0.6]) color.set({ hue_tolerance_pct }, true);
    color.settle();
    config.undo();
    expect(color.attributes.hue_tolerance_pct).toBe(0.3);
  });
});
