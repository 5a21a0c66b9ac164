import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brightestPixelDetector, channelMeansClassifier, fixedClassifier, fixedDetector } from '../../tests/models.ts';
import { tfliteChannelMeans, tinyTflite } from '../../tests/tflite-models.ts';
import { readFrameFile, writePngFile } from '../platform/node/frame-file.ts';
import type { Frame } from '../vision/frame.ts';
import { parseCommand, type Command } from './arguments.ts';
import { classify, detect, lintConfig, transform } from './commands.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  await writeFile(at(name), content);
  return at(name);
};

/** 8×4 pixels, all (10, 20, 30) but one white pixel. */
function frameWithWhiteAt(x: number, y: number): Frame {
  const samples = new Uint8ClampedArray(4 * 8 * 4);
  for (let i = 0; i < samples.length; i += 4) samples.set([10, 20, 30, 255], i);
  samples.set([255, 255, 255, 255], 4 * (8 * y + x));
  return { format: 'rgba8', widthPx: 8, heightPx: 4, samples };
}

const config = {
  components: [
    { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} },
    {
      name: 'right-half',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: {
        source: 'cam',
        pipeline: [{ type: 'crop', attributes: { x_min_px: 0.5, y_min_px: 0, x_max_px: 1, y_max_px: 1 } }],
      },
    },
    {
      name: 'marked',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'cam', pipeline: [{ type: 'detections', attributes: { detector_name: 'bright' } }] },
    },
    {
      name: 'too-far',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: {
        source: 'cam',
        pipeline: [{ type: 'crop', attributes: { x_min_px: 20, y_min_px: 0, x_max_px: 30, y_max_px: 4 } }],
      },
    },
  ],
  services: [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx', attributes: {} },
    vision('bright', { camera_name: 'right-half' }),
    vision('picky', { default_minimum_confidence: 0.7 }),
    vision('no-model', { mlmodel_name: '' }),
    vision('means', {}),
  ],
};

function vision(name: string, attributes: object): object {
  return { name, api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } };
}

async function run(argv: readonly string[]): Promise<{ code: number; lines: unknown[]; said: string[] }> {
  const lines: unknown[] = [];
  const said: string[] = [];
  const terminal = {
    print: (value: object) => void lines.push(JSON.parse(JSON.stringify(value))),
    say: (text: string) => void said.push(text),
  };
  const command = parseCommand(argv) as Extract<Command, { framePaths: unknown }> | Extract<Command, { name: 'lint' }>;
  const code = await (command.name === 'detect'
    ? detect(command, terminal)
    : command.name === 'classify'
      ? classify(command, terminal)
      : command.name === 'transform'
        ? transform(command, terminal)
        : lintConfig(command, terminal));
  return { code, lines, said };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-cli-'));
  await write('machine.json', JSON.stringify(config));
  await write('bright.onnx', brightestPixelDetector({ input: { dtype: 'uint8' } }));
  await write('means.onnx', channelMeansClassifier({ input: { dtype: 'uint8', layout: 'NCHW' } }));
  await write(
    'fixed.onnx',
    fixedDetector({
      boxes: [
        [0, 0, 0.5, 0.5],
        [0.5, 0.5, 1, 1],
      ],
      categories: [1, 0],
      scores: [0.7, 0.9],
    }),
  );
  await write('labels.txt', 'cat\ndog\n');
  await writePngFile(at('a.png'), frameWithWhiteAt(6, 1));
  await writePngFile(at('b.png'), frameWithWhiteAt(1, 3));
});
afterAll(() => rm(folder, { recursive: true }));

/** A configuration with one vision service `v`, and what is changed in its entries. */
async function machineOf(vision: object, model: object, more: object = {}): Promise<string> {
  const services = [
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...vision } },
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: model },
  ];
  return write('one.json', JSON.stringify({ services, ...more }));
}

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

