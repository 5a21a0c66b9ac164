import { expect, it } from 'vitest';
import { cliFolder, run } from '../../../tests/cli-folder.ts';

const { at, machineOf } = cliFolder();

async function sayingOf(modelPath: string, vision: object = {}) {
  await machineOf(vision, { model_path: modelPath });
  const { lines, said, code } = await run([
    'detect',
    '--config',
    at('one.json'),
    '--vision',
    'v',
    '--model',
    at('fixed.onnx'),
    at('a.png'),
  ]);
  const [{ detections }] = lines as [{ detections: object[] }];
  return { code, boxes: detections.length, said: said.filter((text) => text.startsWith('v: ')) };
}

it('says that the configuration describes another model than --model gives, and runs that one', async () => {
  expect(await sayingOf('/m/people.onnx')).toEqual({
    code: 0,
    boxes: 2,
    said: [
      'v: The configuration describes people.onnx; --model gives fixed.onnx. It runs with what is set for the other one.',
    ],
  });
});

it('says nothing where the file has the name that the configuration names', async () => {
  expect(await sayingOf('/m/fixed.onnx')).toEqual({ code: 0, boxes: 2, said: [] });
  expect(await sayingOf('')).toEqual({ code: 0, boxes: 2, said: [] });
});
