import { describe, expect, it } from 'vitest';
import { datasetItem } from '../../../../tests/dataset-fixture.ts';
import type { DatasetBox } from '../item/dataset-item.ts';
import { HealthCheck } from './dataset-health.ts';
import { checkDetectionMinimums } from './training-minimums.ts';

const box = (label: string, xMin: number, yMin: number, xMax: number, yMax: number): DatasetBox => ({
  label,
  xMinNormalized: xMin,
  yMinNormalized: yMin,
  xMaxNormalized: xMax,
  yMaxNormalized: yMax,
});

describe('HealthCheck', () => {
  it('counts labels, sizes and faults', () => {
    const check = new HealthCheck();
    check.add(
      datasetItem({
        fileName: 'a',
        boxes: [box('dog', 0, 0, 0.5, 0.5), box('dog', 0, 0, 0.01, 0.01), box('cat', 0.1, 0.1, 0.2, 0.2)],
      }),
    );
    check.add(
      datasetItem({
        fileName: 'b',
        boxes: [box('dog', 0.5, 0.5, 0.5, 0.9), box('dog', 0.9, 0, 1.1, 1), box('dog', NaN, 0, 1, 1)],
      }),
    );
    check.add(datasetItem({ fileName: 'c', tags: ['night'], classifications: [{ label: 'night' }] }));
    check.add(datasetItem({ fileName: 'd', sizePx: null, boxes: [box('cat', 0, 0, 1, 1)] }));
    check.add(datasetItem({ fileName: 'e', boxes: [box('cat', 0, 0, 0.001, 0.5)] }));
    check.add(datasetItem({ fileName: 'f' }));
    const health = check.report();
    expect(health).toMatchObject({ imageCount: 6, boxCount: 8 });
    expect(health.labels).toEqual([{ label: 'dog', boxCount: 5, imageCount: 2 }, { label: 'cat', boxCount: 3, imageCount: 3 }]); // prettier-ignore
    expect(health.imageLabels).toEqual([{ label: 'night', imageCount: 1 }]);
    expect(health.withoutBoxes).toEqual(['id of c', 'id of f']);
    expect(health.unlabelled).toEqual(['id of f']);
    expect(health.boxFaults).toEqual([
      { contentId: 'id of b', boxIndex: 0, fault: 'degenerate' },
      { contentId: 'id of b', boxIndex: 1, fault: 'outside' },
      { contentId: 'id of b', boxIndex: 2, fault: 'degenerate' },
      { contentId: 'id of e', boxIndex: 0, fault: 'tiny' },
    ]);
    expect(health.boxAreas).toEqual({ small: 2, medium: 1, large: 2, unknown: 1 });
    expect(health.boxSides.counts).toEqual([1, 1, 0, 1, 0, 1, 2]);
    expect(health.boxAspects.counts.reduce((sum, count) => sum + count)).toBe(5);
    expect(health.boxesPerImage.counts).toEqual([2, 2, 0, 2, 0, 0, 0, 0, 0]);
  });

  it.each([
    ['31 by 32 pixels', [32, 31], 'small', 3],
    ['32 by 32', [32, 32], 'medium', 3],
    ['96 by 95', [96, 95], 'medium', 3],
    ['96 by 96', [96, 96], 'large', 3],
    ['24 by 100', [24, 100], 'medium', 0],
    ['30 by 100', [30, 100], 'medium', 1],
    ['60 by 100', [60, 100], 'medium', 2],
    ['160 by 100', [160, 100], 'large', 4],
    ['250 by 100', [250, 100], 'large', 5],
    ['450 by 100', [450, 100], 'large', 6],
  ])('puts a box of %s where it belongs', (_, [widthPx, heightPx], area, aspectBin) => {
    const check = new HealthCheck();
    check.add(
      datasetItem({
        fileName: 'a',
        sizePx: { widthPx: 512, heightPx: 128 },
        boxes: [box('dog', 1 / 64, 1 / 64, 1 / 64 + widthPx! / 512, 1 / 64 + heightPx! / 128)],
      }),
    );
    const { boxAreas, boxAspects } = check.report();
    expect(boxAreas).toEqual({ small: 0, medium: 0, large: 0, unknown: 0, [area]: 1 });
    expect(boxAspects.counts.indexOf(1)).toBe(aspectBin);
  });

  it('counts a label of two pictures in two, and in one where boxes share it; most first, then by name', () => {
    const check = new HealthCheck();
    const boxes = ['b', 'a', 'c', 'c', 'c'].map((label) => box(label, 0, 0, 1, 1));
    check.add(datasetItem({ fileName: '1', boxes, tags: ['z', 'y'] }));
    check.add(datasetItem({ fileName: '2', boxes: boxes.slice(0, 3), classifications: [{ label: 'z' }] }));
    const { labels, imageLabels, unlabelled, withoutBoxes } = check.report();
    expect(labels).toEqual([
      { label: 'c', boxCount: 4, imageCount: 2 },
      { label: 'a', boxCount: 2, imageCount: 2 },
      { label: 'b', boxCount: 2, imageCount: 2 },
    ]);
    expect(imageLabels).toEqual([{ label: 'z', imageCount: 2 }, { label: 'y', imageCount: 1 }]); // prettier-ignore
    expect([unlabelled, withoutBoxes]).toEqual([[], []]);
  });

  it('groups near duplicates', () => {
    const check = new HealthCheck();
    const ramp = (rises: boolean) => ({
      widthPx: 9,
      heightPx: 8,
      samples: Uint8Array.from({ length: 72 }, (_, i) => (rises ? i % 9 : 9 - (i % 9))),
    });
    check.add(datasetItem({ fileName: 'a' }), ramp(true));
    check.add(datasetItem({ fileName: 'b' }), ramp(false));
    check.add(datasetItem({ fileName: 'c' }), ramp(true));
    check.add(datasetItem({ fileName: 'd' }));
    expect(check.report().nearDuplicates).toEqual([['id of a', 'id of c']]);
  });

  it('is well with nothing', () => {
    expect(new HealthCheck().report()).toMatchObject({ imageCount: 0, labels: [], nearDuplicates: [] });
  });
});

