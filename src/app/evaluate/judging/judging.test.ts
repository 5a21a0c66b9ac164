import { describe, expect, it } from 'vitest';
import { fixedThresholds } from '../../../../tests/fixed-thresholds.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';
import { Judging } from './judging.svelte.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** 100 images with a cat each, of scores from 0 to 0.99, and one dog in all. A cat is right from 0.6 on. */
const images: readonly EvaluatedImage[] = Array.from({ length: 100 }, (_, at) => ({
  image: { id: `image ${at}`, name: `${at}.jpg`, sizeBytes: 1, boxes: [], labels: [], sequence: '' },
  raw: {
    widthPx: 10,
    heightPx: 10,
    labels: ['Dog', 'cat'],
    labelIndex: Uint32Array.from(at === 0 ? [1, 0] : [1]),
    score: Float64Array.from(at === 0 ? [0, 0.9] : [at / 100]),
    box: new Float64Array(at === 0 ? 8 : 4),
    seen: null,
    classes: null,
  } satisfies RawImage,
}));
const isRight = (score: number): boolean => score >= 0.6;

interface Given {
  readonly results?: readonly EvaluatedImage[];
  readonly kept?: ReturnType<typeof memory>;
  readonly cat?: number;
}

function judge({ results = images, kept = memory(), cat = 0.5 }: Given = {}) {
  const line = { cat, dog: 0.5 };
  const tuned: TunedThresholds = {
    ...fixedThresholds(0.5),
    perLabel: true,
    thresholdOf: (label) => line[label.toLowerCase() as 'cat'],
    setLabel: (label, value) => void (line[label.toLowerCase() as 'cat'] = value),
  };
  const judging = new Judging({ key: () => 'run', results: () => results, chosen: () => null }, tuned, kept);
  return { judging, kept };
}

function judgeAll(judging: Judging, most = Infinity): void {
  for (let count = 0; judging.current && count < most; count++) judging.judge(isRight(judging.current.score));
}

