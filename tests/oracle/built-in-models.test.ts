import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFrameFile, writePngFile } from '../../src/platform/node/frame-file.ts';
import { machineClients } from '../clients/connect-1/machine-clients.ts';
import { hasMachine, onnxModel, startMachine, type MachineResources, type RunningMachine } from './machine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builtin = join(root, 'public/builtin'); // built by `npm test` before the tests
const samples = process.env['NIGHTLY'] ? [1, 2, 3, 4, 5, 6] : [1];
const photographs = [
  ...samples.map((n) => join(builtin, `frames/sample${n}.jpg`)),
  join(root, '../shared/data/images/satya.jpg'),
].filter(existsSync);

const models = ['face-detector', 'face-classifier'] as const;
const modelPath = (model: (typeof models)[number]) => join(builtin, `models/${model}.onnx`);

/** The two builds of ONNX Runtime differ in the last bits of float32, here by at most 2e-7. */
const about = (score: number): number => expect.closeTo(score, 6) as number;

describe.skipIf(!hasMachine)(
  'the built-in models on a machine (skipped without ../shared/machine, viam-sdk and onnxruntime)',
  () => {
    let folder: string;
    let frames: string[];
    let machine: RunningMachine;
    let clients: ReturnType<typeof machineClients>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sightglass-built-in-'));
      // Convert to PNG, so that both sides start from the same pixels despite different JPEG decoders.
      frames = photographs.map((photograph) => join(folder, `${parse(photograph).name}.png`));
      for (const [i, photograph] of photographs.entries()) {
        await writePngFile(frames[i]!, await readFrameFile(photograph));
      }
      const resources = machineWith(frames);
      await writeFile(join(folder, 'machine.json'), JSON.stringify(resources));
      machine = await startMachine(resources, (origin) =>
        Promise.all(models.map((model) => machineClients(origin).vision(model).getProperties())),
      );
      clients = machineClients(machine.origin);
    }, 180_000);
    afterAll(async () => {
      await machine?.close();
      await rm(folder, { recursive: true });
    });

    it.each(models)('%s shows the machine tensors of one dtype, float32', async (model) => {
      const { metadata } = await clients.model(`${model}-file`).metadata();
      const tensors = [...metadata!.inputInfo, ...metadata!.outputInfo];
      expect(new Set(tensors.map(({ dataType }) => dataType))).toEqual(new Set(['float32']));
    });

    it.each([
      ['face-detector', { detectionsSupported: true, classificationsSupported: false }],
      ['face-classifier', { detectionsSupported: false, classificationsSupported: true }],
    ])('%s is that, and nothing else', async (model, abilities) => {
      expect(await clients.vision(model).getProperties()).toMatchObject(abilities);
    });

    it('finds the same faces there and in the terminal', { timeout: 180_000 }, async () => {
      const here = await sightglass(frames, 'detect', 'face-detector');
      for (const [i, frame] of frames.entries()) {
        const there = await clients.vision('face-detector').getDetectionsFromCamera(parse(frame).name);
        const rows = there.map(({ className, confidence, xMin, yMin, xMax, yMax }) => ({
          label: className,
          score: about(confidence),
          xMin: Number(xMin),
          yMin: Number(yMin),
          xMax: Number(xMax),
          yMax: Number(yMax),
        }));
        expect(rows, frame).not.toEqual([]);
        expect(here[i], frame).toMatchObject({ detections: rows });
      }
    });

    it('gives the same probabilities there and in the terminal', { timeout: 180_000 }, async () => {
      const some = [frames[0]!, frames.at(-1)!];
      const here = await sightglass(some, 'classify', 'face-classifier', '--top=2');
      for (const [i, frame] of some.entries()) {
        const there = await clients.vision('face-classifier').getClassificationsFromCamera(parse(frame).name, 2);
        const rows = there.map(({ className, confidence }) => ({ label: className, score: about(confidence) }));
        expect(
          rows.map(({ label }) => label),
          frame,
        ).toEqual(['face', 'no face']);
        expect(here[i], frame).toMatchObject({ classifications: rows });
      }
    });

    /** The output of a command for each frame, with the machine's own configuration. */
    async function sightglass(
      pictures: readonly string[],
      command: string,
      model: (typeof models)[number],
      ...options: readonly string[]
    ) {
      const named = ['--config', join(folder, 'machine.json'), '--vision', model, '--model', modelPath(model)];
      const argv = [join(root, 'bin/sightglass.js'), command, ...named, ...options, ...pictures];
      const { stdout } = await promisify(execFile)(process.execPath, argv);
      return stdout.split('\n', pictures.length).map((line) => JSON.parse(line) as Record<string, unknown>);
    }
  },
);

/** A machine with a camera for each frame, named after it, and a vision service for each of the two models, named after it. */
function machineWith(frames: readonly string[]): MachineResources {
  const cameras = frames.map((frame) => ({
    name: parse(frame).name,
    api: 'rdk:component:camera',
    model: 'image_file',
    attributes: { color_image_file_path: frame },
  }));
  const services = models.flatMap((model) => [
    {
      name: `${model}-file`,
      api: 'rdk:service:mlmodel',
      model: onnxModel,
      attributes: { model_path: modelPath(model), label_path: modelPath(model).replace(/onnx$/, 'labels.txt') },
    },
    {
      name: model,
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: {
        mlmodel_name: `${model}-file`,
        ...(model === 'face-detector' && { default_minimum_confidence: 0.3 }),
      },
    },
  ]);
  return { components: cameras, services };
}