describe('labels', () => {
  const twoBoxes = { boxes: [[0, 0, 0.5, 0.5]], categories: [1], scores: [0.7] };
  const labelsOf = async (...more: string[]) => {
    const argv = [
      'detect',
      '--config',
      at('one.json'),
      '--vision',
      'v',
      '--model',
      at('named.onnx'),
      ...more,
      at('a.png'),
    ];
    const { lines, said } = await run(argv);
    const [{ detections }] = lines as [{ detections: { label: string }[] }];
    return { labels: detections.map(({ label }) => label), said: said.slice(0, -1).join('\n') };
  };
  beforeAll(async () => {
    const metadata = { names: "{0: 'lion', 1: 'wolf'}" };
    await write('named.onnx', fixedDetector({ input: { dtype: 'uint8' }, metadata, ...twoBoxes }));
  });

  it('are index numbers without a label file, and what the model carries is told', async () => {
    await machineOf({}, {});
    expect(await labelsOf()).toEqual({
      labels: ['1'],
      said: expect.stringMatching(/no label file is named.*lion, wolf\), which the machine does not read/),
    });
  });

  it('come from the file that the model service names', async () => {
    await machineOf({}, { label_path: at('labels.txt') });
    expect(await labelsOf()).toEqual({ labels: ['dog'], said: '' });
  });

  it('come from that of the vision service first', async () => {
    await machineOf({ label_path: await write('first.txt', 'a,b') }, { label_path: at('labels.txt') });
    expect(await labelsOf()).toEqual({ labels: ['b'], said: '' });
  });

  it('are index numbers where the file of the model service is not here', async () => {
    await machineOf({}, { label_path: at('gone.txt') });
    expect(await labelsOf()).toEqual({ labels: ['1'], said: expect.stringMatching(/gone\.txt.*--labels/) });
    expect(await labelsOf('--labels', at('labels.txt'))).toEqual({ labels: ['dog'], said: '' });
  });

  it('may be given where no file is named, with a word on what the machine says', async () => {
    await machineOf({}, {});
    expect(await labelsOf('--labels', at('labels.txt'))).toEqual({
      labels: ['dog'],
      said: expect.stringMatching(/the machine says index numbers; write label_path into "m"/),
    });
  });
});

describe('a configuration that the machine does not take', () => {
  const argv = (...more: string[]) => [
    ...['detect', '--config', at('one.json'), '--vision', 'v', '--model', at('fixed.onnx'), ...more, at('a.png')],
  ];
  const webcam = { name: 'web', api: 'rdk:component:camera', model: 'webcam', attributes: {} };

  it.each([[[]], [['--strict']]])('is refused as a whole for one badly typed attribute (%j)', async (flags) => {
    await machineOf({}, {}, { components: [{ ...webcam, attributes: { width_px: '640' } }] });
    await expect(run(argv(...flags))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/whole configuration.*"web".*width_px.*--no-strict/),
    });
  });

  it('runs the rest of it with --no-strict', async () => {
    await machineOf({}, {}, { components: [{ ...webcam, attributes: { width_px: '640' } }] });
    const { code, said } = await run(argv('--no-strict'));
    expect(code).toBe(0);
    expect(said[0]).toMatch(/^The machine refuses this whole configuration/);
  });

  it('has no service whose camera is missing; a part of one may', async () => {
    await machineOf({ camera_name: 'zz' }, {}, { components: [webcam] });
    await expect(run(argv('--no-strict'))).rejects.toMatchObject({
      code: 'no-such-camera',
      message: expect.stringContaining('could not find camera "zz"'),
    });
    await machineOf({ camera_name: 'zz' }, {});
    const { code, said } = await run(argv());
    expect(code).toBe(0);
    expect(said[0]).toMatch(/"zz" is no camera of this text.*because the text shows no components/);
  });
});

const base = (command: string, service: string, model: string): string[] => [
  ...[command, '--config', at('machine.json'), '--vision', service, '--model', at(model)],
];

