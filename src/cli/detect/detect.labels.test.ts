import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder, run } from '../../../tests/cli-folder.ts';
import { fixedDetector } from '../../../tests/models.ts';

const { at, write, machineOf } = cliFolder();

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
    return {
      labels: detections.map(({ label }) => label),
      said: said
        .slice(0, -1)
        .filter((text) => !text.startsWith('Runs on '))
        .join('\n'),
    };
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
