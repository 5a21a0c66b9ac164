import { describe, expect, it } from 'vitest';
import { detectColors } from '../../../../machine/vision/color-detector/detect-colors.ts';
import { lookAtColors, type ColorLook } from '../../../../machine/vision/color-detector/look-at-colors.ts';
import { pixelTest } from '../../../../machine/vision/color-detector/pixel-test.ts';
import {
  separateOnFrame,
  type BlobWish,
  type Inseparable,
  type Separation,
} from '../../../../machine/vision/color-detector/separate-blobs.ts';
import type { Frame } from '../../../../machine/vision/frame/frame.ts';
import { ConfigState } from '../../config/config-state.svelte.ts';
import { BlobMarks } from './blob-marks.svelte.ts';
import type { ColorBench } from './color-bench.ts';
import { ColorState } from './color-state.svelte.ts';

/** A red square on the left, and one on the right of another colour; black between. */
function frameOf(right: readonly [number, number, number]): Frame {
  const samples = Uint8ClampedArray.from({ length: 4 * 30 * 10 }, (_, at) => {
    const [x, channel] = [(at >> 2) % 30, at & 3];
    if (channel === 3) return 255;
    if (x < 10) return channel === 0 ? 255 : 0;
    return x < 20 ? 0 : right[channel]!;
  });
  return { format: 'rgba8', widthPx: 30, heightPx: 10, samples };
}
const [left, right] = [[0, 0, 9, 9] as const, [20, 0, 29, 9] as const];
const orange = [255, 128, 0] as const;

type Answer = (wish: BlobWish) => Promise<Separation | Inseparable | null>;

function blobsOn(frame: Frame, answer: Answer = (wish) => Promise.resolve(separateOnFrame(frame, wish))) {
  const config = new ConfigState();
  const attributes = { detect_color: '#ff0000', hue_tolerance_pct: 0.5, segment_size_px: 10 };
  config.importText(
    JSON.stringify({ services: [{ name: 'c', api: 'rdk:service:vision', model: 'color_detector', attributes }] }),
  );
  const session = {
    number: 0,
    get listed() {
      const { rule } = color;
      const detections = rule && detectColors(frame, { rule, test: pixelTest(rule) });
      return { frame: { name: 'a', index: this.number }, detections };
    },
  };
  const vision = {
    lookAtColors: (look: ColorLook) => Promise.resolve(lookAtColors(frame, look)),
    separateBlobs: answer,
  };
  const bench = { config, session, view: null, vision } as unknown as ColorBench;
  const color: ColorState = new ColorState(bench);
  return { config, session, color, blobs: new BlobMarks(bench, color) };
}

describe('a box that is marked', () => {
  it('is a yes, a no, and then not marked', () => {
    const { blobs } = blobsOn(frameOf(orange));
    const states = () => blobs.boxes.map(({ isWanted }) => isWanted);
    expect(states()).toEqual([undefined, undefined]);
    blobs.mark(left);
    expect(states()).toEqual([true, undefined]);
    blobs.mark(left);
    expect([states(), blobs.wantedCount, blobs.unwantedCount]).toEqual([[false, undefined], 0, 1]);
    blobs.mark(left);
    expect(blobs.marks).toEqual([]);
  });

  it('keeps its mark where it is no longer found, and can lose it there', () => {
    const { blobs, color } = blobsOn(frameOf(orange));
    blobs.mark(right);
    color.set({ hue_tolerance_pct: 0.1 });
    expect(blobs.boxes).toEqual([
      { box: left, isWanted: undefined },
      { box: right, isWanted: true },
    ]);
    blobs.mark(right);
    blobs.mark(right);
    expect(blobs.boxes).toHaveLength(1);
  });

  it('is marked on one picture: on the next nothing is', () => {
    const { blobs, session } = blobsOn(frameOf(orange));
    blobs.mark(left);
    session.number = 1;
    expect(blobs.boxes.every(({ isWanted }) => isWanted === undefined)).toBe(true);
  });
});

