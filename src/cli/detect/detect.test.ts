import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cliFolder, run } from '../../../tests/cli-folder.ts';
import { readFrameFile, writePngFile } from '../../platform/node/frame-file.ts';
import { findNative } from '../../platform/node/native-onnxruntime.ts';
import type { Frame } from '../../machine/vision/frame/frame.ts';

const { at, write, base } = cliFolder();
/** native where somebody installed it beside */
const runtime: unknown = expect.stringMatching(/^ONNX Runtime \d+\.\d+\.\d+, (WASM|native)$/);

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
        runtime,
        detections: [{ label: '0', score: 1, xMin: 0, yMin: 2, xMax: 1, yMax: 3 }],
      },
      {
        frame: at('a.png'),
        width: 8,
        height: 4,
        runtime,
        detections: [{ label: '0', score: 1, xMin: 5, yMin: 0, xMax: 6, yMax: 1 }],
      },
    ]);
  });

  it('looks through a transform camera, and through the service’s own where --camera is empty', async () => {
    const seen = {
      width: 4,
      height: 4,
      runtime,
      detections: [{ label: '0', score: 1, xMin: 1, yMin: 0, xMax: 2, yMax: 1 }],
    };
    for (const camera of ['--camera=right-half', '--camera=']) {
      const { lines } = await run([...base('detect', 'bright', 'bright.onnx'), camera, at('a.png')]);
      expect(lines).toEqual([{ frame: at('a.png'), ...seen }]);
    }
  });

  it('drops by the machine’s comparison: the float32 0.7 is below 0.7', async () => {
    const { lines } = await run([...base('detect', 'picky', 'fixed.onnx'), '--labels', at('labels.txt'), at('a.png')]);
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
      '--draw',
      at('drawn'),
      at('a.png'),
      notes,
      at('nowhere.png'),
      at('a.png'),
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

describe('what runs the model', () => {
  it('is WASM where that is asked for, and is said', async () => {
    const { lines, said } = await run([...base('detect', 'bright', 'bright.onnx'), '--runtime', 'wasm', at('a.png')]);
    expect(lines).toMatchObject([{ runtime: expect.stringMatching(/, WASM$/) }]);
    expect(said[0]).toMatch(/^Runs on ONNX Runtime .*, WASM\.$/);
  });

  it.skipIf(findNative().kind === 'usable')('cannot be native where no such package is installed', async () => {
    const argv = [...base('detect', 'bright', 'bright.onnx'), '--runtime', 'native', at('a.png')];
    await expect(run(argv)).rejects.toMatchObject({
      code: 'no-native-runtime',
      message: expect.stringContaining('npm install onnxruntime-node@'),
    });
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
        runtime,
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
    'transform',
    '--config',
    at('machine.json'),
    '--camera',
    camera,
    '--model',
    `bright=${at('bright.onnx')}`,
  ];

  it('writes what the camera gives, pixel for pixel', async () => {
    const { code, lines } = await run([...argv('right-half'), '--out', at('out'), at('a.png')]);
    expect([code, lines]).toEqual([
      0,
      [{ frame: at('a.png'), out: at('out/a.png'), width: 4, height: 4, runtime: null }],
    ]);
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
    const { lines } = await run([...argv('right-half'), '--out', at('.'), at('a.png')]);
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
