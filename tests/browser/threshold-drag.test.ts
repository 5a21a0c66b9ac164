import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { setDefaultConfidence } from '../../src/machine/config/edit/edit-config.ts';
import { ConfigState } from '../../src/app/bench/config/config-state.svelte.ts';
import { lintWithModels } from '../../src/app/bench/models/lint-with-models.ts';
import { runnerConfig } from '../runner-config.ts';
import { Given } from './given.svelte.ts';
import HistogramSlider from '../../src/app/kit/controls/HistogramSlider.svelte';

it('lints a drag once, where it ends', () => {
  let lints = 0;
  const models = { of: () => null };
  const config = new ConfigState();
  const lint = lintWithModels({ config, models });
  config.lintBy((...given) => (lints++, lint(...given)));
  config.importText(runnerConfig);
  void config.findings;
  lints = 0;
  for (const value of [0.5, 0.6, 0.7]) {
    config.edit('Threshold', (now) => setDefaultConfidence(now, 'seer', value), { coalesce: 'drag' });
    void config.findings;
  }
  expect(lints).toBe(0);
  config.settle();
  expect(config.findings.some(({ code }) => code === 'confidence-float32')).toBe(true);
  expect(lints).toBe(1);
});

it('takes the last value of each frame, and what waits before a drag is over', async () => {
  const log: string[] = [];
  const bins = new Uint32Array(50).fill(1);
  const props = {
    label: 'Threshold',
    bins,
    threshold: 0.5,
    onInput: (value: number) => void log.push(`value ${value}`),
    onSettle: () => void log.push('settled'),
  };
  document.body.replaceChildren();
  const slider = mount(HistogramSlider, { target: document.body, props });
  const input = page.getByRole('slider').element() as HTMLInputElement;
  const dragTo = (value: number): void => {
    input.valueAsNumber = value;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  for (const value of [0.1, 0.2, 0.3]) dragTo(value);
  expect(log).toEqual([]);
  await expect.poll(() => log).toEqual(['value 0.3']);
  for (const over of ['pointerup', 'pointercancel']) {
    log.length = 0;
    dragTo(0.4);
    input.dispatchEvent(new PointerEvent(over, { bubbles: true }));
    expect(log, over).toEqual(['value 0.4', 'settled']);
    await new Promise((drawn) => requestAnimationFrame(drawn));
    expect(log, over).toHaveLength(2);
  }
  void unmount(slider);
});

it('cuts its bars at the line, which moves without drawing them again', () => {
  const given = new Given(0.25);
  const props = {
    label: 'Threshold',
    bins: Uint32Array.of(0, 5, 50, 500),
    get threshold() {
      return given.current;
    },
    onInput: () => undefined,
    onSettle: () => undefined,
  };
  document.body.replaceChildren();
  const slider = mount(HistogramSlider, { target: document.body, props });
  flushSync();
  const charts = [...document.querySelectorAll<SVGElement>('svg')];
  const cuts = (): string[] => charts.map((chart) => getComputedStyle(chart).clipPath);
  expect(charts.map((chart) => chart.classList[0])).toEqual(['dropped', 'kept']);
  expect(cuts()).toEqual(['inset(0px 75% 0px 0px)', 'inset(0px 0px 0px 25%)']);
  const drawnAgain = new MutationObserver(() => undefined);
  for (const path of document.querySelectorAll('path')) drawnAgain.observe(path, { attributes: true });
  given.current = 0.5;
  flushSync();
  expect(cuts()).toEqual(['inset(0px 50% 0px 0px)', 'inset(0px 0px 0px 50%)']);
  given.current = Infinity; // nothing is kept
  flushSync();
  expect(cuts()).toEqual(['inset(0px 0% 0px 0px)', 'inset(0px 0px 0px 100%)']);
  expect(drawnAgain.takeRecords()).toEqual([]);
  void unmount(slider);
});

it('lays out the value above a line only where that is used', () => {
  const props = {
    label: 'Threshold',
    bins: new Uint32Array(4),
    threshold: 0.5,
    onInput: () => undefined,
    onSettle: () => undefined,
  };
  document.body.replaceChildren();
  const slider = mount(HistogramSlider, { target: document.body, props });
  const value = document.querySelector<HTMLElement>('.value')!;
  expect(value.getClientRects()).toHaveLength(0);
  document.querySelector<HTMLElement>('input')!.focus({ focusVisible: true } as FocusOptions);
  expect(value.textContent).toBe('0.50');
  expect(value.getClientRects()).toHaveLength(1);
  void unmount(slider);
});
