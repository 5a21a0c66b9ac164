import { mkdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder, config, run, vision } from '../../tests/cli-folder.ts';
import { fixedClassifier } from '../../tests/models.ts';

const { at, write, machineOf } = cliFolder();

describe('lint --models', () => {
  const lintOf = async (attributes: object, ...more: string[]) => {
    await machineOf({}, attributes);
    const { code, lines, said } = await run(['lint', at('one.json'), ...more]);
    const found = (lines as { code: string; severity: string; message: string }[]).filter(
      (line) => line.code === 'model-module',
    );
    return { code, said, found: found.map(({ severity, message }) => `${severity}: ${message}`) };
  };
  beforeAll(async () => {
    await mkdir(at('models'));
    await write('models/half.onnx', fixedClassifier({ input: { dtype: 'float16' }, scores: [0.5, 0.5] }));
    await write('models/whole.onnx', fixedClassifier({ scores: [0.5, 0.5] }));
    await write('models/page.onnx', '<!doctype html><p>Sign in</p>');
  });

  it('says what the module refuses in a model file, by the name of its path', async () => {
    const { code, found } = await lintOf({ model_path: '/on/the/machine/half.onnx' }, '--models', at('models'));
    expect([code, found]).toEqual([1, [expect.stringContaining('uint8 or float32, got …')]]);
  });

  it.each([
    ['a model that loads', { model_path: 'whole.onnx' }, ['--models', 'models'], []],
    ['a model that would not load, unseen', { model_path: 'half.onnx' }, [], []],
    ['attributes, without a folder', { model_path: 'half.ONNX' }, [], [expect.stringContaining('must end in .onnx')]],
    [
      'a file that is none',
      { model_path: 'page.onnx' },
      ['--models', 'models'],
      [expect.stringContaining('a web page')],
    ],
  ])('%s', async (_, attributes, more, findings) => {
    const { found, code } = await lintOf(attributes, ...more.map((word) => (word === 'models' ? at(word) : word)));
    expect([found, code]).toEqual([findings, findings.length > 0 ? 1 : 0]);
  });

  it('says of which models nothing was read', async () => {
    const { said, found } = await lintOf({ model_path: 'other.onnx' }, '--models', at('models'));
    expect([said[0], found]).toEqual([
      `m: "${at('models')}" has no file "other.onnx", so nothing is said of the model itself.`,
      [],
    ]);
  });

  it('refuses a folder that is not there', async () => {
    await expect(lintOf({ model_path: 'a.onnx' }, '--models', at('nowhere'))).rejects.toThrow(
      'The models cannot be listed.',
    );
  });
});

describe('lint', () => {
  it('prints findings with place and code, and fails on errors', async () => {
    const path = await write('typo.json', JSON.stringify({ ...config, services: [vision('v', { mlmodel_name: '' })] }));
    const { code, lines } = await run(['lint', path]);
    expect(code).toBe(1);
    expect(lines).toContainEqual(
      expect.objectContaining({ path: 'services[0].attributes.mlmodel_name', severity: 'error' }),
    );
    for (const line of lines)
      expect(Object.keys(line as object)).toEqual(['path', 'line', 'column', 'severity', 'code', 'message', 'fix']);
  });

  it('says where a text is no JSON, and what stands there', async () => {
    const { lines, said } = await run(['lint', await write('nan.json', '{\n  "services": NaN\n}')]);
    expect(lines).toEqual([expect.objectContaining({ line: 2, column: 15, message: 'This is no JSON value: "NaN".' })]);
    expect(said).toEqual([expect.stringMatching(/: 1 finding, 1 of them errors\.$/)]);
  });
});
