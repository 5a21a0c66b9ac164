import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseCommand, type Command } from './parse-command.ts';
import { classify, detect, lintConfig, transform } from '../src/cli/detect/detect.ts';
import { writePngFile } from '../src/platform/node/frame-file.ts';
import type { Frame } from '../src/machine/vision/frame/frame.ts';
import { brightestPixelDetector, channelMeansClassifier, fixedDetector } from './models.ts';

/** A frame of 8×4 pixels of the colour (10, 20, 30), with one white pixel. */
function frameWithWhiteAt(x: number, y: number): Frame {
  const samples = new Uint8ClampedArray(4 * 8 * 4);
  for (let i = 0; i < samples.length; i += 4) samples.set([10, 20, 30, 255], i);
  samples.set([255, 255, 255, 255], 4 * (8 * y + x));
  return { format: 'rgba8', widthPx: 8, heightPx: 4, samples };
}

/** The configuration of `machine.json`. */
export const config = {
  components: [
    { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} },
    {
      name: 'right-half',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: {
        source: 'cam',
        pipeline: [{ type: 'crop', attributes: { x_min_px: 0.5, y_min_px: 0, x_max_px: 1, y_max_px: 1 } }],
      },
    },
    {
      name: 'marked',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'cam', pipeline: [{ type: 'detections', attributes: { detector_name: 'bright' } }] },
    },
    {
      name: 'too-far',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: {
        source: 'cam',
        pipeline: [{ type: 'crop', attributes: { x_min_px: 20, y_min_px: 0, x_max_px: 30, y_max_px: 4 } }],
      },
    },
  ],
  services: [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx', attributes: {} },
    vision('bright', { camera_name: 'right-half' }),
    vision('picky', { default_minimum_confidence: 0.7 }),
    vision('no-model', { mlmodel_name: '' }),
    vision('means', {}),
  ],
};

/** A vision service of the model service `m`. */
export function vision(name: string, attributes: object): object {
  return { name, api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } };
}

/** Runs a command line and parses its output as JSON lines. */
export async function run(argv: readonly string[]): Promise<{ code: number; lines: unknown[]; said: string[] }> {
  const lines: unknown[] = [];
  const said: string[] = [];
  const terminal = {
    print: (value: object) => void lines.push(JSON.parse(JSON.stringify(value))),
    say: (text: string) => void said.push(text),
  };
  const command = parseCommand(argv) as Extract<Command, { name: 'detect' | 'classify' | 'transform' | 'lint' }>;
  const code = await (command.name === 'detect'
    ? detect(command, terminal)
    : command.name === 'classify'
      ? classify(command, terminal)
      : command.name === 'transform'
        ? transform(command, terminal)
        : lintConfig(command, terminal));
  return { code, lines, said };
}

/** A folder for one test file: `machine.json`, models, labels and the frames a.png and b.png. */
export function cliFolder() {
  let folder = '';
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightglass-cli-'));
    await write('machine.json', JSON.stringify(config));
    await write('bright.onnx', brightestPixelDetector({ input: { dtype: 'uint8' } }));
    await write('means.onnx', channelMeansClassifier({ input: { dtype: 'uint8', layout: 'NCHW' } }));
    await write(
      'fixed.onnx',
      fixedDetector({
        boxes: [
          [0, 0, 0.5, 0.5],
          [0.5, 0.5, 1, 1],
        ],
        categories: [1, 0],
        scores: [0.7, 0.9],
      }),
    );
    await write('labels.txt', 'cat\ndog\n');
    await writePngFile(at('a.png'), frameWithWhiteAt(6, 1));
    await writePngFile(at('b.png'), frameWithWhiteAt(1, 3));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    at,
    write,
    /** Writes `one.json`: a configuration with one vision service `v` and the given changes. */
    async machineOf(vision: object, model: object, more: object = {}): Promise<string> {
      const services = [
        { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...vision } },
        { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: model },
      ];
      return write('one.json', JSON.stringify({ services, ...more }));
    },
    /** The arguments of a command for a vision service of `machine.json`; the caller appends the frames. */
    base: (command: string, service: string, model: string): string[] => [
      command,
      '--config',
      at('machine.json'),
      '--vision',
      service,
      '--model',
      at(model),
    ],
  };
}
