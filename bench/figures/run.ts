import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommand } from '../../tests/parse-command.ts';
import type { RunArguments } from '../../src/cli/run/run-record.ts';
import { run } from '../../src/cli/run/run.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import { median, medianRatio, type BenchTools, type Figure } from '../figure.ts';
import { sharedModel, sharedModelPath, sharedVideoPath } from '../shared-data.ts';

const model = 'ssd_mobilenet_v1_coco_quant.tflite';
const video = 'car-detection.mp4';
const rounds = 5;
const seconds = 4;
/** that the model has an input and outputs of other names is nothing that costs time */
const attributes = {
  mlmodel_name: 'm',
  default_minimum_confidence: 0.4,
  remap_input_names: { normalized_input_image_tensor: 'image' },
  remap_output_names: {
    TFLite_Detection_PostProcess: 'location',
    'TFLite_Detection_PostProcess:1': 'category',
    'TFLite_Detection_PostProcess:2': 'score',
  },
};

export const figure: Figure = {
  title: `run over ${seconds} s of a video, with its reports, over a bare decode by ffmpeg and bare inferences of as many frames`,
  async measure({ note }: BenchTools) {
    const bytes = await sharedModel(model);
    const path = sharedVideoPath(video);
    if (!bytes || !existsSync(path) || spawnSync('ffmpeg', ['-version']).error) {
      note('left out, as the model, the video or ffmpeg is not at hand');
      return [];
    }
    const folder = await mkdtemp(join(tmpdir(), 'run-'));
    try {
      const [decodes, inferences, whole]: [number[], number[], number[]] = [[], [], []];
      let frames = 0;
      for (let round = 0; round < rounds; round++) {
        const startMs = performance.now();
        frames = await runCommand(folder, path, `round-${round}`);
        whole.push(performance.now() - startMs);
        decodes.push(decode(path));
        inferences.push(await infer(bytes, frames));
      }
      const bare = decodes.map((ms, round) => ms + inferences[round]!);
      const ofAll = (part: readonly number[]): string => `${(100 * medianRatio(part, whole)).toFixed(0)} %`;
      const playedMs = whole.map(() => 1000 * seconds);
      note(`${frames} frames: ${median(bare).toFixed(0)} → ${median(whole).toFixed(0)} ms`);
      note(`of the whole run, bare inferences would take ${ofAll(inferences)}, and a bare decode ${ofAll(decodes)}`);
      note(`${(frames / seconds).toFixed(1)} frames are a second of the video`);
      return [
        { name: 'whole run over decode and inferences', value: medianRatio(whole, bare), unit: '×', atMost: 1.3 },
        // Without a bound: it depends on the processor.
        { name: 'frames a second over the video’s rate', value: medianRatio(playedMs, whole), unit: '×' },
        { name: 'the same of bare inferences', value: medianRatio(playedMs, inferences), unit: '×' },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function runCommand(folder: string, path: string, round: string): Promise<number> {
  const config = join(folder, 'machine.json');
  await writeFile(
    config,
    JSON.stringify({
      services: [
        { name: 'm', api: 'rdk:service:mlmodel', model: 'tflite_cpu', attributes: {} },
        { name: 'cars', api: 'rdk:service:vision', model: 'mlmodel', attributes },
      ],
    }),
  );
  const given = ['--config', config, '--vision', 'cars', '--model', sharedModelPath(model)];
  const argv = ['run', ...given, '--video', path, '--to', String(seconds), '--out', join(folder, round)];
  let frames = 0;
  await run(parseCommand(argv) as RunArguments & { readonly name: 'run' }, {
    print: (line) => (frames = (line as { readonly frames: number }).frames),
    say() {},
  }, new AbortController().signal); // prettier-ignore
  return frames;
}

function decode(path: string): number {
  const startMs = performance.now();
  spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-t', String(seconds), '-map', '0:V:0', '-f', 'null', '-']);
  return performance.now() - startMs;
}

async function infer(bytes: Uint8Array<ArrayBuffer>, count: number): Promise<number> {
  const startMs = performance.now();
  const session = await openSession(bytes);
  const data = new Uint8Array(300 * 300 * 3).map((_, at) => (at * 7) % 256);
  const [input] = session.inputs;
  for (let at = 0; at < count; at++)
    await session.run({ [input!.name]: { dtype: 'uint8', shape: [1, 300, 300, 3], data } });
  await session.release();
  return performance.now() - startMs;
}
