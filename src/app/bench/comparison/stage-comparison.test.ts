import { describe, expect, it } from 'vitest';
import { visionServiceConfig } from '../../../../tests/machine-configs.ts';
import { noTimings } from '../../../../tests/no-timings.ts';
import type { BesideResult, FrameResult } from '../../../../workers/vision/protocol.ts';
import type { RawDetections } from '../../../machine/vision/results/detections.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { ComparisonBench } from './comparison-bench.ts';
import { StageComparison } from './stage-comparison.svelte.ts';
import { isSecond } from './second.ts';
import { SecondState } from './second-state.svelte.ts';

const raw = (scores: readonly number[]): RawDetections => ({
  count: scores.length,
  labels: ['face'],
  labelIndex: new Uint32Array(scores.length),
  score: Float64Array.from(scores),
  box: Int32Array.from(scores.flatMap((_, at) => [50 * at, 0, 50 * at + 40, 40])),
  frameWidthPx: 400,
  frameHeightPx: 300,
  boxSpace: 'proportional',
  droppedNaN: 0,
});
const stages = [{ type: '', step: -1, widthPx: 400, heightPx: 300, thumbnail: null }] as const;
const besideOf = (parts: Partial<BesideResult> = {}): BesideResult => ({
  visionName: 'other',
  modelId: '5a',
  stages,
  detections: raw([0.9, 0.3]),
  classifications: null,
  problems: [],
  ...parts,
});

function memory(): MemoryPort {
  const kept: Record<string, string> = {};
  return { getItem: (key) => kept[key] ?? null, setItem: (key, value) => void (kept[key] = value) };
}

/** A bench whose detector gives three boxes, with one service beside it. */
function bench(beside: BesideResult | undefined = besideOf(), kept: MemoryPort = memory()) {
  const rule = (minimum: number) => ({ defaultMinimumConfidence: minimum, labelConfidences: {} });
  const tuned = { ...visionServiceConfig({ name: 'tuned' }), ...rule(0.5) };
  const other = { ...visionServiceConfig({ name: 'other' }), ...rule(0.25) };
  const far = visionServiceConfig({ name: 'far', cameraName: 'back' });
  const near = { ...tuned, cameraName: 'front' };
  const config = { cameras: [], visionServices: [near, other, far] };
  const detections = raw([0.9, 0.6, 0.4]);
  const state = { defaultMinimumConfidence: 0.5 };
  const filter = () => rule(state.defaultMinimumConfidence);
  const current: FrameResult = {
    frame: { name: 'a.png', index: 0, timestampMs: 0 },
    stages,
    detections,
    classifications: null,
    problems: [],
    timings: noTimings,
    ...(beside && { beside }),
  };
  const parts = {
    config: {
      cameraName: null,
      config,
      runConfig: config,
      visionName: 'tuned',
      visionNames: ['tuned', 'other', 'far'],
      get filter() {
        return filter();
      },
    },
    labels: { byService: {}, sourceOf: () => ({ kind: 'numbers' }) },
    models: { assigned: { tuned: '5a', other: '5a', far: '5a' }, loading: null, loadFirst: async () => undefined },
    modelPathOf: () => '',
    results: {
      detections,
      get rows() {
        return serviceFilter(filter()).rows(detections);
      },
    },
    session: { current },
    serviceName: 'tuned',
    steps: [],
    runsStepsOnMachine: false,
    sources: { kind: 'stills' },
    view: { focusedLabel: null, overlayHidden: false, shownStage: null, undistortPreview: false },
    viewport: { toStage: (x: number, y: number) => ({ x: 2 * x, y: 2 * y }) },
  };
  const whole = parts as unknown as ComparisonBench;
  const second = new SecondState(whole, kept);
  return { bench: whole, second, move: (minimum: number) => (state.defaultMinimumConfidence = minimum) };
}