describe('parting what is marked', () => {
  const marked = (...given: Parameters<typeof blobsOn>) => {
    const all = blobsOn(...given);
    all.blobs.mark(left);
    all.blobs.mark(right);
    all.blobs.mark(right);
    return all;
  };

  it('writes the widest tolerance, in one step to undo', async () => {
    const { blobs, color, config } = marked(frameOf(orange));
    await blobs.separate();
    expect(color.attributes).toMatchObject({ hue_tolerance_pct: 0.16, saturation_cutoff_pct: 0, value_cutoff_pct: 0 });
    expect([blobs.outcome, blobs.hasFailed]).toEqual([
      'Tolerance 0.16 keeps each yes (1) and drops each no (1).',
      false,
    ]);
    config.undo();
    expect(color.attributes.hue_tolerance_pct).toBe(0.5);
  });

  it('writes a cut-off where it is needed, in the same step', async () => {
    const { blobs, color, config } = marked(frameOf([200, 100, 100]));
    await blobs.separate();
    expect(color.attributes).toMatchObject({ hue_tolerance_pct: 1, saturation_cutoff_pct: 0.74, value_cutoff_pct: 0 });
    expect(blobs.outcome).toContain('Tolerance 1.00 with saturation 0.74 keeps');
    config.undo();
    expect(color.attributes).toMatchObject({ hue_tolerance_pct: 0.5, saturation_cutoff_pct: 0 });
  });

  it('changes nothing where nothing parts them, and says what is in the way', async () => {
    const { blobs, config } = marked(frameOf([255, 0, 0]));
    const before = config.text;
    await blobs.separate();
    expect([config.text, blobs.hasFailed]).toEqual([before, true]);
    expect(blobs.outcome).toContain('wherever each yes is found, the box at 20, 0 is too');
  });

  it('needs a yes and a no', async () => {
    const { blobs, config } = blobsOn(frameOf(orange));
    const before = config.text;
    blobs.mark(left);
    expect(blobs.whyNot).toContain('one no');
    await blobs.separate();
    expect(config.text).toBe(before);
    blobs.mark(right);
    blobs.mark(right);
    expect(blobs.whyNot).toBe('');
    blobs.mark(left);
    blobs.mark(left);
    expect(blobs.whyNot).toContain('one yes');
  });

  it.each<[string, (all: ReturnType<typeof blobsOn>) => void]>([
    ['the picture', ({ session }) => void (session.number = 1)],
    ['a value', ({ color }) => color.set({ value_cutoff_pct: 0.5 })],
    ['a mark', ({ blobs }) => blobs.clear()],
  ])('takes no answer that comes after %s has changed', async (_, change) => {
    let give!: (found: Separation) => void;
    const all = marked(frameOf(orange), () => new Promise((resolve) => (give = resolve)));
    const searching = all.blobs.separate();
    expect(all.blobs.isSearching).toBe(true);
    change(all);
    give({ tolerance: 0.16, saturationCutoff: 0.2, valueCutoff: 0.3 });
    await searching;
    expect([all.color.attributes.hue_tolerance_pct, all.blobs.isSearching]).toEqual([0.5, false]);
    expect(all.blobs.outcome).toContain('changed meanwhile');
  });

  it('says why the search failed', async () => {
    const { blobs } = marked(frameOf(orange), () => Promise.reject(new Error('The worker ended.')));
    await blobs.separate();
    expect([blobs.outcome, blobs.hasFailed]).toEqual(['The search failed: The worker ended.', true]);
  });

  it('asks once at a time, with the cut-offs that the colour allows', async () => {
    const asked: BlobWish[] = [];
    const { blobs, color } = marked(frameOf(orange), (wish) => (asked.push(wish), Promise.resolve(null)));
    const first = blobs.separate();
    void blobs.separate();
    await first;
    expect(asked).toHaveLength(1);
    expect(asked[0]!.most).toEqual({ saturation: 1, value: 1 });
    color.set({ detect_color: '#804040' });
    await blobs.separate();
    expect(asked[1]!.most).toEqual({ saturation: 127 / 255, value: 128 / 255 });
  });
});