describe('detect', () => {
  it('prints whole pixels and unrounded scores in the order of the frames', async () => {
    const { code, lines } = await run([...base('detect', 'bright', 'bright.onnx'), at('b.png'), at('a.png')]);
    expect(code).toBe(0);
    // Proportional corner · (size − 1), truncated: x 1/8·7, y 3/4·3.
    expect(lines).toEqual([
      {
        frame: at('b.png'),
        width: 8,
        height: 4,
        detections: [{ label: '0', score: 1, xMin: 0, yMin: 2, xMax: 1, yMax: 3 }],
      },
      {
        frame: at('a.png'),
        width: 8,
        height: 4,
        detections: [{ label: '0', score: 1, xMin: 5, yMin: 0, xMax: 6, yMax: 1 }],
      },
    ]);
  });

  it('looks through a transform camera, and through the service’s own where --camera is empty', async () => {
    const seen = { width: 4, height: 4, detections: [{ label: '0', score: 1, xMin: 1, yMin: 0, xMax: 2, yMax: 1 }] };
    for (const camera of ['--camera=right-half', '--camera=']) {
      const { lines } = await run([...base('detect', 'bright', 'bright.onnx'), camera, at('a.png')]);
      expect(lines).toEqual([{ frame: at('a.png'), ...seen }]);
    }
  });

  it('drops by the machine’s comparison: the float32 0.7 is below 0.7', async () => {
    const { lines } = await run([
      ...base('detect', 'picky', 'fixed.onnx'),
      ...['--labels', at('labels.txt'), at('a.png')],
    ]);
    expect(lines).toEqual([
      expect.objectContaining({
        detections: [{ label: 'cat', score: Math.fround(0.9), xMin: 3, yMin: 1, xMax: 7, yMax: 3 }],
      }),
    ]);
  });

  it('does the other frames when one is bad, and draws them', async () => {
    const notes = await write('notes.png', 'no picture');
    const { code, lines } = await run([
      ...base('detect', 'bright', 'bright.onnx'),
      ...['--draw', at('drawn'), at('a.png'), notes, at('nowhere.png'), at('a.png')],
    ]);
    expect(code).toBe(1);
    expect(lines).toMatchObject([
      { detections: [{}] },
      { frame: notes, error: { code: 'unsupported-format' } },
      { frame: at('nowhere.png'), error: { code: 'not-found' } },
      { detections: [{}] },
    ]);
    expect((await readdir(at('drawn'))).sort()).toEqual(['a-2.png', 'a.png']);
    const drawn = await readFrameFile(at('drawn/a.png'));
    expect([...drawn.samples.subarray(4 * 5, 4 * 6)]).toEqual([255, 0, 0, 255]);
  });

  it.each<[string, string[], string]>([
    ['an unknown service', ['--vision', 'nobody'], 'unknown-service'],
    ['a service without mlmodel_name', ['--vision', 'no-model'], ''],
    ['a classifier', ['--vision', 'means', '--model', 'means.onnx'], 'not-a-detector'],
    ['an unknown camera', ['--vision', 'bright', '--camera', 'nowhere'], 'unknown-camera'],
    ['a file that is no model', ['--vision', 'bright', '--model', 'labels.txt'], 'not-onnx'],
    ['a missing label file', ['--vision', 'bright', '--labels', 'gone.txt'], 'not-found'],
  ])('fails as a whole for %s', async (_, given, code) => {
    const options = Object.fromEntries(
      Array.from({ length: given.length / 2 }, (_, i) => given.slice(2 * i, 2 * i + 2)),
    );
    const model = at(options['--model'] ?? 'bright.onnx');
    const argv = ['detect', '--config', at('machine.json'), '--vision', options['--vision']!, '--model', model];
    if (options['--camera']) argv.push('--camera', options['--camera']);
    if (options['--labels']) argv.push('--labels', at(options['--labels']));
    await expect(run([...argv, at('a.png')])).rejects.toMatchObject({ code: code || expect.any(String) });
  });

  it('says where the configuration is no JSON', async () => {
    const broken = await write('broken.json', '{\n  "components": [,]\n}');
    const argv = ['detect', '--config', broken, '--vision', 'v', '--model', at('bright.onnx'), at('a.png')];
    await expect(run(argv)).rejects.toMatchObject({ code: 'bad-json', message: expect.stringContaining('line 2') });
  });
});

