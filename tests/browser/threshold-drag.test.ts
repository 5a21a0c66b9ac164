import { mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { setDefaultConfidence } from '../../src/machine/config/edit-config.ts';
import { ConfigState } from '../../src/app/bench/config/config-state.svelte.ts';
import { lintWithModels } from '../../src/app/bench/models/lint-with-models.ts';
import { runnerConfig } from '../runner-config.ts';
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
