import { describe, expect, it } from 'vitest';
import { datasetItem } from '../../../tests/dataset-fixture.ts';
import type { DatasetBox } from '../dataset-item.ts';
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
  const health = (labelled: number, empty: number, label = (i: number) => (i % 2 ? 'a' : 'b')) => {
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
});
