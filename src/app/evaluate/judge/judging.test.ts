import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../../ports/raw-image.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import type { TunedThresholds } from '../tuned-thresholds.ts';
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

function judge(given: Partial<{ results: readonly EvaluatedImage[]; kept: ReturnType<typeof memory> }> = {}) {
  const { results = images, kept = memory() } = given;
  const line = { cat: 0.5, dog: 0.5 };
  const tuned: TunedThresholds = {
    perLabel: true,
    default: 0.5,
    thresholdOf: (label) => line[label.toLowerCase() as 'cat'],
    setDefault: () => undefined,
    setLabel: (label, value) => void (line[label.toLowerCase() as 'cat'] = value),
    setEach: () => undefined,
    settle: () => undefined,
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
    kept.setItem('sightglass:judgements', '[{"key":"run cat","edges":[1],"judged":3}]');
    expect(judge({ kept }).judging.isBegun).toBe(false);
  });

  it('leaves out images that were deleted, and says how many judgements went with them', () => {
    const { judging, kept } = judge();
    judging.draw();
    const [first] = [judging.current!.found.image.id];
    judging.skip(first);
    expect([judging.goneCount, judging.lostCount, judging.progress.drawn]).toEqual([1, 0, 40]);
    expect(judging.current!.found.image.id).not.toBe(first);
    judgeAll(judging);
    const judged: { imageId: string }[] = JSON.parse(kept.getItem('sightglass:judgements')!)[0].judged;
    const left = images.filter(({ image }) => image.id !== first && image.id !== judged[0]!.imageId);
    const later = judge({ kept, results: left }).judging;
    expect([later.lostCount, later.progress.drawn]).toEqual([1, 40]);
    judgeAll(later);
    expect(later.estimate).not.toBeNull();
  });

  it('says nothing of a line that the judged boxes do not reach, until boxes are drawn around it', () => {
    const { judging } = judge();
    judging.draw();
    judgeAll(judging, 10);
    expect(judging.estimate).not.toBeNull();
  });

  it('offers images at random for recall, the same on each visit', () => {
    const ids = judge().judging.wholeImages.map(({ image }) => image.id);
    expect(ids).toHaveLength(10);
    expect(judge().judging.wholeImages.map(({ image }) => image.id)).toEqual(ids);
    expect(ids).not.toEqual(images.slice(0, 10).map(({ image }) => image.id));
  });
});
