import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder, run } from '../../tests/cli-folder.ts';
import { tfliteChannelMeans, tinyTflite } from '../../tests/tflite-models.ts';
import { writePngFile } from '../platform/node/frame-file.ts';

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
});
