import { describe, expect, it } from 'vitest';
import { tfliteHead, type TfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { rowsOf, runFitted } from '../../../../tests/fit/run-fitted.ts';
import { randomRows } from '../../../../tests/fit/plain-priors.ts';
import { randomSource } from '../../../../tests/random-frame.ts';
import { tinyTflite } from '../../../../tests/tflite-models.ts';
import { openSession } from '../../../platform/node/open-session.ts';
import { TfliteEditor } from '../../tflite/edit-model.ts';
import { readTfliteModel } from '../../tflite/read-model.ts';
import { asBytes, asImageNet, asSigned, asUnits, type Letterbox, type Preprocessing } from '../structure/family.ts';
import { fitModel } from '../fit-model.ts';
import { judgeFitted } from '../judge-fitted.ts';
import { paddingOf } from './tflite-letterbox.ts';
import { addTflitePrologue } from './tflite-prologue.ts';

const size = { widthPx: 12, heightPx: 10 };
const typeNumbers = { float32: 0, int32: 2, uint8: 3, int8: 9 } as const;

interface Network {
  readonly type: keyof typeof typeNumbers;
  readonly layout?: 'nhwc' | 'nchw';
  readonly scale?: number;
  readonly zeroPoint?: number;
}

/** What reaches a network whose input is padded, of a picture of random numbers, and what should. */
async function padded(network: Network, fed: Omit<Preprocessing, 'letterbox'>, letterbox: Letterbox, frame: string) {
  const { type, layout = 'nhwc', scale, zeroPoint = 0 } = network;
  const shape = layout === 'nhwc' ? [1, 10, 12, 3] : [1, 3, 10, 12];
  const quantization = scale === undefined ? {} : { quantization: { scale: [scale], zeroPoint: [zeroPoint] } };
  const tensors = [{ name: 'picture', type: typeNumbers[type], shape, ...quantization }];
  const editor = new TfliteEditor(tinyTflite({ tensors, operators: [], inputs: [0], outputs: [0] }));
  const preprocessing = { ...fed, letterbox };
  const padding = paddingOf({ letterbox: 'pad', frame }, { layout }, size, preprocessing)!;
  const { input, feeding, added } = addTflitePrologue(editor, preprocessing, padding);
  const session = await openSession(editor.write({ inputs: [input], outputs: [0], metadata: {} }));
  const { name, dtype, shape: given } = session.inputs[0]!;
  const random = randomSource(5);
  const bytes = Uint8Array.from({ length: given.reduce((a, b) => a * b, 1) }, () => 256 * random());
  const channelOf = (at: number, of: number) => (layout === 'nhwc' ? at % 3 : Math.floor(at / (of / 3)));
  const number = (byte: number, channel: number) =>
    dtype === 'uint8' ? byte : (byte / 255 - fed.mean[channel]!) / fed.stdDev[channel]!;
  const data =
    dtype === 'uint8' ? bytes : Float32Array.from(bytes, (byte, at) => number(byte, channelOf(at, bytes.length)));
  const said = await session.run({ [name]: { dtype: dtype as 'uint8', shape: given, data: data as Uint8Array } });
  const found = Array.from(Object.values(said)[0]!.data, Number);
  await session.release();

  const { window } = padding;
  const wanted = found.map((_, at) => {
    const channel = channelOf(at, found.length);
    const place = layout === 'nhwc' ? Math.floor(at / 3) : at % (found.length / 3);
    const [x, y] = [(place % 12) - window.leftPx, Math.floor(place / 12) - window.topPx];
    const isInside = x >= 0 && y >= 0 && x < window.widthPx && y < window.heightPx;
    const from = y * window.widthPx + x;
    const byte = bytes[layout === 'nhwc' ? 3 * from + channel : channel * window.widthPx * window.heightPx + from];
    return number(isInside ? byte! : letterbox.border, channel);
  });
  return { found, wanted, feeding, added, given };
}

const grey = { border: 114, at: 'centre' } as const;
const rgb = 'rgb' as const;

describe('a border in the graph of a .tflite file', () => {
  it.each([
    ['floats, centre', { type: 'float32' }, { colour: rgb, ...asUnits }, grey],
    ['floats, channels first', { type: 'float32', layout: 'nchw' }, { colour: rgb, ...asUnits }, grey],
    ['floats, top left, of 0', { type: 'float32' }, { colour: rgb, ...asSigned }, { border: 0, at: 'top-left' }],
    ['a value for each channel', { type: 'float32' }, { colour: rgb, ...asImageNet }, grey],
    ['the same, channels first', { type: 'float32', layout: 'nchw' }, { colour: rgb, ...asImageNet }, grey],
    ['bytes as floats', { type: 'float32' }, { colour: 'bgr', ...asBytes }, { border: 114, at: 'top-left' }],
    ['bytes', { type: 'uint8', scale: 1 / 255, zeroPoint: 0 }, { colour: rgb, ...asUnits }, grey],
    ['bytes as whole numbers', { type: 'int32' }, { colour: rgb, ...asBytes }, grey],
  ] satisfies [string, Network, Omit<Preprocessing, 'letterbox'>, Letterbox][])(
    'surrounds the picture: %s',
    async (_, network, fed, letterbox) => {
      for (const frame of ['16x9', '3 4', '1280x720']) {
        const { found, wanted, given } = await padded(network, fed, letterbox, frame);
        expect(found).toHaveLength(360);
        expect(given.reduce((a, b) => a * b, 1)).toBeLessThan(360);
        found.forEach((value, at) => expect(value).toBeCloseTo(wanted[at]!, 5));
      }
    },
  );

  it.each([
    ['moved bytes', 1 / 255, -128, 'uint8'],
    ['other numbers', 0.02, -14, 'float32'],
  ] as const)('goes before a quantisation to int8: %s', async (_, scale, zeroPoint, dtype) => {
    const network = { type: 'int8', scale, zeroPoint } as const;
    const { found, wanted, feeding, added } = await padded(network, { colour: rgb, ...asUnits }, grey, '16x9');
    expect(feeding.dtype).toBe(dtype);
    expect(added).toEqual([
      'an input of 12×7, the shape of the camera’s frames, with a border around it to 12×10 (border 114, centre)',
      `a quantisation of the input from ${dtype} to int8`,
    ]);
    found.forEach((value, at) => {
      const exact = dtype === 'uint8' ? wanted[at]! - 128 : wanted[at]! / scale + zeroPoint;
      expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.51);
    });
  });
});

