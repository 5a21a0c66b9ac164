import { expect, it } from 'vitest';
import { nothingPresent } from '../../../tests/present-setup.ts';
import type { ReadyModel } from './ports/raw-model.ts';
import { RunThresholds } from './run-thresholds.svelte.ts';
import type { BenchThresholds } from './goal/tuned-thresholds.ts';

const withRule = (attributes: object): string =>
  JSON.stringify({
    services: [
      { name: 'finder', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
    ],
  });

function onBench(configText: string) {
  const written: unknown[] = [];
  const bench: BenchThresholds = {
    perLabel: false,
    default: 0.7,
    thresholdOf: () => 0.7,
    setDefault: (...all) => void written.push(all),
    setLabel: (...all) => void written.push(all),
    setEach: (...all) => void written.push(all),
    settle: () => undefined,
    evidence: [],
    present: nothingPresent(),
  };
  const model = { serviceName: 'finder', configText, isInForce: true };
  return { model, written, thresholds: new RunThresholds(bench, () => model as unknown as ReadyModel) };
}

const told = (thresholds: RunThresholds) => [
  thresholds.isOfBench,
  thresholds.perLabel,
  thresholds.default,
  thresholds.thresholdOf('cat'),
  thresholds.thresholdOf('dog'),
];

it('are those of the bench, and set there, while it has what was run', () => {
  const { thresholds, written } = onBench(withRule({ label_confidences: { cat: 0.3 } }));
  expect(told(thresholds)).toEqual([true, false, 0.7, 0.7, 0.7]);
  thresholds.setDefault(0.1, true);
  thresholds.setLabel('cat', 0.2, true);
  thresholds.setEach({ cat: 0.3 }, 'drop');
  expect(written).toEqual([
    [0.1, true],
    ['cat', 0.2, true],
    [{ cat: 0.3 }, 'drop', undefined],
  ]);
});

it.each([
  [{ label_confidences: { Cat: 0.3 }, default_minimum_confidence: 0.5 }, [false, true, 0.5, 0.3, Infinity]],
  [{ default_minimum_confidence: 0.4 }, [false, false, 0.4, 0.4, 0.4]],
  [{}, [false, false, 0, 0, 0]],
])('stay those of the run, %j, and set nothing, once the bench has another model', (attributes, expected) => {
  const { model, thresholds, written } = onBench(withRule(attributes));
  model.isInForce = false;
  expect(told(thresholds)).toEqual(expected);
  thresholds.setDefault(0.1, true);
  thresholds.setLabel('cat', 0.2, true);
  thresholds.setEach({ cat: 0.3 }, 'drop');
  expect(written).toEqual([]);
});

it('are those of the bench before anything was run', () => {
  const { thresholds: ofBench } = onBench('{}');
  expect(new RunThresholds(ofBench, () => null).isOfBench).toBe(true);
});
