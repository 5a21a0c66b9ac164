import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colourClassifier, colourPicture, grey, red } from '../../../tests/fit/colour-classifier.ts';
import { headModel, logit } from '../../../tests/fit/head-models.ts';
import { tfliteHead } from '../../../tests/fit/tflite-heads.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { StringStringEntryProtoSchema, TensorProto_DataLocation as DataLocation } from '../../gen/onnx_pb.ts';
import { decodeModel } from '../../models/onnx/edit-model.ts';
import { encodeModel } from '../../models/onnx/encode-model.ts';
import { fitModel } from '../../models/fit/fit-model.ts';
import { otherChoices } from '../../models/fit/other-choices.ts';
import { readModel } from '../../models/onnx/read-model.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { readModelFile } from '../../models/read-model-file.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { fit } from './fit.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

const model = headModel({ widthPx: -1, heightPx: -1 }, (build) => {
  build.output('scores', build.add('Identity', [build.floats([1, 3], [1, 2, 3])]), 'float32', [1, 3]);
});

async function run(...argv: string[]): Promise<{ code: number; line: unknown; said: string }> {
  let line: unknown;
  const said: string[] = [];
  const command = parseCommand(['fit', ...argv]) as Extract<Command, { name: 'fit' }>;
  const code = await fit(command, { print: (value) => (line = value), say: (text) => void said.push(text) });
  return { code, line, said: said.filter((text) => !text.startsWith('Runs on ')).join('\n') };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-fit-'));
  await writeFile(at('model.onnx'), model);
  await writeFile(at('names.txt'), 'cat\nhot dog\nbird\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('sightglass fit', () => {
  it('keeps a TensorFlow Lite model in its format, with the module that runs it', async () => {
    const source = tfliteHead({}, ({ layer }) => ({ 'StatefulPartitionedCall:0': layer([1, 3], [1, 2, 3]) }));
    await writeFile(at('model.tflite'), source);
    const names = ['--labels', at('names.txt')];
    await expect(run(at('model.tflite'), '--out', at('fitted.onnx'))).rejects.toThrow('ends in ".tflite"');
    const { code, line } = await run(at('model.tflite'), '--out', at('fitted.tflite'), ...names);
    expect(code).toBe(0);
    expect(line).toMatchObject({
      out: at('fitted.tflite'),
      modules: [{ module: 'viam:mlmodel-tflite:tflite_cpu', verdict: 'loads', findings: [] }],
    });
    const configuration = JSON.parse(await readFile(at('fitted.machine.json'), 'utf8'));
    expect(configuration.services[0].attributes).toEqual({
      model_path: 'fitted.tflite',
      label_path: 'fitted.labels.txt',
    });
    expect(String(await readFile(at('fitted.tflite'))).slice(4, 8)).toBe('TFL3');
  });

  it('pads for the shape of the frame that a TensorFlow Lite model is tried on', async () => {
    const cells = 84;
    const source = tfliteHead({}, ({ build, layer }) => {
      const boxes = build.add('Mul', [layer([1, 4, cells], Array(4 * cells).fill(24)), build.floats([1], [1 / 64])]);
      const scores = build.add('Sigmoid', [layer([1, 3, cells], Array(3 * cells).fill(-1))]);
      return { Identity: build.add('Concat', [boxes, scores], { axis: { int: 1 } }) };
    });
    await writeFile(at('yolo.tflite'), source);
    const samples = new Uint8ClampedArray(4 * 32 * 18).fill(255);
    await writePngFile(at('wide.png'), { format: 'rgba8', widthPx: 32, heightPx: 18, samples });
    const argv = [at('yolo.tflite'), '--out', at('fitted.tflite')];
    const { line } = await run(...argv, '--frame', at('wide.png'));
    expect(line).toMatchObject({ options: { letterbox: 'pad', frame: '32x18' }, stretching: null });
    const { summary } = readModelFile(new Uint8Array(await readFile(at('fitted.tflite'))));
    expect(summary.inputs[0]!.shape).toEqual([1, 36, 64, 3]);
    expect((await run(...argv)).said).toMatch(/stretches every frame.*frame=1280x720/);
  });

  it('writes the model, its labels and a configuration, and says what it did', async () => {
    const labels = ['--labels', at('names.txt'), '--size', '320x240'];
    const { code, line } = await run(
      at('model.onnx'),
      '--out',
      at('fitted.onnx'),
      ...labels,
      '--option',
      'scores=logits',
    );
    expect(code).toBe(0);
    expect(line).toEqual({
      model: at('model.onnx'),
      out: at('fitted.onnx'),
      runtime: expect.stringMatching(/^ONNX Runtime /),
      labels: at('fitted.labels.txt'),
      machine: at('fitted.machine.json'),
      family: 'classifier',
      evidence: expect.arrayContaining([expect.stringContaining('3 classes')]),
      otherFamilies: [],
      added: [expect.stringContaining('"probability"')],
      options: { scores: 'logits', background: 'none' },
      feedings: null,
      feedingGuess: expect.stringContaining('Nothing says how it was fed'),
      stretching: null,
      inputSize: '320x240',
      chosenByFrames: null,
      modules: [{ module: 'viam:mlmodel:onnx-cpu', verdict: 'loads', findings: [] }],
      tried: {
        frames: [1, 2, 3].map((at) => expect.stringContaining(`sample${at}.jpg`)),
        verdict: 'plausible',
        showsNothing: false,
        seen: [],
        boxes: null,
        bestScore: expect.closeTo(0.665, 3),
        tryInstead: [],
      },
    });
    const fitted = readModel(new Uint8Array(await readFile(at('fitted.onnx'))));
    expect(fitted.inputs[0]).toMatchObject({ name: 'image', shape: [1, 3, 240, 320] });
    expect(fitted.metadata['sightglass.source_sha256']).toBe(createHash('sha256').update(model).digest('hex'));
    expect(await readFile(at('fitted.labels.txt'), 'utf8')).toBe('cat\nhot dog\nbird\n');
    expect(JSON.parse(await readFile(at('fitted.machine.json'), 'utf8'))).toMatchObject({
      services: [
        { name: 'm', attributes: { model_path: 'fitted.onnx', label_path: 'fitted.labels.txt' } },
        { name: 'v', attributes: { mlmodel_name: 'm' } },
      ],
    });
  });

  it('writes no label file where the classes have no names', async () => {
    const { line } = await run(at('model.onnx'), '--out', at('nameless.onnx'), '--size', '32x32');
    expect(line).toMatchObject({ labels: null });
    await expect(readFile(at('nameless.labels.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readFile(at('nameless.machine.json'), 'utf8')).not.toContain('label_path');
  });

  it('takes weights that lie beside the model', async () => {
    const split = decodeModel(model);
    const [weights] = split.graph.initializer;
    await writeFile(at('split.data'), weights!.rawData);
    weights!.rawData = new Uint8Array();
    weights!.dataLocation = DataLocation.EXTERNAL;
    weights!.externalData = [create(StringStringEntryProtoSchema, { key: 'location', value: 'split.data' })];
    await writeFile(at('split.onnx'), encodeModel(split));
    await run(at('split.onnx'), '--out', at('whole.onnx'), '--size', '32x32');
    expect(readModel(new Uint8Array(await readFile(at('whole.onnx')))).externalFiles).toEqual([]);
  });

  it.each([
    ['a model that is not there', ['none.onnx'], 'not-found', /none\.onnx/],
    ['a model of a size that nothing says', ['model.onnx'], 'size-unknown', /Give the size/],
    ['a family that the model is none of', ['model.onnx', '--family', 'yolox'], 'not-this-family', /is not a YOLOX/],
    [
      'a folder that is not there',
      ['model.onnx', '--size', '8x8', '--out', 'no/f.onnx'],
      'not-writable',
      /f\.onnx.*There is no folder ".*no"/,
    ],
  ])('fails for %s', async (_, [name, ...rest], code, message) => {
    const out = rest.includes('--out')
      ? rest.map((part) => (part.endsWith('.onnx') ? at(part) : part))
      : [...rest, '--out', at('o.onnx')];
    await expect(run(at(name!), ...out)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('what a fitted detector says of frames', () => {
  const pets = [
    { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
    { centreX: 50, centreY: 40, width: 8, height: 12, scores: [0.2, 0.7] },
  ];
  const blind = pets.map((box) => ({ ...box, scores: [0.001, 0.001] }));
  const fitting = async (source: Uint8Array, ...options: string[]) => {
    await writeFile(at('pets.onnx'), source);
    const chosen = options.flatMap((option) => ['--option', option]);
    return run(
      at('pets.onnx'),
      '--out',
      at('pets.fitted.onnx'),
      ...chosen,
      '--frame',
      'assets/photographs/sample4.jpg',
    );
  };

  it('is success where it may be right', async () => {
    const { code, line, said } = await fitting(yoloV8Model(pets));
    expect(line).toMatchObject({ tried: { verdict: 'plausible', boxes: 2, bestScore: expect.closeTo(0.9, 3) } });
    expect([code, said]).toEqual([0, '']);
  });

  it('is no success where all boxes lie outside, and names the option that mends it', async () => {
    const { code, line, said } = await fitting(yoloV8Model(pets), 'boxUnit=proportional');
    expect(code).toBe(1);
    expect(line).toMatchObject({
      tried: {
        verdict: 'refused',
        frames: ['assets/photographs/sample4.jpg'],
        tryInstead: [{ key: 'boxUnit', value: 'pixels', boxes: 2, bestScore: expect.closeTo(0.9, 3) }],
      },
    });
    expect(said).toMatch(/the frame cannot be right\. 2 of 2 boxes are thinner than 0\.4 % of the frame/);
    expect(said).toMatch(/Try --option boxUnit=pixels: 2 boxes, best score 0\.90\./);
  });

  it('chooses what nobody chose, where the graph misleads', async () => {
    const inShares = ({ centreX, centreY, width, height, scores }: (typeof pets)[number]) => ({
      centreX: centreX / 64,
      centreY: centreY / 64,
      width: width / 64,
      height: height / 64,
      scores,
    });
    const { code, line, said } = await fitting(yoloV8Model(pets.map(inShares)));
    expect(code).toBe(0);
    expect(line).toMatchObject({
      chosenByFrames: 'boxUnit=proportional',
      options: { boxUnit: 'proportional' },
      tried: { verdict: 'plausible', boxes: 2 },
    });
    expect(said).toMatch(/^With boxUnit=pixels: .*\. Took boxUnit=proportional\.$/);
  });

  it('chooses nothing that the graph tells, whatever the frames show of it', async () => {
    // Two classes under a softmax: of what is not there it says 0, and a second activation would make 0.5 or 0.27 of that.
    const size = { widthPx: 104, heightPx: 60 };
    const count = 2 * (13 * 8 + 7 * 4 + 4 * 2);
    const plates = headModel(size, (build) => {
      const noneThere = Array.from({ length: count }, (_, row) => [6 + (row % 7), -1]).flat();
      const logits = build.add('Identity', [build.floats([1, count, 2], noneThere)]);
      const offsets = Array.from({ length: 4 * count }, (_, at) => 0.1 * Math.sin(at));
      build.output('conf', build.add('Softmax', [logits], { axis: { int: 2 } }), 'float32', [1, count, 2]);
      build.output('loc', build.add('Identity', [build.floats([1, count, 4], offsets)]), 'float32', [1, count, 4]);
    });
    const { code, line, said } = await fitting(plates);
    expect(line).toMatchObject({
      family: 'ssd-raw',
      options: { activation: 'none' },
      chosenByFrames: null,
      tried: { verdict: 'unsure', boxes: 0 },
    });
    expect([code, said]).toEqual([1, expect.stringMatching(/^The fitted model found no box on the frame\./)]);
    expect(otherChoices(fitModel(plates)).map(({ key }) => key)).toEqual(['priors']);
    const forced = await fitting(plates, 'activation=sigmoid');
    expect(forced.line).toMatchObject({ tried: { verdict: 'refused', boxes: 100 } });
    expect(forced.said).toMatch(/100 of 100 boxes have a score of 0\.50, as where a sigmoid or a softmax is applied/);
  });

  it('lets photographs that come with the program choose nothing where they show none of its things', async () => {
    // Its scores pass on no frame without a sigmoid, which nothing in the graph tells.
    const inShares = blind.map((box) => ({
      ...box,
      centreX: box.centreX / 64,
      centreY: box.centreY / 64,
      width: 9,
      height: 9,
    }));
    await writeFile(at('pets.onnx'), yoloV8Model(inShares));
    const { code, line, said } = await run(at('pets.onnx'), '--out', at('pets.fitted.onnx'));
    const words = "The samples show none of this model's things, so they do not tell whether it is right.";
    expect(line).toMatchObject({
      chosenByFrames: null,
      tried: { verdict: 'unsure', seen: [words], showsNothing: true, tryInstead: [] },
    });
    expect([code, said]).toEqual([1, `${words} Give a picture of what it finds, with --frame FILE.`]);
  });

  it('is no success where it finds nothing at all', async () => {
    const { code, line, said } = await fitting(yoloV8Model(blind));
    expect(code).toBe(1);
    expect(line).toMatchObject({ tried: { verdict: 'unsure', boxes: 0 } });
    expect(said).toMatch(/found no box on the frame\. Give a picture .* --frame FILE/);
  });

  it('is no success where its boxes are no numbers', async () => {
    const { code, said } = await fitting(yoloV8Model(pets.map((box) => ({ ...box, width: NaN, centreX: NaN }))));
    expect(code).toBe(1);
    expect(said).toMatch(/cannot be right|found no box/);
  });

  it('is no success where the machine does not load it', async () => {
    const source = headModel({}, (build) => {
      const boxes = build.add('Mul', [build.floats([1, 4, 84], new Float32Array(336).fill(3)), build.floats([], [8])]);
      const scores = build.add('Sigmoid', [build.floats([1, 2, 84], new Float32Array(168).fill(logit(0.5)))]);
      const raw = build.add('Concat', [boxes, scores], { axis: { int: 1 } });
      build.output('output0', build.add('EfficientNMS_TRT', [raw], {}, 'TRT'), 'float32', [1, 6, 84]);
    });
    const { code, line, said } = await fitting(source);
    expect(code).toBe(1);
    expect(line).toMatchObject({ modules: [{ verdict: 'refuses' }], tried: { verdict: 'refused' } });
    expect(said).toMatch(/EfficientNMS_TRT/);
  });
});

describe('its arguments', () => {
  it.each([
    ['no model', ['--out', 'f.onnx'], /one model, got 0/],
    ['two models', ['a.onnx', 'b.onnx', '--out', 'f.onnx'], /one model, got 2/],
    ['no output', ['a.onnx'], /--out/],
    ['an output that the machine does not open', ['a.onnx', '--out', 'f.ONNX'], /ends in ".onnx"/],
    ['the model as output', ['a.onnx', '--out', './a.onnx'], /the model itself/],
    ['a size that is none', ['a.onnx', '--out', 'f.onnx', '--size', '640'], /WIDTHxHEIGHT/],
    [
      'an option without a value',
      ['a.onnx', '--out', 'f.onnx', '--option', 'letterbox'],
      /NAME=VALUE, got "letterbox"/,
    ],
  ])('with %s are bad', (_, argv, message) => {
    expect(() => parseCommand(['fit', ...argv])).toThrow(message);
  });
});

describe('sightglass fit with labelled pictures', () => {
  const fitColours = (...argv: string[]) => run(at('colours.onnx'), '--out', at('fitted.onnx'), ...argv);
  const feedingOf = async () =>
    JSON.parse(await readFile(at('fitted.machine.json'), 'utf8')).services[1].attributes as Record<string, unknown>;
  beforeAll(async () => {
    await writeFile(at('colours.onnx'), colourClassifier());
    await writeFile(at('red.png'), colourPicture(red));
    await writeFile(at('grey.png'), colourPicture(grey));
  });

  it('takes the one way of feeding in which the model sees what is said', async () => {
    const { code, line, said } = await fitColours('--frame', at('red.png'), '--answer', 'Red');
    expect(code).toBe(0);
    expect(line).toMatchObject({ feedings: { pictures: 1, verdict: 'decided' }, feedingGuess: null });
    const { feedings } = line as { feedings: { ranked: readonly { feeding: string }[] } };
    expect(feedings.ranked[0]).toMatchObject({ feeding: 'BGR, values from 0 to 1', isNear: true });
    expect(said).toBe('It is fed BGR, values from 0 to 1: no other usual way comes near on 1 labelled picture.');
    expect(await feedingOf()).toMatchObject({
      input_image_bgr: true,
      input_image_mean_value: [0, 0, 0],
      input_image_std_dev: [1, 1, 1],
    });
  });

  it('says that a picture does not decide, what it leaves open, and that the feeding stays a guess', async () => {
    const { line, said } = await fitColours('--frame', at('grey.png'), '--answer', 'grey');
    expect(line).toMatchObject({ feedings: { pictures: 1, verdict: 'open' } });
    expect(said).toMatch(
      /^The pictures do not decide the order of colours\. Near each other are: RGB, values from 0 to 1 \(1\.00\); BGR, /,
    );
    expect(said).toMatch(
      /How it is fed is a guess\. RGB, values from 0 to 1 was chosen, and 1 labelled picture does not/,
    );
  });

  it('keeps the usual way while it is near the first', async () => {
    await writeFile(at('caffe.onnx'), colourClassifier({ producer: 'caffe' }));
    await writeFile(at('black.png'), colourPicture([0, 0, 0]));
    // Black is nothing to the network, in every way of feeding.
    const { line, said } = await run(at('caffe.onnx'), '--out', at('fitted.onnx'), '--frame', at('black.png'), '--answer', 'nothing'); // prettier-ignore
    expect(line).toMatchObject({ feedings: { verdict: 'open' } });
    expect(said).toMatch(/BGR, bytes less the ImageNet mean was chosen, and 1 labelled picture does not decide it/);
    expect(await feedingOf()).toMatchObject({ input_image_bgr: true });
  });

  it('adds up several pictures', async () => {
    const both = ['--frame', at('grey.png'), '--answer', 'grey', '--frame', at('red.png'), '--answer', 'red'];
    expect((await fitColours(...both)).line).toMatchObject({ feedings: { pictures: 2, verdict: 'decided' } });
  });

  it('changes nothing where the model sees it in no way', async () => {
    const { line, said } = await fitColours('--frame', at('red.png'), '--answer', 'blue', '--frame', at('red.png'), '--answer', 'grey'); // prettier-ignore
    expect(line).toMatchObject({ feedings: { verdict: 'unseen' }, feedingGuess: expect.stringMatching('ImageNet') });
    expect(said).toMatch(/^The model is not sure of the answers in any usual way of feeding/);
  });

  it('refuses a class that the model has not, a picture without an answer, and a model whose feeding is known', async () => {
    const frame = ['--frame', at('red.png')];
    await expect(fitColours(...frame, '--answer', 're')).rejects.toThrow('no class "re". There is grey, red.');
    await expect(fitColours(...frame, ...frame, '--answer', 'red')).rejects.toThrow('Got 1 for 2.');
    await expect(fitColours('--answer', 'red')).rejects.toThrow('Got 1 for 0.');
    await expect(fitColours(...frame, '--answer', 'red@4,4,2,8')).rejects.toThrow('LABEL@XMIN,YMIN,XMAX,YMAX');
    const source = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    await writeFile(at('pets.onnx'), source);
    const known = run(at('pets.onnx'), '--out', at('fitted.onnx'), ...frame, '--answer', '0');
    await expect(known).rejects.toThrow('--answer is not needed');
  });

  it('sets the options of a kind that options describe, as the box of a detection says', async () => {
    // Columns: x and y of the centre, width, height, and three scores of which the third is 1 where the third channel is 0.9.
    await writeFile(
      at('rows.onnx'),
      headModel({ widthPx: 16, heightPx: 16 }, (build, image) => {
        const mean = build.add('Reshape', [build.add('GlobalAveragePool', [image]), build.ints([3], [1, 1, 3])]);
        const apart = build.add('Sub', [mean, build.floats([1, 1, 3], [9, 9, 0.9])]);
        const steep = build.add('Mul', [build.add('Mul', [apart, apart]), build.floats([1], [-100])]);
        const scores = build.add('Add', [steep, build.floats([1], [1])]);
        const row = build.add('Concat', [build.floats([1, 1, 4], [8, 8, 16, 16]), scores], { axis: { int: 2 } });
        const none = build.floats([1, 7, 7], Array<number>(49).fill(0));
        build.output('rows', build.add('Concat', [row, none], { axis: { int: 1 } }), 'float32', [1, 8, 7]);
      }),
    );
    const argv = [
      '--family',
      'guided',
      '--option',
      'letterbox=stretch',
      '--option',
      'activation=none',
      '--frame',
      at('red.png'),
    ];
    const fitRows = (answer: string) => run(at('rows.onnx'), '--out', at('fitted.onnx'), ...argv, '--answer', answer);
    const { line } = await fitRows('2@0,0,24,16');
    expect(line).toMatchObject({ options: { colour: 'bgr' } });
    expect((await fitRows('2@0,0,6,4')).line).toMatchObject({ feedings: { verdict: 'unseen' } });
  });
});
