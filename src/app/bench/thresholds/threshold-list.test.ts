import { describe, expect, it } from 'vitest';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { SeenFrame } from '../session/seen-frame.ts';
import { ThresholdList } from './threshold-list.svelte.ts';
import { ThresholdsState } from './thresholds-state.svelte.ts';

const labels = ['cat', 'dog 10', 'dog 2', 'Bird', 'ant'];
const detected: SeenFrame = {
  detections: { count: 4, labels, labelIndex: Uint32Array.of(1, 0, 1, 3), score: Float64Array.of(0.9, 0.6, 0.3, 0.97) },
  classifications: null,
};

function list(
  onFrame: Readonly<Record<string, number>> = {},
  kept: readonly string[] = [],
  frames: readonly SeenFrame[] = [detected],
) {
  const config = new ConfigState();
  const here = new Map(Object.entries(onFrame));
  const results = () => frames;
  const thresholds = new ThresholdsState(config, results, () => labels, nothingPresent);
  return {
    config,
    here,
    thresholds,
    list: new ThresholdList(
      thresholds,
      { here: () => here, isKept: (label) => kept.includes(label.toLowerCase()) },
      (label) => (label === 'ant' ? 'ant (insect?)' : label),
    ),
  };
}
const shown = (thresholds: ThresholdList): string[] => thresholds.rows.map(({ label }) => label);

describe('the order of thresholds', () => {
  it.each([
    ['came', ['dog 10', 'Bird', 'cat', 'dog 2', 'ant']],
    ['name', ['ant', 'Bird', 'cat', 'dog 2', 'dog 10']],
    ['count', ['dog 10', 'Bird', 'cat', 'dog 2', 'ant']],
    ['score', ['Bird', 'dog 10', 'cat', 'dog 2', 'ant']],
  ] as const)('%s', (order, expected) => {
    const { list: thresholds } = list();
    thresholds.sortBy(order);
    expect(shown(thresholds)).toEqual(expected);
  });

  it('has what is on the frame first, and there its score of the frame', () => {
    const { list: thresholds } = list({ ant: 0.1, cat: 0.3 });
    thresholds.sortBy('score');
    expect(shown(thresholds)).toEqual(['cat', 'ant', 'Bird', 'dog 10', 'dog 2']);
    expect(thresholds.isOnFrame('CAT')).toBe(true);
    expect(thresholds.isOnFrame('dog 2')).toBe(false);
  });

  it('has what is kept on the frame before what is only on it, and both as they came', () => {
    const { list: thresholds } = list({ ant: 0.1, cat: 0.3, bird: 0.9, 'dog 2': 0.2 }, ['dog 2', 'ant']);
    expect(shown(thresholds)).toEqual(['dog 2', 'ant', 'Bird', 'cat', 'dog 10']);
  });

  it('counts for a classifier how often a label was the surest', () => {
    const classified = (...score: number[]): SeenFrame => ({
      detections: null,
      classifications: { labels: ['a', 'b', 'c', 'd'], score: Float64Array.from(score) },
    });
    const frames = [classified(0.1, 0.2, 0.6, 0.1), classified(0.1, 0.2, 0.6, 0.1), classified(0.5, 0.3, 0.2, 0)];
    const { thresholds, list: rows } = list({}, [], [...frames, classified(NaN, NaN, NaN, NaN)]);
    rows.sortBy('count');
    expect(shown(rows).slice(0, 4)).toEqual(['c', 'a', 'b', 'd']);
    expect([...thresholds.seen.scores.wins()]).toEqual([['c', 2], ['a', 1]]); // prettier-ignore
  });

  it('stays while it is held, and follows again when it is let go', () => {
    const { list: thresholds, config } = list({ cat: 0.6 });
    thresholds.sortBy('count');
    thresholds.hold('pointer');
    const before = shown(thresholds);
    config.edit('By hand', (text) =>
      text.replace('"default_minimum_confidence": 0.5', '"default_minimum_confidence": 0.95'),
    );
    expect(shown(thresholds)).toEqual(before);
    thresholds.hold('keyboard');
    thresholds.letGo('pointer');
    expect(shown(thresholds)).toEqual(before);
    thresholds.letGo('keyboard');
    expect(shown(thresholds)).toEqual(['cat', 'Bird', 'dog 10', 'dog 2', 'ant']);
  });

  it('finds labels by part of their name', () => {
    const { list: thresholds } = list();
    thresholds.wanted = ' DO';
    expect(shown(thresholds)).toEqual(['dog 10', 'dog 2']);
    thresholds.wanted = 'insect';
    expect(shown(thresholds)).toEqual(['ant']);
  });
});

describe('labels that are chosen together', () => {
  it('are those of the rows in sight, in any case, until they are not listed any more', () => {
    const { list: thresholds } = list();
    thresholds.wanted = 'dog';
    expect(thresholds.allChosen).toBe(false);
    thresholds.choose(shown(thresholds), true);
    expect(thresholds.allChosen).toBe(true);
    thresholds.wanted = '';
    expect([thresholds.allChosen, thresholds.chosen]).toEqual([false, ['dog 10', 'dog 2']]);
    thresholds.choose(['DOG 2'], false);
    expect([thresholds.isChosen('dog 2'), thresholds.isChosen('Dog 10')]).toEqual([false, true]);
    thresholds.chooseNone();
    expect(thresholds.chosen).toEqual([]);
  });

  it('get one threshold in one step, and the others stay', () => {
    const { config, thresholds } = list();
    thresholds.setLabels(['CAT', 'ant'], 0.8);
    expect(config.filter.labelConfidences).toEqual({ CAT: 0.8, ant: 0.8, 'dog 10': 0.5, 'dog 2': 0.5, Bird: 0.5 });
    thresholds.setLabels(['cat'], 0.1);
    expect(config.filter.labelConfidences).toMatchObject({ cat: 0.1, ant: 0.8 });
    expect(Object.keys(config.filter.labelConfidences)).toHaveLength(5);
    config.undo();
    config.undo();
    expect(config.filter.labelConfidences).toEqual({});
  });

  it('are all that is kept, each where it was', () => {
    const { config, thresholds } = list();
    thresholds.setDefault(0.25);
    thresholds.keepOnly(['cat', 'Bird']);
    expect(config.filter.labelConfidences).toEqual({ cat: 0.25, Bird: 0.25 });
    expect(thresholds.total.kept).toBe(2);
    thresholds.setLabel('cat', 0.7);
    thresholds.keepOnly(['CAT', 'ant']);
    expect(config.filter.labelConfidences).toEqual({ cat: 0.7, ant: 0.25 });
    thresholds.useDefault();
    expect(thresholds.default).toBe(0.25);
  });

  it('are dropped, unless none would be left', () => {
    const { config, thresholds } = list();
    thresholds.drop(['cat', 'DOG 2']);
    expect(Object.keys(config.filter.labelConfidences).toSorted()).toEqual(['Bird', 'ant', 'dog 10']);
    expect(thresholds.canDrop(['bird', 'ant', 'dog 10'])).toBe(false);
    thresholds.drop(['bird', 'ant', 'dog 10']);
    expect(Object.keys(config.filter.labelConfidences)).toHaveLength(3);
  });
});
