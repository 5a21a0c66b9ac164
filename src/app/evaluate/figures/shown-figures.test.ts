import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import type { ThresholdEvidence } from '../../../machine/config/evidence/threshold-evidence.ts';
import { fixedThresholds } from '../../../../tests/fixed-thresholds.ts';
import { createEvaluationApi } from '../../../../workers/evaluation/api.ts';
import { ResultsView } from '../measure/results-view.svelte.ts';
import type { TruthBox } from '../ports/truth-source.ts';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import ResultNotes from './ResultNotes.svelte';
import { countTruth } from '../measure/label-rows.ts';
import ThresholdPlot from './ThresholdPlot.svelte';
import LabelTable from './LabelTable.svelte';
import ScorePlots from './ScorePlots.svelte';

/** A box of the truth, 40 px wide and high. */
const box = (xMinNormalized: number, traits: Partial<TruthBox> = {}): TruthBox => ({
  label: 'cat',
  isModelMade: false,
  xMinNormalized,
  yMinNormalized: 0,
  xMaxNormalized: xMinNormalized + 0.4,
  yMaxNormalized: 0.4,
  ...traits,
});

/** One image with this truth, in which the model finds a cat at 50 px, and a box of each of the other labels. */
async function shown(boxes: readonly TruthBox[], others: readonly string[] = [], tuned = fixedThresholds(0.5)) {
  const engine = createEvaluationApi();
  const labels = ['cat', ...others];
  const raw = {
    widthPx: 100,
    heightPx: 100,
    labels,
    labelIndex: Uint32Array.from(labels.keys()),
    score: Float64Array.from(labels, () => 0.9),
    box: Float64Array.from(labels.flatMap(() => [50, 0, 40, 40])),
    seen: null,
    classes: null,
  };
  await engine.begin(['a']);
  await engine.add([{ id: 'a', boxes, raw }]);
  const measured = { serial: 1, images: [], ...(await engine.count(1)) };
  const view = new ResultsView(
    () => measured,
    tuned,
    (_, thresholds) => engine.tellErrors(1, thresholds),
  );
  return { measured, view };
}

const textOf = ({ body }: { readonly body: string }): string =>
  body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

const notes = async (props: Awaited<ReturnType<typeof shown>>, offeredPairs: readonly LabelPair[] = []) =>
  render(ResultNotes, { props: { ...props, evaluation: { offeredPairs, addPairs: async () => undefined } } });

it('offers names that differ in wording only as one question', async () => {
  const props = await shown([box(0.5)]);
  const pairs = ['couch', 'tv', 'bike', 'planes'].map((label) => ({ label, modelLabel: `the ${label}` }));
  const text = textOf(await notes(props, pairs));
  expect(text).toContain('4 names differ only in wording: treat them as the same?');
  expect(text).toContain('couch = the couch, tv = the tv, bike = the bike and 1 more');
  expect(textOf(await notes(props, pairs.slice(1, 2)))).toContain('1 name differs only in wording: treat it');
  expect(textOf(await notes(props))).not.toContain('wording');
});

it('says whose area the sizes of its rows are of, the dataset’s or the box’s own', async () => {
  // A mask fills little of the first.
  const { view } = await shown([box(0, { areaPx: 100 }), box(0.5)]);
  const text = textOf(render(ScorePlots, { props: { view } }));
  expect(text).toMatch(/under 16 px .*?0 of 1 .*32 to 64 px .*?1 of 1/);
  expect(text).toContain('the one that the dataset states');
  expect(text).toContain('else width × height');
});

it('has a row of a label of which there are only crowds, as the terminal has', async () => {
  const shownOf = await shown([box(0.5), box(0, { label: 'herd', isCrowd: true })]);
  const props = { ...shownOf, whole: countTruth(shownOf.measured.images.map(({ image }) => image)) };
  expect(textOf(render(LabelTable, { props }))).toMatch(/ herd 0 0 0 /);
});

it('asks whether labels are spelt alike where each side has some that the other lacks', async () => {
  const asked = async (...given: Parameters<typeof shown>): Promise<string | undefined> =>
    /The model names labels .*? both sides\?/.exec(textOf(await notes(await shown(...given))))?.[0];
  const [cat, monitor] = [box(0.5), box(0, { label: 'tvmonitor' })];
  expect(await asked([cat, monitor], ['tv'])).toBe(
    'The model names labels that the truth lacks ("tv"): are they spelt alike on both sides?',
  );
  expect(await asked([cat, monitor], ['a', 'b', 'c', 'd'])).toContain('("a", "b", "c" and 1 more)');
  expect(await asked([cat], ['tv'])).toBeUndefined();
  expect(await asked([cat, monitor])).toBeUndefined();
  expect(await asked([cat, monitor, box(0, { label: 'tv', isCrowd: true })], ['tv'])).toBeUndefined();
});

it('draws the line at the very recall that it says, and moves it in thresholds of whole steps', async () => {
  const { view } = await shown([box(0.5), box(0), box(0.2)]);
  const { body } = render(ThresholdPlot, { props: { view } });
  const line = /<input[^>]*aria-label="Recall of all labels"[^>]*>/.exec(body)![0];
  expect(line).toContain(`value="${1 / 3}"`);
  expect(line).toContain('step="any"');
  expect(line).toContain('aria-valuetext="0.333"');
  expect(body).toContain('0.333</span');
});

it('lists the surest false results first, then the largest missed boxes', async () => {
  const missed = [0.02, 0.3, 0.1].map((side) => ({ ...box(0), xMaxNormalized: side, yMaxNormalized: side }));
  const { view, measured } = await shown(missed);
  await view.updateErrors();
  const areas = view.listed.map(({ kind, truthRow }) => [kind, measured.boxes.truth.area[truthRow]]);
  expect(areas).toEqual([
    ['background', undefined],
    ['missed', expect.closeTo(900)],
    ['missed', expect.closeTo(100)],
    ['missed', expect.closeTo(4)],
  ]);
});

it('tells which thresholds were chosen on a dataset, as long as they are in force', async () => {
  const chosen = (service: string, dataset: string, label: string, threshold: number): ThresholdEvidence => ({
    service,
    dataset,
    images: 9,
    goal: 'best F1',
    model: { name: 'm', sha256: '' },
    setup: '',
    version: '1',
    atMs: 0,
    labels: [{ label, threshold, figure: 'F1', expected: null }],
  });
  const { view } = await shown([box(0.5)], [], {
    ...fixedThresholds(0.5),
    present: { ...nothingPresent(), visionName: 'finder' },
    evidence: [
      chosen('finder', 'Pets', 'cat', 0.5),
      chosen('finder', 'Pets', 'dog', 0.4),
      chosen('finder', 'Yard', 'cow', 0.5),
      chosen('other', 'Pets', 'pig', 0.5),
    ],
  });
  expect(view.chosenOn('Pets')).toEqual(['cat']);
});
