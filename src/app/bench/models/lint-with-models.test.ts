import { expect, it } from 'vitest';
import { runnerConfig } from '../../../../tests/runner-config.ts';
import type { ModuleFinding } from '../../../models/fit/modules/module-finding.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { lintWithModels } from './lint-with-models.ts';

const tooNew: ModuleFinding = {
  code: 'opset-too-new',
  severity: 'refuses',
  message: 'The module knows no such operator set.',
  cure: 'Export with an older one.',
};

it.each([
  ['seer', true],
  ['another', false],
])('says of a model service what its module makes of the model of %s', (service, isSaid) => {
  const model = { format: { name: 'onnx' }, moduleFindings: [tooNew] };
  const models = { of: (vision: string | null) => (vision === service ? model : null) as never };
  const config = new ConfigState();
  config.lintBy(lintWithModels({ config, models }));
  config.importText(runnerConfig);
  expect(config.findings.some(({ message }) => message.includes(tooNew.message))).toBe(isSaid);
});