describe('thresholds that are pinned', () => {
  it('stay while those in force move, without another run', () => {
    const { bench: parts, second, move } = bench();
    second.pin();
    move(0.8);
    const comparison = new StageComparison(parts, second);
    expect([comparison.first!.kept.length, comparison.second!.kept.length]).toEqual([1, 2]);
    expect(comparison.changes!.counts).toMatchObject({ same: 1, appeared: 1, vanished: 0 });
    expect(comparison.boxes.map(({ isChanged }) => isChanged)).toEqual([false, true]);
    expect(comparison.boxes[1]!.corners[0]).toEqual({ x: 100, y: 0 });
  });

  it('survive a reload, and are refused where something else was stored', () => {
    const kept = memory();
    bench(undefined, kept).second.pin();
    expect(bench(undefined, kept).second.chosen).toMatchObject({ kind: 'pin', visionName: 'tuned' });
    for (const broken of ['{"kind":"pin","visionName":"a"}', '7', '{"kind":"other","visionName":"a"}', 'null'])
      expect(isSecond(JSON.parse(broken))).toBe(false);
    expect(isSecond({ kind: 'pin', visionName: 'a', atMs: 1, rule: { defaultMinimumConfidence: 0, labelConfidences: { a: '1' } } })).toBe(false); // prettier-ignore
    expect(isSecond(JSON.parse(kept.getItem('sightglass:second')!))).toBe(true);
  });

  it('belong to their service', () => {
    const { bench: parts, second } = bench();
    second.pin();
    Object.assign(parts, { serviceName: 'other' });
    const { why, second: boxes } = new StageComparison(parts, second);
    expect([why, boxes]).toEqual([
      'The pinned thresholds are those of tuned. Pin those of other to compare them.',
      null,
    ]);
  });
});

describe('another service', () => {
  it('is filtered by its own thresholds', () => {
    const { bench: parts, second } = bench();
    second.choose({ kind: 'service', visionName: 'other' });
    const { why, changes, second: boxes } = new StageComparison(parts, second);
    expect([why, boxes!.kept.length]).toEqual(['', 2]);
    expect(changes!.counts).toMatchObject({ same: 2, vanished: 0, appeared: 0 });
  });

  it.each<[string, BesideResult | undefined, string]>([
    ['did not run on this frame', undefined, 'Waiting for other …'],
    ['was run with another model', besideOf({ modelId: 'older' }), 'Waiting for other …'],
    ['is another one than the chosen', besideOf({ visionName: 'far' }), 'Waiting for other …'],
    ['classifies', besideOf({ detections: null }), 'other gives no boxes. Only boxes are compared.'],
    [
      'failed',
      besideOf({ detections: null, problems: [{ code: 'x', message: 'It broke.', where: 'other' }] }),
      'other: It broke.',
    ],
  ])('draws nothing where it %s, and says why', (_, beside, words) => {
    const { bench: parts, second } = bench(beside);
    if (!beside) delete (parts.session.current as { beside?: unknown }).beside;
    second.choose({ kind: 'service', visionName: 'other' });
    const { why, boxes, changes } = new StageComparison(parts, second);
    expect([why, boxes, changes]).toEqual([words, [], null]);
  });

  it.each(['overlayHidden', 'undistortPreview'])('draws no box where the view has %s', (shown) => {
    const { bench: parts, second } = bench();
    second.choose({ kind: 'service', visionName: 'other' });
    expect(new StageComparison(parts, second).boxes).toHaveLength(2);
    Object.assign(parts.view, { [shown]: true });
    expect(new StageComparison(parts, second).boxes).toEqual([]);
  });

  it('is refused where it sees another camera, and without a model', () => {
    const { bench: parts, second } = bench();
    second.choose({ kind: 'service', visionName: 'far' });
    expect(new StageComparison(parts, second).why).toBe(
      'far looks through back, and the stage shows front: their boxes belong to different pictures.',
    );
    Object.assign(parts, { models: { ...parts.models, assigned: {} } });
    second.choose({ kind: 'service', visionName: 'other' });
    expect(new StageComparison(parts, second).why).toContain('other has no model here.');
  });
});

it('runs the model of the tuned service for a service that names the same and has none of its own', () => {
  const { bench: parts, second } = bench();
  second.choose({ kind: 'service', visionName: 'other' });
  const besideWith = (assigned: Record<string, string>) => {
    Object.assign(parts, { models: { ...parts.models, assigned } });
    return new StageComparison(parts, second).beside;
  };
  expect(besideWith({ tuned: '5a' })).toEqual({
    visionName: 'other',
    cameraName: null,
    model: { modelId: '5a', labels: null },
  });
  expect(besideWith({ tuned: '5a', other: '6b' })?.model.modelId).toBe('6b');
  expect(besideWith({})).toBeNull();
  Object.assign(parts, { serviceName: 'other' });
  expect(besideWith({ tuned: '5a', other: '6b' })).toBeNull();
});
