import { mkdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder, config, run, vision } from '../../../tests/cli-folder.ts';
import { fixedClassifier } from '../../../tests/models.ts';

const { at, write, machineOf } = cliFolder();

it.each([
  ['little', 0xff, 0xfe],
  ['big', 0xfe, 0xff],
])('says of a configuration in UTF-16, %s end first, what to do', async (_, ...mark) => {
  await write('utf-16.json', Uint8Array.of(...mark, 0x7b, 0x00));
  await expect(run(['lint', at('utf-16.json')])).rejects.toMatchObject({
    code: 'bad-encoding',
    message: expect.stringContaining('is in UTF-16, and the machine reads UTF-8 only: save it as UTF-8.'),
  });
});

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

it('reads the label file that lies beside the models', async () => {
  await mkdir(at('labelled'));
  await write('labelled/signs.txt', 'stop sign\n');
  await write('labelled/whole.onnx', fixedClassifier({ scores: [0.5, 0.5] }));
  const files = { model_path: '/m/whole.onnx', label_path: 'C:\\models\\signs.txt' };
  await machineOf({ label_confidences: { 'stop sign': 0.5 } }, files);
  const { lines } = await run(['lint', at('one.json'), '--models', at('labelled')]);
  const codes = (lines as { code: string }[]).map(({ code }) => code);
  expect(codes).toContain('label-line');
  expect(codes).toContain('label-unknown');
  await write('labelled/signs.txt', 'stop sign\nyield\n');
  const { lines: after } = await run(['lint', at('one.json'), '--models', at('labelled')]);
  expect((after as { code: string }[]).map(({ code }) => code)).not.toContain('label-line');
});

describe('lint --model', () => {
  const lintOf = async (modelPath: string, ...models: string[]) => {
    await machineOf({ remap_output_names: { odds: 'probability' } }, { model_path: modelPath });
    const { code, lines } = await run(['lint', at('one.json'), ...models.flatMap((model) => ['--model', model])]);
    const found = lines as { code: string; message: string; fix: string | null }[];
    return { code, found: found.filter((line) => ['other-model', 'remap-tensor', 'model-module'].includes(line.code)) };
  };
  beforeAll(async () => {
    await write('given.onnx', fixedClassifier({ scores: [0.5, 0.5] }));
    await write('half-given.onnx', fixedClassifier({ input: { dtype: 'float16' }, scores: [0.5, 0.5] }));
  });

  it('says that the configuration names another file, and how to name the one given', async () => {
    const { found } = await lintOf('/m/people.onnx', at('given.onnx'));
    expect(found.filter(({ code }) => code === 'other-model')).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(
          'The configuration describes people.onnx; the model here is given.onnx.',
        ) as string,
        fix: 'Name given.onnx',
      }),
    ]);
  });

  it('reads the file, for what its tensors and its module say', async () => {
    const { code, found } = await lintOf('/m/half-given.onnx', `v=${at('half-given.onnx')}`);
    expect([code, found.map((line) => line.code)]).toEqual([1, ['remap-tensor', 'model-module']]);
  });

  it('refuses a file for a service that there is not, and a file that there is not', async () => {
    await expect(lintOf('a.onnx', `w=${at('given.onnx')}`)).rejects.toThrow(
      '--model is given for the vision service "w"; the configuration has "v".',
    );
    await expect(lintOf('a.onnx', at('none.onnx'))).rejects.toThrow('The model cannot be read. There is no such file');
  });
});

describe('lint', () => {
  it('wants to know whose --model it is given where there are several services', async () => {
    await expect(run(['lint', at('machine.json'), '--model', 'a.onnx'])).rejects.toThrow(
      '--model wants VISION=FILE, as there is not one vision service: the configuration has "bright", "picky",',
    );
  });

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
    expect(lines).toEqual([
      expect.objectContaining({ line: 2, column: 15, message: 'This is not JSON value: "NaN".' }),
    ]);
    expect(said).toEqual([expect.stringMatching(/: 1 finding, 1 of them errors\.$/)]);
  });
});