describe('checkDetectionMinimums', () => {
  const health = (labelled: number, empty: number, label = (i: number): string => (i % 2 ? 'a' : 'b')) => {
    const check = new HealthCheck();
    for (let i = 0; i < labelled; i++) check.add(datasetItem({ fileName: `${i}`, boxes: [box(label(i), 0, 0, 1, 1)] }));
    for (let i = 0; i < empty; i++) check.add(datasetItem({ fileName: `empty ${i}` }));
    return check.report();
  };

  it.each([
    ['enough of everything', health(20, 5), [true, true, true, true]],
    ['too few pictures', health(14, 0, () => 'a'), [false, true, true, true]],
    ['too many without boxes', health(20, 6), [true, false, true, true]],
    ['too few of a label', health(20, 0, (i) => (i < 9 ? 'a' : 'b')), [true, true, false, true]],
    ['no balance', health(41, 0, (i) => (i < 10 ? 'a' : 'b')), [true, true, true, false]],
    ['nothing', health(0, 0), [false, false, false, true]],
  ])('tells %s', (_, report, met) => {
    expect(checkDetectionMinimums(report).map(({ isMet }) => isMet)).toEqual(met);
  });

  it.each([
    [15, 0, '15 images: it has 15.'],
    [4, 1, '80 % of the images with boxes: 80 % are.'],
    [2, 1, '80 % of the images with boxes: 66 % are.'],
    [20, 0, '10 boxes of each label: all have them.'],
    [3, 0, '10 boxes of each label: a has 1, b has 2.'],
    [0, 1, '10 boxes of each label: there are no labels.'],
    [0, 0, '80 % of the images with boxes: 0 % are.'],
  ])('of %i pictures with boxes and %i without says: %s', (labelled, empty, message) => {
    expect(checkDetectionMinimums(health(labelled, empty)).map((one) => one.message)).toContain(message);
  });

  it('names the thinnest labels of many', () => {
    const report = health(100, 0, (i) => `label ${Math.floor(Math.sqrt(i))}`);
    expect(checkDetectionMinimums(report).map(({ message }) => message)).toContain(
      '10 boxes of each label: 5 of 10 have fewer; label 0 has 1, label 1 has 3, label 2 has 5, the fewest.',
    );
  });

  it.each([
    [30, 10, true],
    [31, 10, false],
    [10, 30, true],
    [10, 31, false],
  ])('balances %i pictures with %i: %j', (as, bs, isMet) => {
    expect(checkDetectionMinimums(health(as + bs, 0, (i) => (i < as ? 'a' : 'b')))[3]).toMatchObject({ isMet });
  });

  it('refuses what must be, and advises what should be', () => {
    expect(checkDetectionMinimums(health(0, 0)).map(({ weight }) => weight)).toEqual([
      'must',
      'must',
      'must',
      'should',
    ]);
  });
});
