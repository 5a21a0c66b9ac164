import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder, run } from '../../../tests/cli-folder.ts';
import { tfliteChannelMeans, tinyTflite } from '../../../tests/tflite-models.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';

const { at, write, machineOf } = cliFolder();

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

  it('is said to give bytes for boxes and scores, where it does', async () => {
    const bytesOf = (name: string, ...shape: readonly number[]) => ({ name, type: 3, shape });
    const sizes = (name: string, ...values: readonly number[]) => {
      return { name, type: 2, shape: [3], data: [...new Uint8Array(Int32Array.from(values).buffer)] };
    };
    const slice = 65;
    const bytes = tinyTflite({
      tensors: [
        bytesOf('picture:0', 1, 4, 4, 3),
        sizes('boxes', 1, 12, 4),
        sizes('begin', 0, 0, 0),
        sizes('one', 1, 12, 1),
        bytesOf('location', 1, 12, 4),
        bytesOf('category', 1, 12, 1),
        bytesOf('score', 1, 12, 1),
      ],
      operators: [
        { code: 22, inputs: [0, 1], outputs: [4] },
        { code: slice, inputs: [4, 2, 3], outputs: [5] },
        { code: slice, inputs: [4, 2, 3], outputs: [6] },
      ],
      inputs: [0],
      outputs: [4, 5, 6],
    });
    await write('bytes.tflite', bytes);
    const { said } = await run(['detect', ...argv('bytes.tflite').slice(1), at('plain.png')]);
    expect(said.join('\n')).toMatch(
      /^v: The module hands out "location", "category", "score" as stored, in uint8 steps .*"sightglass fit" writes a file/m,
    );
    expect((await run([...argv('means.tflite'), at('plain.png')])).said.join()).not.toContain('as stored');
  });
});