const cells = 84;

/** A YOLOv8 of three classes, its boxes anywhere in an input of 64×64. */
function yolo(head: TfliteHead = {}) {
  const random = randomSource(3);
  const boxes = randomRows(random, cells, 4, 8, 40);
  const logits = randomRows(random, cells, 3, -6, 3);
  return tfliteHead(head, ({ build, layer }) => {
    const centres = build.add('Mul', [layer([1, cells, 4], boxes.flat()), build.floats([1, 1, 1], [1 / 64])]);
    const scores = build.add('Sigmoid', [layer([1, cells, 3], logits.flat())]);
    const rows = build.add('Concat', [centres, scores], { axis: { int: 2 } });
    return { Identity: build.add('Transpose', [rows], { perm: { ints: [0, 2, 1] } }) };
  });
}

describe('fitting a .tflite file for a camera', () => {
  it('takes pictures of its shape, and gives boxes as parts of these', async () => {
    const stretched = rowsOf(await runFitted(fitModel(yolo()).model));
    const fitted = fitModel(yolo(), { frameSize: { widthPx: 1920, heightPx: 1080 } });
    expect(fitted.options).toMatchObject({ letterbox: 'pad', frame: '1920x1080' });
    expect(fitted.stretching).toBeNull();
    expect(judgeFitted(fitted)).toEqual([]);
    expect(readTfliteModel(fitted.model).inputs).toMatchObject([{ name: 'image', shape: [1, 36, 64, 3] }]);
    const rows = rowsOf(await runFitted(fitted.model));
    expect(rows.map(({ score, category }) => [score, category])).toEqual(
      stretched.map(({ score, category }) => [score, category]),
    );
    const inside = (value: number, axis: number) =>
      Math.min(1, Math.max(0, axis % 2 === 0 ? (64 * value - 14) / 36 : value));
    rows.forEach(({ box }, row) =>
      box.forEach((value, k) => expect(value).toBeCloseTo(inside(stretched[row]!.box[k]!, k), 5)),
    );
  });

  it('keeps the source behind what it adds, to the byte', () => {
    const source = yolo();
    const { model } = fitModel(source, { frameSize: { widthPx: 4, heightPx: 3 } });
    expect(model.subarray(model.length - source.length)).toEqual(source);
  });

  it.each([
    ['of frames that nobody told of', {}, { letterbox: 'stretch', frame: '16x9' }],
    ['of a ratio that is said', { options: { frame: '4x3' } }, { letterbox: 'pad', frame: '4x3' }],
    [
      'of frames on show, and stretching asked for',
      { frameSize: { widthPx: 4, heightPx: 3 }, options: { letterbox: 'stretch' } },
      { letterbox: 'stretch', frame: '4x3' },
    ],
  ])('goes by what is known %s', (_, request, options) => {
    const fitted = fitModel(yolo(), request);
    expect(fitted.options).toMatchObject(options);
    const [, heightPx] = readTfliteModel(fitted.model).inputs[0]!.shape;
    expect(heightPx).toBe(options.letterbox === 'pad' ? 48 : 64);
  });

  it('says to give the shape of the frames where it stretches, unless that was asked for', () => {
    expect(fitModel(yolo()).stretching).toMatch(/stretches every frame to 64×64.*such as frame=1280x720/);
    expect(fitModel(yolo(), { options: { letterbox: 'stretch' } }).stretching).toBeNull();
  });

  it('adds nothing for frames of the shape of the input', () => {
    const { added, model } = fitModel(yolo(), { frameSize: { widthPx: 500, heightPx: 500 } });
    expect(added.join()).not.toContain('border');
    expect(readTfliteModel(model).inputs[0]!.shape).toEqual([1, 64, 64, 3]);
  });

  it.each([
    ['1280', 'frame are two numbers from 1 to 100000; got "1280"'],
    ['wide', 'frame are two numbers'],
    ['100x1', 'Of frames of 100x1 64×1 pixels would be left in an input of 64×64'],
  ])('refuses frames of %s', (frame, words) => {
    expect(() => fitModel(yolo(), { options: { frame } })).toThrow(words);
  });

  it('has no option for a model that learned from stretched pictures', () => {
    const classifier = tfliteHead({}, ({ layer }) => ({ scores: layer([1, 4], [1, 2, 3, 4]) }));
    const { options, stretching } = fitModel(classifier, { frameSize: { widthPx: 4, heightPx: 3 } });
    expect(options).not.toHaveProperty('frame');
    expect(stretching).toBeNull();
  });
});
