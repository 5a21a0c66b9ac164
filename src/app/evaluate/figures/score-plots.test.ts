import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { createEvaluationApi } from '../../../../workers/evaluation/api.ts';
import { ResultsView } from '../measure/results-view.svelte.ts';
import ScorePlots from './ScorePlots.svelte';

const box = (xMinNormalized: number, areaPx?: number) => ({
  label: 'cat',
  isModelMade: false,
  xMinNormalized,
  yMinNormalized: 0,
  xMaxNormalized: xMinNormalized + 0.4,
  yMaxNormalized: 0.4,
  ...(areaPx !== undefined && { areaPx }),
});

it('says whose area the sizes of its rows are of, the dataset’s or the box’s own', async () => {
  const engine = createEvaluationApi();
  const raw = {
    widthPx: 100,
    heightPx: 100,
    labels: ['cat'],
    labelIndex: Uint32Array.of(0),
    score: Float64Array.of(0.9),
    box: Float64Array.of(50, 0, 40, 40),
    seen: null,
    classes: null,
  };
  await engine.begin(['a']);
  // Both boxes are 40 px wide and high; a mask fills little of the first.
  await engine.add([{ id: 'a', boxes: [box(0, 100), box(0.5)], raw }]);
  const measured = { serial: 1, images: [], ...(await engine.count(1)) };
  const tuned = {
    isOfBench: true,
    perLabel: false,
    default: 0.5,
    thresholdOf: () => 0.5,
    setDefault: () => undefined,
    setLabel: () => undefined,
    setEach: () => undefined,
    evidence: [],
    present: nothingPresent(),
    settle: () => undefined,
  };
  const view = new ResultsView(
    () => measured,
    tuned,
    async () => null,
  );
  const { body } = render(ScorePlots, { props: { view } });
  const text = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/under 16 px .*?0 of 1 .*32 to 64 px .*?1 of 1/);
  expect(text).toContain('the area that the dataset states for a truth box');
  expect(text).toContain('where it states none, of width × height');
});
