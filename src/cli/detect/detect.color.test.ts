import { describe, expect, it } from 'vitest';
import { cliFolder, config as others, run } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { evaluate } from '../evaluate/evaluate.ts';

const { at, write, base } = cliFolder();

const config = {
  ...others,
  services: [
    ...others.services,
    {
      name: 'blueish',
      api: 'rdk:service:vision',
      model: 'color_detector',
      attributes: { detect_color: '#0a141e', hue_tolerance_pct: 0.1, value_cutoff_pct: 0.05, segment_size_px: 20 },
    },
  ],
};
const argv = async (command: string, ...more: readonly string[]) => [
  command,
  '--config',
  await write('colors.json', JSON.stringify(config)),
  '--vision',
  'blueish',
  ...more,
  at('a.png'),
];

describe('a colour detector in a terminal', () => {
  it('detects without --model', async () => {
    const { code, lines } = await run(await argv('detect'));
    expect(code).toBe(0);
    expect(lines).toEqual([
      {
        frame: at('a.png'),
        width: 8,
        height: 4,
        runtime: null,
        detections: [{ label: 'light-blue', score: 1, xMin: 0, yMin: 0, xMax: 7, yMax: 3 }],
      },
    ]);
  });

  it('refuses a model for it, and classes of it', async () => {
    await expect(run(await argv('detect', '--model', at('bright.onnx')))).rejects.toMatchObject({
      code: 'no-model-wanted',
    });
    await expect(run(await argv('classify'))).rejects.toMatchObject({ code: 'not-a-classifier' });
  });

  it('is asked for the model of a service that has one', async () => {
    const [command, ...rest] = base('detect', 'bright', 'bright.onnx');
    const without = rest.slice(0, -2);
    await expect(run([command!, ...without, at('a.png')])).rejects.toThrow(
      '--model FILE is missing, the model of vision service "bright"',
    );
  });

  it('is evaluated, and is promised and certified nothing', async () => {
    const image = { id: 1, file_name: 'a.png', width: 8, height: 4 };
    const box = { id: 1, image_id: 1, category_id: 1, bbox: [0, 0, 8, 4], area: 32, iscrowd: 0 };
    const truth = { images: [image], annotations: [box], categories: [{ id: 1, name: 'light-blue' }] };
    const data = ['--data', await write('coco.json', JSON.stringify(truth))];
    const evaluated = async (...more: readonly string[]) => {
      const command = parseCommand((await argv('evaluate', ...data, ...more)).slice(0, -1));
      let found: unknown;
      await evaluate(command as Extract<Command, { name: 'evaluate' }>, {
        print: (value) => (found = value),
        say() {},
      });
      return found;
    };
    expect(await evaluated()).toMatchObject({ detections: 1, total: { truePositives: 1, missed: 0 } });
    await expect(evaluated('--promise', 'recall:light-blue=0.8')).rejects.toMatchObject({ code: 'no-scores' });
    const certificate = ['--certificate', at('c.json'), '--claim', 'recall:light-blue=0.5'];
    await expect(evaluated(...certificate)).rejects.toMatchObject({ code: 'no-model' });
  });

  it('is linted', async () => {
    const path = await write('pale.json', JSON.stringify(config).replace('0a141e', 'fff0f0'));
    const { lines } = await run(['lint', path]);
    expect(lines).toContainEqual(expect.objectContaining({ code: 'color-refused', severity: 'error' }));
  });
});
