import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { binPath, temporaryFolder } from './server-process.ts';

/** The blocks ```` ```sh run ```` of a page, joined to one script. */
async function scriptOf(page: string): Promise<string> {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```sh run\n([^]*?)^```$/gm)];
  return blocks.map(([, text]) => text).join('\n');
}

const builtIn = 'public/builtin';
const normalized = { input_image_mean_value: [0.5, 0.5, 0.5], input_image_std_dev: [0.5, 0.5, 0.5] };
const machine = {
  components: [{ name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} }],
  services: [
    {
      name: 'm',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: 'people.onnx', label_path: 'people.labels.txt' },
    },
    {
      name: 'people',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', camera_name: 'cam', default_minimum_confidence: 0.4, ...normalized },
    },
  ],
};

it.skipIf(process.platform === 'win32')(
  'docs/recipes/robot-ci.md: its commands pass on what did not change, and fail on what did',
  async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'frames'));
    await copyFile(join(builtIn, 'models/face-detector.onnx'), join(folder, 'people.onnx'));
    await copyFile(join(builtIn, 'models/face-detector.labels.txt'), join(folder, 'people.labels.txt'));
    for (const name of ['sample1.jpg', 'sample2.jpg'])
      await copyFile(join(builtIn, 'frames', name), join(folder, 'frames', name));
    await writeFile(join(folder, 'machine.json'), JSON.stringify(machine));

    const text = await scriptOf('docs/recipes/robot-ci.md');
    expect(text.match(/npx sightglass \w+/g)).toEqual([
      'npx sightglass lint',
      'npx sightglass detect',
      'npx sightglass detect',
    ]);
    const npx = `npx() { shift; "${process.execPath}" "${binPath}" "$@"; }\n`;
    const run = (script: string) => promisify(execFile)('sh', ['-euc', npx + script], { cwd: folder });
    await run(text);
    const expected = await readFile(join(folder, 'expected.jsonl'), 'utf8');
    const frames = expected
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { detections: { label: string }[] });
    expect(frames.map(({ detections }) => detections.length > 0 && detections[0]!.label)).toEqual(['face', 'face']);

    const stricter = JSON.stringify(machine).replace(
      '"default_minimum_confidence":0.4',
      '"default_minimum_confidence":0.93',
    );
    await writeFile(join(folder, 'machine.json'), stricter);
    const compare = text.slice(text.lastIndexOf('npx sightglass'));
    await expect(run(compare)).rejects.toMatchObject({ code: 1 });
  },
);