describe('a TensorFlow Lite model', () => {
  const argv = (model: string) => ['classify', '--config', at('one.json'), '--vision', 'v', '--model', at(model)];
  beforeAll(async () => {
    await write('means.tflite', tfliteChannelMeans({ name: 'picture:0', heightPx: 2, widthPx: 4 }));
    await machineOf({ remap_input_names: { 'picture:0': 'image' } }, { label_path: at('rgb.txt') });
    await write('rgb.txt', 'red\ngreen\nblue\n');
    const samples = new Uint8ClampedArray(4 * 8 * 4)
      .fill(255)
      .map((value, i) => (i % 4 < 3 ? [51, 102, 204][i % 4]! : value));
    await writePngFile(at('plain.png'), { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
  });

  it('runs as any other', async () => {
    const { lines } = await run([...argv('means.tflite'), at('plain.png')]);
    // Fed as −1 to 1, its means are below 0: the machine takes them for logits.
    const sum = Math.exp(-0.6) + Math.exp(-0.2) + Math.exp(0.6);
    const close = (value: number) => expect.closeTo(value, 5) as number;
    expect(lines).toMatchObject([
      {
        classifications: [
          { label: 'red', score: close(Math.exp(-0.6) / sum) },
          { label: 'green', score: close(Math.exp(-0.2) / sum) },
          { label: 'blue', score: close(Math.exp(0.6) / sum) },
        ],
      },
    ]);
  });

  it('fails in words where it is damaged, and where the machine has not its operators', async () => {
    await write('cut.tflite', tfliteChannelMeans().subarray(0, 300));
    await expect(run([...argv('cut.tflite'), at('plain.png')])).rejects.toMatchObject({
      code: 'not-tflite',
      message: expect.stringMatching(/cut\.tflite": This TensorFlow Lite model is cut short or damaged/),
    });
    const tensors = ['x', 'y'].map((name) => ({ name, type: 0, shape: [1, 2, 2, 3] }));
    const operators = [{ code: 'FlexErf', inputs: [0], outputs: [1] }];
    await write('flex.tflite', tinyTflite({ tensors, operators, inputs: [0], outputs: [1] }));
    await expect(run([...argv('flex.tflite'), at('plain.png')])).rejects.toThrow('FlexErf');
  });
});

describe('classify', () => {
  it('gives all in label order, or the best n', async () => {
    const argv = [...base('classify', 'means', 'means.onnx'), '--labels', at('labels3.txt')];
    await write('labels3.txt', 'red,green,blue');
    const frame: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.from([0, 1, 0, 255]) };
    await writePngFile(at('green.png'), frame);
    const all = await run([...argv, at('green.png')]);
    expect(all.lines).toEqual([
      {
        frame: at('green.png'),
        width: 1,
        height: 1,
        classifications: [
          { label: 'red', score: 0 },
          { label: 'green', score: 1 },
          { label: 'blue', score: 0 },
        ],
      },
    ]);
    const best = await run([...argv, '--top=1', at('green.png')]);
    expect(best.lines).toMatchObject([{ classifications: [{ label: 'green', score: 1 }] }]);
  });
});

describe('transform', () => {
  const argv = (camera: string): string[] => [
    ...['transform', '--config', at('machine.json'), '--camera', camera, '--model', `bright=${at('bright.onnx')}`],
  ];

  it('writes what the camera gives, pixel for pixel', async () => {
    const { code, lines } = await run([...argv('right-half'), '--out', at('out'), at('a.png')]);
    expect([code, lines]).toEqual([0, [{ frame: at('a.png'), out: at('out/a.png'), width: 4, height: 4 }]]);
    const { samples, widthPx } = await readFrameFile(at('out/a.png'));
    expect([widthPx, ...samples.subarray(4 * 6, 4 * 7)]).toEqual([4, 255, 255, 255, 255]);
  });

  it('runs the services that its steps name', async () => {
    await run([...argv('marked'), '--out', at('marked'), at('a.png')]);
    const { samples } = await readFrameFile(at('marked/a.png'));
    expect([...samples.subarray(4 * 5, 4 * 5 + 3)]).toEqual([255, 0, 0]);
  });

  it('never overwrites a frame that lies in the folder', async () => {
    const before = await readFrameFile(at('a.png'));
    const { lines } = await run([...argv('right-half'), '--out', folder, at('a.png')]);
    expect(lines).toMatchObject([{ out: at('a-2.png') }]);
    expect(await readFrameFile(at('a.png'))).toEqual(before);
  });

  it('fails as a whole for a step whose service lacks the ability', async () => {
    const withClassifier = ['transform', '--config', at('machine.json'), '--camera', 'marked', '--out', at('unable')];
    await expect(run([...withClassifier, '--model', `bright=${at('means.onnx')}`, at('a.png')])).rejects.toMatchObject({
      code: 'not-a-detector',
    });
  });

  it('reports a step that fails with the step, and goes on', async () => {
    const { code, lines } = await run([...argv('too-far'), '--out', at('far'), at('a.png'), at('b.png')]);
    expect(code).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ error: { message: expect.stringContaining('crop') } });
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
      expect(Object.keys(line as object)).toEqual(['path', 'severity', 'code', 'message', 'fix']);
  });
});
