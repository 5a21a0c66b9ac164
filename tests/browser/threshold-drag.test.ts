import { expect, it } from 'vitest';
import { setDefaultConfidence } from '../../src/config/edit-config.ts';
import { lint } from '../../src/config/lint/lint.ts';
import { ConfigState } from '../../src/app/config/config-state.svelte.ts';
import { judgeLoaded } from '../../src/app/models/judge-loaded.ts';

const text = JSON.stringify({
  services: [
    {
      name: 'runner',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: 'm.onnx' },
    },
    { name: 'seer', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'runner' } },
  ],
});

it('lints a drag once, where it ends', () => {
  let lints = 0;
  const models = { of: () => null };
  const config: ConfigState = new ConfigState({ judge: (entry) => judgeLoaded({ config, models })(entry) });
  config.lintBy((...given) => (lints++, lint(...given)));
  config.importText(text);
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
