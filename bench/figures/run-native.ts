import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { fittedFileNames, fittedFiles } from '../../src/models/fit/fitted-files.ts';
import { median, medianRatio, type BenchTools, type Figure } from '../figure.ts';
import { sharedModel, sharedVideoPath } from '../shared-data.ts';

const video = 'car-detection.mp4';
const rounds = 3;
const seconds = 4;
const models = ['yolox_nano_416.onnx', 'nanodet_m_320.onnx'];
const runtimes = ['wasm', 'native'] as const;

interface PrintedRun {
  readonly frames: number;
  readonly runtime: string;
}

export const figure: Figure = {
  title: `frames a second of the command run over ${seconds} s of a video, on native ONNX Runtime over WASM, in turn`,
  async measure({ root, note, at }: BenchTools) {
    const path = sharedVideoPath(video);
    if (!existsSync(path) || spawnSync('ffmpeg', ['-version']).error) {
      note('left out, as the video or ffmpeg is not at hand');
      return [];
    }
    const measurements = [];
    for (const file of models) {
      const bytes = await sharedModel(file);
      if (!bytes) {
        note(`${file}: left out, as ../shared/data/models/${file} is not at hand`);
        continue;
      }
      const folder = await mkdtemp(join(tmpdir(), 'run-native-'));
      try {
        const names = fittedFileNames('fitted', 'onnx');
        for (const { name, bytes: content } of fittedFiles(fitModel(bytes), names))
          await writeFile(join(folder, name), content);
        const perSecond = { wasm: [] as number[], native: [] as number[] };
        for (let round = 0; round < rounds; round++) {
          for (const runtime of round % 2 ? runtimes.toReversed() : runtimes) {
            at(`in round ${round} of ${file} on ${runtime}`);
            perSecond[runtime].push(await framesPerSecond(root, folder, path, runtime, names));
          }
        }
        for (const runtime of runtimes)
          measurements.push({ name: `${file}, ${runtime}`, value: median(perSecond[runtime]), unit: 'frames/s' });
        measurements.push({
          name: `${file}, native over WASM`,
          value: medianRatio(perSecond.native, perSecond.wasm),
          unit: '×',
          atLeast: 2,
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    return measurements;
  },
};

/** Frames over the time of the whole command, from its start to its last report. */
async function framesPerSecond(
  root: string,
  folder: string,
  path: string,
  runtime: string,
  names: ReturnType<typeof fittedFileNames>,
): Promise<number> {
  const config = join(folder, names.machine);
  const { services } = JSON.parse(await readFile(config, 'utf8')) as { services: { name: string; api: string }[] };
  const vision = services.find(({ api }) => api === 'rdk:service:vision')!.name;
  const out = join(folder, 'out');
  await rm(out, { recursive: true, force: true });
  const given = ['--config', config, '--vision', vision, '--model', join(folder, names.model), '--no-strict'];
  const argv = ['run', ...given, '--video', path, '--to', String(seconds), '--out', out, '--runtime', runtime];
  const startMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}src/cli/main.ts`, ...argv], {
    encoding: 'utf8',
    // Where the figures have the optional package.
    env: { ...process.env, NODE_PATH: `${root}bench/peers/node_modules` },
  });
  const tookSeconds = (performance.now() - startMs) / 1000;
  if (status !== 0) throw new Error(`run --runtime ${runtime} ended with ${status}: ${stdout}${stderr}`);
  const printed = JSON.parse(stdout) as PrintedRun;
  if (!printed.runtime.toLowerCase().includes(runtime)) throw new Error(`It ran on ${printed.runtime}.`);
  return printed.frames / tookSeconds;
}
