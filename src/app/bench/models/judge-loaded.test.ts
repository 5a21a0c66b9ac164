import { expect, it } from 'vitest';
import { runnerConfig } from '../../../../tests/runner-config.ts';
import { lint } from '../../../config/lint/lint.ts';
import type { ModuleFinding } from '../../../fit/modules/module-finding.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { judgeLoaded } from './judge-loaded.ts';

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
  const config: ConfigState = new ConfigState({ judge: (entry) => judgeLoaded({ config, models })(entry) });
  config.lintBy(lint);
  config.importText(runnerConfig);
  expect(config.findings.some(({ message }) => message.includes(tooNew.message))).toBe(isSaid);
});
