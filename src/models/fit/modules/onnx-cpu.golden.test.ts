import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadModels } from '../../../../tests/onnx-runtime/load-models.ts';
import { readLoadFacts } from '../../onnx/read-model.ts';
import { verdictOf, type ModuleVerdict } from './module-finding.ts';
import { onnxCpuFindings } from './onnx-cpu.ts';

/** What ONNX Runtime 1.23.2 said: scripts/golden/README.md. */
interface Answer {
  readonly sha256: string;
  /** why it did not load */
  readonly refused?: string;
  /** types in the runtime's words, as the module gets them */
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  /** why it did not take a picture */
  readonly failed?: string;
}

const answersFile = new URL('../../../../tests/onnx-runtime/answers.json', import.meta.url);
const answers = (JSON.parse(readFileSync(answersFile, 'utf8')) as { models: Record<string, Answer> }).models;
const models = loadModels();

/** The module's checks, in its order, on what its runtime reports. */
function whatTheMachineDoes({ refused, inputs, outputs, failed }: Answer): ModuleVerdict {
  if (refused !== undefined || inputs === undefined || outputs === undefined) return 'refuses';
  const [input] = inputs;
  const [output] = outputs;
  const isTensor = (type: string): boolean => type.startsWith('tensor(');
  if (input !== undefined && input !== 'tensor(float)' && input !== 'tensor(uint8)') return 'refuses';
  if (inputs.some((type) => type !== input)) return 'refuses';
  if (output !== 'tensor(float)' && input !== 'tensor(uint8)') return 'refuses';
  if (outputs.some((type) => type !== output || !isTensor(type))) return 'refuses';
  // The vision service fills one input; Infer knows outputs of two types.
  if (inputs.length !== 1 || failed !== undefined) return 'fails-at-first-frame';
  return output === 'tensor(float)' || output === 'tensor(uint8)' ? 'loads' : 'fails-at-first-frame';
}

describe('onnx-cpu against ONNX Runtime 1.23.2', () => {
  it('has an answer for each model, and of that very file', () => {
    const pinned = models.map(({ name, bytes }) => [
      name,
      createHash('sha256').update(bytes).digest('hex').slice(0, 8),
    ]);
    expect(pinned).toEqual(Object.entries(answers).map(([name, { sha256 }]) => [name, sha256]));
    expect(models.length).toBeGreaterThanOrEqual(150);
  });

  it.each(models.map((model) => [model.name, model] as const))('%s', (name, { bytes, beside }) => {
    const findings = onnxCpuFindings(readLoadFacts(bytes), Object.keys(beside));
    expect([verdictOf(findings), findings.map(({ code }) => code)]).toEqual([
      whatTheMachineDoes(answers[name]!),
      expect.anything(),
    ]);
  });
});
