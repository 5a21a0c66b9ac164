import { noTimings } from '../../../../tests/no-timings.ts';
import { describe, expect, it, vi } from 'vitest';
import type { TransformStep } from '../../../machine/config/parse/machine-config.ts';
import type { FrameResult, StageInfo } from '../../../../workers/vision/protocol.ts';
import type { RawDetections } from '../../../machine/vision/results/detections.ts';
import type { ServiceFilterRule } from '../../../machine/vision/filter/thresholds.ts';
import { ViewState } from '../view/view-state.svelte.ts';
import { ResultsState } from './results-state.svelte.ts';

const detections: RawDetections = {
  count: 3,
  labels: ['cat', 'dog'],
  labelIndex: Uint32Array.of(0, 1, 0),
  score: Float64Array.of(0.9, 0.41, 0.55),
  box: Int32Array.of(10, 20, 30, 40, 0, 0, 5, 5, 50, 50, 60, 60),
  frameWidthPx: 100,
  frameHeightPx: 80,
  boxSpace: 'absolute',
  droppedNaN: 0,
};
const stage = (step: number, widthPx: number, heightPx: number): StageInfo => ({
  type: '',
  step,
  widthPx,
  heightPx,
  thumbnail: null,
});
const window: TransformStep = {
  type: 'crop',
  attributes: { xMin: 200, yMin: 100, xMax: 400, yMax: 260, overlayCropBox: false },
};
const half: TransformStep = { type: 'resize', attributes: { widthPx: 100, heightPx: 80 } };
const frame = (parts: Partial<FrameResult> = {}): FrameResult => ({
  frame: { name: 'a.png', index: 0, timestampMs: 0 },
  stages: [stage(-1, 640, 480), stage(0, 200, 160), stage(1, 100, 80)],
  detections,
  classifications: null,
  problems: [],
  timings: noTimings,
  ...parts,
});

const atHalf: ServiceFilterRule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };

function bench(rule: ServiceFilterRule = atHalf, current: FrameResult | null = frame(), onFiltered?: () => void) {
  const view = new ViewState({ getItem: () => null, setItem: () => {} });
  const steps = [window, half];
  const results = new ResultsState(
    { current },
    view,
    () => rule,
    () => steps,
    onFiltered,
  );
  return { results, view, show: (next: FrameResult) => results.follow(current, next) };
}