describe('judging boxes', () => {
  it('takes the label that is found most, and draws boxes around its line', () => {
    const { judging } = judge();
    expect([judging.label, judging.labels.map(({ keptCount }) => keptCount)]).toEqual(['cat', [50, 1]]);
    expect([judging.isBegun, judging.current, judging.estimate]).toEqual([false, null, null]);
    judging.draw();
    expect([judging.drawnAround, judging.progress]).toEqual([0.5, { drawn: 40, judged: 0 }]);
    judgeAll(judging);
    expect(judging.progress).toEqual({ drawn: 40, judged: 40 });
    const { low, high } = judging.estimate!;
    expect(low <= 0.8 && 0.8 <= high).toBe(true);
    const before = high - low;
    judging.drawMore();
    expect(judging.progress).toEqual({ drawn: 60, judged: 40 });
    judgeAll(judging);
    expect(judging.estimate!.high - judging.estimate!.low).toBeLessThan(before);
  });

  it('offers as many boxes as it then draws', () => {
    for (const cat of [0.3, 0.5, 0.69, 0.85, 0.99]) {
      const { judging } = judge({ cat });
      const { firstCount } = judging;
      judging.draw();
      expect(judging.progress.drawn).toBe(firstCount);
      const { moreCount } = judging;
      judging.drawMore();
      expect(judging.progress.drawn).toBe(firstCount + moreCount);
    }
    expect(judge({ cat: 0.69 }).judging.firstCount).toBe(40);
  });

  it('keeps judgements with their probabilities over a reload, and takes the last one back', () => {
    const { judging, kept } = judge();
    judging.draw();
    judgeAll(judging, 3);
    const third = judging.current!.found.image.id;
    const again = judge({ kept }).judging;
    expect([again.progress.judged, again.current!.found.image.id]).toEqual([3, third]);
    const [session] = JSON.parse(kept.getItem('sightglass:judgements')!);
    for (const { probability } of session.judged) expect(probability).toBeGreaterThan(0);
    again.undo();
    expect([again.progress.judged, again.canUndo]).toEqual([2, true]);
    for (const other of [
      '{"key":"run cat","edges":[1],"judged":3}',
      JSON.stringify({ ...session, edges: [0, 0.5, 1] }),
    ]) {
      kept.setItem('sightglass:judgements', `[${other}]`);
      expect(judge({ kept }).judging.isBegun).toBe(false);
    }
  });

  it('leaves out images that were deleted, and says how many judgements went with them', () => {
    const { judging, kept } = judge();
    judging.draw();
    const [first] = [judging.current!.found.image.id];
    judging.skip(first);
    expect([judging.goneCount, judging.lostCount, judging.progress.drawn]).toEqual([1, 0, 40]);
    expect(judging.current!.found.image.id).not.toBe(first);
    const second = judging.current!.found.image.id;
    judging.skip(second);
    expect([judging.goneCount, judging.progress.drawn]).toEqual([2, 40]);
    expect([first, second]).not.toContain(judging.current!.found.image.id);
    judgeAll(judging);
    const judged: { imageId: string }[] = JSON.parse(kept.getItem('sightglass:judgements')!)[0].judged;
    const left = images.filter(({ image }) => ![first, second, judged[0]!.imageId].includes(image.id));
    const later = judge({ kept, results: left }).judging;
    expect([later.lostCount, later.progress.drawn]).toEqual([1, 40]);
    judgeAll(later);
    expect(later.estimate).not.toBeNull();
  });

  it('estimates at any line that the boxes reach, until they are drawn around another one', () => {
    const { judging, kept } = judge();
    judging.draw();
    judgeAll(judging, 12);
    const { estimate, curve, keptCount } = judging;
    expect([keptCount, curve.length, curve[50]]).toEqual([50, 101, { threshold: 0.5, estimate }]);
    const lower = judge({ kept, cat: 0.05 }).judging;
    expect([lower.drawnAround, lower.keptCount]).toEqual([0.5, 95]);
    lower.draw();
    // What was judged before counts where it is drawn again.
    expect(lower.drawnAround).toBe(0.05);
    expect(lower.progress.judged).toBeGreaterThan(0);
    judgeAll(lower);
    const { low, high } = lower.estimate!;
    expect(low <= 40 / 95 && 40 / 95 <= high).toBe(true);
  });

  it('leaves the estimate to judgements whose turn came before the first open one', () => {
    const { judging, kept } = judge();
    judging.draw();
    judgeAll(judging);
    const whole = judging.estimate!;
    const [session] = JSON.parse(kept.getItem('sightglass:judgements')!);
    kept.setItem('sightglass:judgements', JSON.stringify([{ ...session, judged: session.judged.slice(20) }]));
    expect([judge({ kept }).judging.progress.judged, judge({ kept }).judging.estimate]).toEqual([20, null]);
    expect(whole).not.toBeNull();
  });

  it('does nothing before boxes are drawn, and keeps the sessions of twenty labels and runs', () => {
    const { judging, kept } = judge();
    judging.undo();
    judging.drawMore();
    judging.judge(true);
    expect([judging.isBegun, judging.moreCount, judging.lostCount, judging.curve[50]!.estimate]).toEqual([
      false,
      0,
      0,
      null,
    ]);
    const old = Array.from({ length: 25 }, (_, at) => ({ key: `${at}`, edges: [0, 0, 0, 0], budget: 40, judged: [] }));
    kept.setItem('sightglass:judgements', JSON.stringify(old));
    judge({ kept }).judging.draw();
    const keys = JSON.parse(kept.getItem('sightglass:judgements')!).map(({ key }: { key: string }) => key);
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([20, 'run cat', '18']);
  });

  it('offers images at random for recall, the same on each visit', () => {
    const ids = judge().judging.wholeImages.map(({ image }) => image.id);
    expect(ids).toHaveLength(10);
    expect(judge().judging.wholeImages.map(({ image }) => image.id)).toEqual(ids);
    expect(ids).not.toEqual(images.slice(0, 10).map(({ image }) => image.id));
  });
});
