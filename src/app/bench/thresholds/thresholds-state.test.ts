import { describe, expect, it } from 'vitest';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { lint } from '../../../machine/config/lint/lint.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ThresholdsState } from './thresholds-state.svelte.ts';

const labels = ['cat', 'dog', 'bird'];
const frame = {
  detections: {
    count: 3,
    labels,
    labelIndex: Uint32Array.of(1, 0, 1),
    score: Float64Array.of(0.9, 0.6, 0.3),
    box: new Int32Array(12),
  },
  classifications: null,
} as unknown as FrameResult;

function tuning(known: readonly string[] | null = labels): { config: ConfigState; thresholds: ThresholdsState } {
  const config = new ConfigState();
  return {
    config,
    thresholds: new ThresholdsState(
      config,
      () => [frame],
      () => known,
      nothingPresent,
    ),
  };
}

const shown = (thresholds: ThresholdsState): string[] =>
  thresholds.rows.map(({ label, threshold, counts }) => `${label} ${threshold} ${counts.kept}/${counts.seen}`);

describe('ThresholdsState', () => {
  it('is moved by a person’s value alone, whatever the undo step is called', () => {
    const { config, thresholds } = tuning();
    config.edit('Threshold of a recorder', (text) => text.replace('"detector"', '"seer"'));
    thresholds.useLabels();
    thresholds.setEach({ cat: 0.4 });
    thresholds.useDefault();
    expect([config.undoLabel, thresholds.isMoved]).toEqual(['One threshold for all', false]);
    thresholds.setDefault(0.6, true);
    expect(thresholds.isMoved).toBe(true);
    const other = tuning();
    other.config.typeText('{');
    other.config.settle();
    other.thresholds.setLabel('cat', 0.4);
    expect(other.thresholds.isMoved).toBe(false);
    other.config.undo();
    other.thresholds.setLabel('cat', 0.4);
    expect(other.thresholds.isMoved).toBe(true);
  });

  it('shows every label under the default', () => {
    const { thresholds } = tuning();
    expect(thresholds.perLabel).toBe(false);
    expect(shown(thresholds)).toEqual(['dog 0.5 1/2', 'cat 0.5 1/1', 'bird 0.5 0/0']);
    expect(thresholds.total).toEqual({ kept: 2, seen: 3 });
  });

  it('lists nothing that was seen while the service says no classes, but what the person listed', () => {
    const config = new ConfigState();
    const thresholds = new ThresholdsState(config, () => [frame], () => null, nothingPresent, () => false); // prettier-ignore
    expect([thresholds.labels, thresholds.total, thresholds.seen.labels]).toEqual([[], { kept: 0, seen: 0 }, []]);
    thresholds.useLabels();
    expect(config.filter.labelConfidences).toEqual({});
    thresholds.setLabel('cow', 0.4);
    expect([thresholds.labels, thresholds.unlistedSeen]).toEqual([['cow'], []]);
    expect(
      new ThresholdsState(
        config,
        () => [frame],
        () => null,
        nothingPresent,
      ).labels.length,
    ).toBe(3);
  });

  it('says at once what is in force for a label that is dragged, whose row and counts follow', () => {
    const { config, thresholds } = tuning();
    thresholds.setLabel('dog', 0.4);
    thresholds.setLabel('Dog', 0.3, true);
    thresholds.setLabel('Dog', 0.2, true);
    expect([thresholds.thresholdOf('DOG'), config.filter.labelConfidences['dog']]).toEqual([0.2, 0.2]);
    expect(shown(thresholds)[0]).toBe('dog 0.3 2/2');
    thresholds.setLabel('Dog', 0.95, true);
    expect([thresholds.thresholdOf('dog'), shown(thresholds)[0]]).toEqual([0.95, 'dog 0.3 2/2']);
    thresholds.settle();
    expect(shown(thresholds)[0]).toBe('dog 0.95 0/2');
    expect(thresholds.total).toEqual({ kept: 1, seen: 3 });
    expect(thresholds.thresholdOf('a label that is not listed')).toBe(Infinity);
  });

  it.each([
    ['keep', { cat: 0.7, dog: 0.5, bird: 0.5 }],
    ['drop', { cat: 0.7 }],
  ] as const)('sets some labels, and on demand lets the others %s', (others, list) => {
    const { config, thresholds } = tuning();
    thresholds.setEach({ cat: 0.7 }, others);
    expect(config.filter.labelConfidences).toEqual(list);
    config.undo();
    expect(config.filter.labelConfidences).toEqual({});
  });

  it('shows no filter as 0, and a threshold below 0 as it is', () => {
    const { thresholds } = tuning();
    thresholds.setDefault(0);
    expect([thresholds.thresholdOf('dog'), shown(thresholds)[0]]).toEqual([0, 'dog 0 2/2']);
    thresholds.setLabel('dog', -1);
    expect([thresholds.thresholdOf('dog'), shown(thresholds)[0]]).toEqual([-1, 'dog -1 2/2']);
  });

  it('moves the default in one undo step a drag', () => {
    const { config, thresholds } = tuning();
    thresholds.setDefault(0.2, true);
    thresholds.setDefault(0.25, true);
    expect([thresholds.default, thresholds.listedDefault]).toEqual([0.25, 0.2]);
    thresholds.settle();
    expect(thresholds.listedDefault).toBe(0.25);
    expect(thresholds.total.kept).toBe(3);
    config.undo();
    expect(thresholds.default).toBe(0.5);
  });

  it('keeps the other labels where they were when the first one gets its own threshold', () => {
    const { config, thresholds } = tuning();
    thresholds.setLabel('dog', 0.2);
    expect(config.filter.labelConfidences).toEqual({ cat: 0.5, dog: 0.2, bird: 0.5 });
    expect(config.service?.defaultMinimumConfidence).toBe(0.5);
    expect(shown(thresholds)).toEqual(['dog 0.2 2/2', 'cat 0.5 1/1', 'bird 0.5 0/0']);
  });

  it('tells which labels vanish, and lists them in one step', () => {
    const { config, thresholds } = tuning();
    config.edit('By hand', (text) =>
      text.replace('"default_minimum_confidence": 0.5', '"label_confidences": {"CAT": 0.4}'),
    );
    expect(thresholds.unlistedSeen).toEqual(['dog']);
    expect(thresholds.unlistedKnown).toEqual(['dog', 'bird']);
    expect(shown(thresholds)).toEqual(['cat 0.4 1/1', 'dog Infinity 0/2']);
    thresholds.list(thresholds.unlistedSeen);
    expect(config.filter.labelConfidences).toEqual({ CAT: 0.4, dog: 0.4 });
    thresholds.removeLabel('cat');
    expect(config.filter.labelConfidences).toEqual({ dog: 0.4 });
  });

  it('says what lint has to say about a threshold, of whatever name', () => {
    const { config, thresholds } = tuning(['traffic light', 'Dog']);
    config.lintBy(lint);
    expect(thresholds.findingOf(null)).toBeNull();
    thresholds.setDefault(0.7);
    expect(thresholds.findingOf(null)?.code).toBe('confidence-float32');
    thresholds.useLabels();
    thresholds.setLabels(['dog', 'cat'], 0.5);
    expect(thresholds.findingOf('Traffic light')?.code).toBe('confidence-float32');
    expect(thresholds.findingOf('dog')).toBeNull();
    expect(thresholds.findingOf(null)?.code).toBe('default-ignored');
  });

  it('goes to labels and back to the default it had', () => {
    const { config, thresholds } = tuning(null);
    thresholds.setDefault(0.35);
    thresholds.useLabels();
    expect(config.filter.labelConfidences).toEqual({ cat: 0.35, dog: 0.35 });
    thresholds.useDefault();
    expect(config.filter.labelConfidences).toEqual({});
    expect(thresholds.default).toBe(0.35);
  });
});
