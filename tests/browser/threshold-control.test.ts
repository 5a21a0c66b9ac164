import { mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createEvaluationApi } from '../../workers/evaluation/api.ts';
import TimelineRow from '../../src/app/bench/footage/TimelineRow.svelte';
import RuleEditor from '../../src/app/data/tabs/replay/RuleEditor.svelte';
import ThresholdPlot from '../../src/app/evaluate/figures/ThresholdPlot.svelte';
import { ResultsView } from '../../src/app/evaluate/measure/results-view.svelte.ts';
import { LABEL_COLOURS, LabelColours } from '../../src/app/kit/colours/label-colours.svelte.ts';
import { countScore, scoreBinCount } from '../../src/machine/vision/filter/score-bins.ts';
import { fixedThresholds } from '../fixed-thresholds.ts';
import { memoryStorage } from '../memory-storage.ts';
import { Given } from './given.svelte.ts';

/** The threshold control is the same in each place: what a person does with it here, they can do there. */

beforeAll(() => import('../../src/app/theme.css'));
let mounted: ReturnType<typeof mount> | null = null;
afterEach(() => {
  if (mounted) void unmount(mounted);
  mounted = null;
});

function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): void {
  document.body.replaceChildren();
  const context = new Map([[LABEL_COLOURS, new LabelColours(memoryStorage())]]);
  mounted = mount(component, { target: document.body, props, context });
}

const binsOf = (...scores: number[]): Uint32Array => {
  const bins = new Uint32Array(scoreBinCount);
  for (const score of scores) countScore(score, bins);
  return bins;
};

/** Where the places begin: a threshold of 0.5 over the scores 0.2, 0.3 and 0.9 of one label. */
interface Place {
  readonly name: string;
  readonly threshold: () => number;
  readonly settled: () => number;
}

function showTimeline(isListed = true): Place {
  const value = new Given(isListed ? 0.5 : Infinity);
  let settled = 0;
  const timeline = {
    label: 'cat',
    threshold: 0.5,
    frames: Uint32Array.of(1, 0),
    most: Uint32Array.of(1, 0),
    best: Float32Array.of(0.9, 0.3),
    scores: binsOf(0.2, 0.3, 0.9),
    kept: 1,
  };
  const thresholds = {
    perLabel: true,
    thresholdOf: () => value.current,
    setLabel: (_: string, to: number) => (value.current = to),
    settle: () => settled++,
  };
  show(TimelineRow as unknown as Component<Record<string, unknown>>, {
    timeline,
    thresholds,
    hasScores: true,
    moment: null,
    ran: 1,
    events: '',
    onJump: () => undefined,
  });
  return { name: 'Threshold of cat', threshold: () => value.current, settled: () => settled };
}

function showRule(): Place {
  const rule = new Given<Parameters<typeof RuleEditor>[1]['rule']>({
    defaultMinimumConfidence: 0.5,
    labelConfidences: {},
  });
  let settled = 0;
  show(RuleEditor as unknown as Component<Record<string, unknown>>, {
    name: 'configuration',
    get rule() {
      return rule.current;
    },
    labels: ['cat', 'Cat'],
    scoreBins: [binsOf(0.2, 0.9), binsOf(0.3)],
    onChange: (to: typeof rule.current) => (rule.current = to),
    onSettle: () => settled++,
  });
  return {
    name: 'Threshold, configuration',
    threshold: () => rule.current.defaultMinimumConfidence,
    settled: () => settled,
  };
}

async function showEvaluation(isOfBench = true): Promise<Place> {
  const engine = createEvaluationApi();
  const raw = {
    widthPx: 100,
    heightPx: 100,
    labels: ['cat'],
    labelIndex: Uint32Array.of(0, 0, 0),
    score: Float64Array.of(0.9, 0.3, 0.2),
    box: Float64Array.of(0, 0, 40, 40, 50, 0, 40, 40, 50, 50, 40, 40),
    seen: null,
    classes: null,
  };
  const box = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.4, yMaxNormalized: 0.4 };
  await engine.begin(['a']);
  await engine.add([{ id: 'a', boxes: [{ label: 'cat', ...box }], raw }]);
  const measured = { serial: 1, images: [], ...(await engine.count(1)) };
  const value = new Given(0.5);
  let settled = 0;
  const tuned = {
    ...fixedThresholds(0.5),
    isOfBench,
    perLabel: true,
    thresholdOf: () => value.current,
    setLabel: (_: string, to: number) => void (value.current = to),
    settle: () => void settled++,
  };
  const view = new ResultsView(
    () => measured,
    tuned,
    async () => null,
  );
  view.show('cat');
  show(ThresholdPlot, { view });
  return { name: 'Threshold of cat', threshold: () => value.current, settled: () => settled };
}

describe.each([
  ['the timeline of a whole video', showTimeline],
  ['a replay', showRule],
  ['an evaluation', showEvaluation],
])('the threshold control of %s', (_, open) => {
  it('shows kept and dropped scores in two tones on at least 40 px, and moves by keys', async () => {
    const place = await open();
    const slider = page.getByRole('slider', { name: place.name, exact: true });
    const input = slider.element() as HTMLInputElement;
    const histogram = input.closest('.histogram')!;
    expect(histogram.getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
    const thumb = getComputedStyle(input).getPropertyValue('--grip') || '13px';
    expect(parseFloat(thumb)).toBeGreaterThanOrEqual(12);
    const chart = (tone: string): Element => histogram.querySelector(`svg.${tone}`)!;
    /** The bars that begin within what is not cut away. */
    const bars = (tone: 'kept' | 'dropped'): number => {
      const [, right, , left] = getComputedStyle(chart(tone))
        .clipPath.match(/[\d.]+/g)!
        .map(Number);
      const starts = chart(tone)
        .querySelector('path')!
        .getAttribute('d')!
        .matchAll(/M([\d.]+)/g);
      return [...starts].filter(([, x]) => Number(x) / 3 >= left! && Number(x) / 3 < 100 - right!).length;
    };
    const fill = (tone: string): string => getComputedStyle(chart(tone)).fill;
    expect([bars('kept'), bars('dropped')]).toEqual([1, 2]);
    expect(fill('kept')).not.toBe(fill('dropped'));

    input.focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(place.threshold).toBeCloseTo(0.49, 9);
    expect(place.settled()).toBeGreaterThan(0);
    await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}');
    await expect.poll(place.threshold).toBeCloseTo(0.29, 9);
    const value = histogram.querySelector<HTMLElement>('.value')!;
    expect([value.textContent, getComputedStyle(value).display]).toEqual(['0.29', 'block']);
    expect([bars('kept'), bars('dropped')]).toEqual([2, 1]);
  });
});

it('cannot be moved where it would change nothing: a label that is not listed, a run of another model', async () => {
  showTimeline(false);
  expect(page.getByRole('slider').elements()).toEqual([]);
  await showEvaluation(false);
  expect(page.getByRole('slider').elements()).toEqual([]);
});