describe('ResultsState', () => {
  it('splits the raw rows by the rule in force, each dropped one with its reason', () => {
    const { results } = bench();
    expect([...results.rows.kept]).toEqual([0, 2]);
    expect([...results.rows.dropped]).toEqual([1]);
    expect(results.dropReason(1)).toBe('0.41 < 0.50');
    expect(results.dropReason(0)).toBe('');
  });

  it('drops labels that label_confidences does not list', () => {
    const { results } = bench({ defaultMinimumConfidence: 0.5, labelConfidences: { DOG: 0.4 } });
    expect([...results.rows.kept]).toEqual([1]);
    expect(results.dropReason(0)).toBe('label not in label_confidences');
  });

  it('leads the selected box back through every step to the source', () => {
    const { results, view } = bench();
    view.selectedRow = 0;
    const [topLeft, , bottomRight] = results.selectedPath.at(-1)!.corners;
    expect(results.selectedPath.map(({ name }) => name)).toEqual(['2 · resize', '1 · crop', 'Source']);
    // (10 + 0.5) · 2 − 0.5 in the crop, and 200 more on the source
    expect([topLeft!.x, topLeft!.y]).toEqual([220.5, 140.5]);
    expect([bottomRight!.x, bottomRight!.y]).toEqual([260.5, 180.5]);
  });

  it('draws boxes where they lie on the picture that is shown', () => {
    const { results, view } = bench();
    expect(results.shownSize).toMatchObject({ widthPx: 100, heightPx: 80 });
    expect(results.cornersOf(0)[0]).toEqual({ x: 10, y: 20 });
    view.shownStage = 0;
    expect(results.shownSize).toMatchObject({ widthPx: 200, heightPx: 160 });
    expect(results.cornersOf(0)[0]).toEqual({ x: 20.5, y: 40.5 });
    view.shownStage = -1;
    expect(results.shownSize).toMatchObject({ widthPx: 640, heightPx: 480 });
    expect(results.cornersOf(0)[0]).toEqual({ x: 220.5, y: 140.5 });
  });

  it('shows the last picture there is when a step was taken away', () => {
    const { results, view } = bench();
    view.shownStage = 7;
    expect(results.shownSize).toMatchObject({ widthPx: 100, heightPx: 80 });
  });

  it('keeps the selection on its object while the picture is the same source', () => {
    const { view, show } = bench();
    view.selectedRow = 0;
    const labelIndex = Uint32Array.of(0, 0);
    show(
      frame({
        detections: { ...detections, count: 2, labelIndex, box: Int32Array.of(50, 50, 60, 60, 11, 21, 31, 41) },
      }),
    );
    expect(view.selectedRow).toBe(1);
  });

  it('selects nothing on another picture', () => {
    const { view, show } = bench();
    view.selectedRow = 0;
    show(frame({ frame: { name: 'b.png', index: 1, timestampMs: 0 } }));
    expect(view.selectedRow).toBeNull();
  });

  it('gives the top classifications after the filter, or all in label order', () => {
    const classifications = { labels: ['cat', 'dog', 'elk'], score: Float64Array.of(0.2, 0.7, 0.6) };
    const { results } = bench(atHalf, frame({ detections: null, classifications }));
    results.topCount = 1;
    expect(results.classifications).toEqual([{ label: 'dog', score: 0.7 }]);
    expect(results.passingClasses).toBe(2);
    results.topCount = 0;
    expect(results.classifications?.map(({ label }) => label)).toEqual(['dog', 'elk']);
  });

  it('has nothing before the first frame', () => {
    const { results } = bench(atHalf, null);
    expect(results.detections).toBeNull();
    expect(results.classifications).toBeNull();
    expect(results.shownSize).toBeNull();
    expect(results.selectedPath).toEqual([]);
  });
});

describe('what panels list of an earlier frame', () => {
  /** The frame on the stage has the cats of the listed one in other rows, a little further on. */
  const later = {
    ...detections,
    labelIndex: Uint32Array.of(0, 0, 1),
    score: Float64Array.of(0.6, 0.8, 0.3),
    box: Int32Array.of(51, 50, 61, 60, 11, 20, 31, 40, 0, 0, 5, 5),
  };

  function listing(stage: RawDetections | null, onFiltered?: () => void) {
    const { results, view } = bench(atHalf, stage && frame({ detections: stage }), onFiltered);
    return { results, view, listed: results.listing({ current: frame() }, () => atHalf) };
  }

  it('is filtered by the rule in force', () => {
    const { listed } = listing(later);
    expect([[...listed.rows.kept], [...listed.rows.dropped]]).toEqual([[0, 2], [1]]);
  });

  it('is filtered by a rule of its own', () => {
    const { results } = bench();
    const listed = results.listing({ current: frame() }, () => ({ ...atHalf, defaultMinimumConfidence: 0.8 }));
    expect([[...results.rows.kept], [...listed.rows.kept]]).toEqual([[0, 2], [0]]);
  });

  it('is not filtered again where the stage has the same frame', () => {
    const onFiltered = vi.fn();
    const { results, listed } = listing(detections, onFiltered);
    expect([...listed.rows.kept]).toEqual([0, 2]);
    const timesForTheList = onFiltered.mock.calls.length;
    expect([...results.rows.kept, timesForTheList > 0]).toEqual([0, 2, true]);
    expect(onFiltered).toHaveBeenCalledTimes(timesForTheList);
  });

  it('asks for as many classes as the stage', () => {
    const classifications = { labels: ['a', 'b', 'c'], score: Float64Array.of(0.9, 0.8, 0.7) };
    const classified = frame({ detections: null, classifications });
    const { results } = bench(atHalf, classified);
    const listed = results.listing({ current: classified }, () => atHalf);
    expect(listed.classifications).toHaveLength(3);
    results.topCount = 2;
    expect([listed.classifications?.length, [...listed.labelsHere.keys()]]).toEqual([2, ['a', 'b']]);
  });
});
