import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseCommand, type Command } from '../parse-command.ts';
import { parity } from '../../src/cli/parity/parity.ts';
import { awaitConfiguration, type ConfigurationWord } from '../../src/remote/live-machine/await-configuration.ts';
import { chooseAsking } from '../../src/remote/live-machine/choose-asking.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import type { LiveMachine } from '../../src/remote/live-machine/live-machine.ts';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { temporaryFolder } from './server-process.ts';
import { hasMachine, startMachine, type MachineResources, type RunningMachine } from '../oracle/machine.ts';
import { builtin, faceDetector, imageCamera, smallPicture, visionMachine } from './machine-resources.ts';
import { accountKeyId } from '../account-fixture.ts';
import { accountKey, openByWebRtc, peerOf, serveAccountOf } from './machine-in-account.ts';

const { modelPath, labelsPath } = faceDetector;
const { signal } = new AbortController();

const pipeline = (angle = 17.5, xMax = 0.93) => [
  { type: 'rotate', attributes: { angle_degs: angle } },
  { type: 'crop', attributes: { x_min_px: 0, y_min_px: 0, x_max_px: xMax, y_max_px: 1 } },
];
const turned = (steps: object) => ({
  name: 'turned',
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source: 'cam', pipeline: steps },
});
const vision = (name: string, attributes: object) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', camera_name: 'cam', ...attributes },
});
const detector = { default_minimum_confidence: 0.5, label_path: labelsPath };
const ofTurned = { ...detector, camera_name: 'turned' };
const classifier = { label_path: builtin('models/face-classifier.labels.txt') };

/** All cases ask one machine: each of its services is of other cases. */
let machine: RunningMachine;
/** a picture with faces */
let facesPath: string;
/** what camera "blank" shows: nothing, until a case writes that picture there */
let blankPath: string;

/** @returns what ends it */
async function startOne(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-pictures-'));
  blankPath = join(folder, 'blank');
  facesPath = await smallPicture('sample1.jpg', folder);
  const { components, services } = visionMachine({ ...faceDetector, framePath: facesPath, attributes: {} });
  const [model] = services;
  const paths = { model_path: builtin('models/face-classifier.onnx'), label_path: classifier.label_path };
  const visions = [
    vision('detector', detector),
    vision('classifier', { ...classifier, mlmodel_name: 'c', camera_name: 'other' }),
    vision('of-blank', { default_minimum_confidence: 0.5, camera_name: 'blank' }),
    vision('changing', { default_minimum_confidence: 0.9 }),
    vision('of-turned', ofTurned),
  ];
  await makeBlank();
  const resources: MachineResources = {
    components: [
      ...components,
      imageCamera('other', await smallPicture('sample2.jpg', folder)),
      imageCamera('blank', blankPath),
      turned(pipeline()),
    ],
    services: [model, { ...model, name: 'c', attributes: paths }, ...visions],
  };
  machine = await startMachine(resources, async (origin) => {
    const live = openMachineLink(origin, null);
    for (const { name } of visions) await live.visionAbilities(name, signal);
  });
  return async () => {
    await machine.close();
    await rm(folder, { recursive: true });
  };
}

async function makeBlank(): Promise<void> {
  const white = new Uint8ClampedArray(4 * 640 * 480).fill(255);
  await writePngFile(blankPath, { format: 'rgba8', widthPx: 640, heightPx: 480, samples: white });
}

/** How the command line calls the machine, and how a test does. */
interface Reached {
  readonly options: readonly string[];
  open(): Promise<LiveMachine>;
}

async function byHttp(): Promise<Reached> {
  return { options: ['--machine', machine.origin], open: async () => openMachineLink(machine.origin, null) };
}

/** By an account that connects with it. */
async function byWebRtc(): Promise<Reached> {
  const account = await serveAccountOf(machine, { components: [], services: [] });
  onTestFinished(() => account.close());
  const keyFile = join(await temporaryFolder(), 'key');
  await writeFile(keyFile, accountKey);
  return {
    options: ['--machine', peerOf(account.url), '--key-id', accountKeyId, '--key-file', keyFile],
    open: () => openByWebRtc(account),
  };
}

/** Two frames: how the machine is to be asked about the second is known of the first. */
async function compared(options: readonly string[], ...more: readonly string[]) {
  let report = {};
  const command = parseCommand(['parity', ...options, '--frames=2', ...more]);
  const code = await parity(command as Extract<Command, { name: 'parity' }>, {
    print: (value) => (report = value),
    say: () => undefined,
  });
  return { code, report };
}

/** A file of the configuration here. */
async function configFile(services: readonly object[], components: readonly object[] = []): Promise<string> {
  const path = join(await temporaryFolder(), 'machine.json');
  const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} };
  const more = components.length > 0 ? { components } : {};
  await writeFile(path, JSON.stringify({ ...more, services: [model, { ...model, name: 'c' }, ...services] }));
  return path;
}

describe.skipIf(!hasMachine)('a real machine (skipped without ../shared/machine and viam-sdk)', () => {
  beforeAll(startOne);

  describe.each([
    ['HTTP', byHttp],
    ['WebRTC', byWebRtc],
  ])('by %s', (_, reach) => {
    /** Opens a client, which is closed at the end of the test. */
    const opened = async (): Promise<LiveMachine> => {
      const live = await (await reach()).open();
      onTestFinished(() => live.close());
      return live;
    };

    it.each([
      ['detector', detector],
      ['classifier', { ...classifier, mlmodel_name: 'c', camera_name: 'other' }],
    ])('says the same as its %s, here and with the model borrowed', async (kind, attributes) => {
      const { options } = await reach();
      const config = await configFile([vision(kind, attributes)]);
      const given = [...options, `--vision=${kind}`, '--config', config, '--labels', attributes.label_path];

      const { code, report } = await compared(given, '--model', builtin(`models/face-${kind}.onnx`));
      expect(report).toMatchObject({ frames: 2, counts: { differs: 0 }, examples: [] });
      expect((report as { largestScoreDifference: number }).largestScoreDifference).toBeLessThan(1e-5);
      expect((report as { rows: number }).rows).toBeGreaterThan(0);
      expect(code).toBe(0);

      const borrowed = await compared(given);
      expect(borrowed.report).toMatchObject({ counts: { equal: 2 } });
    });

    it('is asked about encoded bytes from the first frame on that can tell', async () => {
      await makeBlank();
      const live = await opened();
      const visionName = 'of-blank';
      const request = { visionName, cameraName: '', abilities: await live.visionAbilities(visionName, signal) };
      const asking = await chooseAsking(live, request, signal);
      for (let blank = 0; blank < 4; blank++) expect((await asking.ask()).detections).toEqual([]);
      expect(asking.way).toBe('both-ways');

      await copyFile(facesPath, blankPath);
      const { image, detections } = await asking.ask();
      expect(asking.way).toBe('of-the-bytes'); // a camera of an image file returns pixels, not the file's bytes
      expect(detections).not.toEqual([]);
      expect(await live.answerTo(image, request, signal)).toMatchObject({ detections });
    });

    it('is heard to take a configuration that is written to its file, and the one that was there before', async () => {
      const { configPath } = machine;
      const live = await opened();
      const original = await readFile(configPath, 'utf8');
      const written = async (text: string): Promise<ConfigurationWord> => {
        const before = await live.health(signal);
        await writeFile(configPath, text);
        const wait = (ms: number) => setTimeout(ms);
        const nowMs = () => performance.now();
        return awaitConfiguration(live, { before, resources: ['changing'], signal, wait, nowMs });
      };
      const faces = async (): Promise<number> => {
        const abilities = await live.visionAbilities('changing', signal);
        const { detections } = await live.captureAll({ visionName: 'changing', cameraName: '', abilities }, signal);
        return detections!.length;
      };

      expect(await faces()).toBe(1);
      expect(await written(original.replace('confidence":0.9', 'confidence":0.5'))).toMatchObject({ isWell: true });
      expect(await faces()).toBe(3);
      expect(await written(original)).toMatchObject({ isWell: true });
      expect(await faces()).toBe(1);
    });
  });

  describe('and the one thing that the bench has otherwise', () => {
    /** Exit code, what is said of the camera, and the reasons. */
    async function against(here: object, steps = pipeline(), labels = labelsPath): Promise<unknown[]> {
      const { options } = await byHttp();
      const source = { name: 'cam', api: 'rdk:component:camera', model: 'image_file', attributes: {} };
      const config = await configFile([vision('of-turned', { ...ofTurned, ...here })], [source, turned(steps)]);
      const given = ['--config', config, '--model', modelPath, '--labels', labels];
      const { code, report } = await compared([...options, '--vision=of-turned'], ...given);
      const { reasons, steps: judged } = report as { reasons: { words: string }[]; steps: { verdict: string } };
      return [code, judged.verdict, ...reasons.map(({ words }) => words)];
    }

    it('is none where both are equal', async () => {
      expect(await against({})).toEqual([0, 'same']);
    });

    it.each([
      [{ input_image_bgr: true }, /^With input_image_bgr false both/],
      [{ input_image_mean_value: [0, 0, 0] }, /^With input_image_mean_value \[0\.5, 0\.5, 0\.5\] both/],
      [{ input_image_std_dev: [1, 1, 1] }, /^With input_image_std_dev \[0\.5, 0\.5, 0\.5\] both/],
      [{ xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] }, /^With xmin_ymin_xmax_ymax_order \[1, 0, 3, 2\] both/],
      [{ default_minimum_confidence: 0.99 }, /^The threshold there is another one: .* here it is 0\.99\.$/],
      [
        { input_image_bgr: true, default_minimum_confidence: 0.99 },
        /^More than one thing differs: there it is input_image_bgr false, and here true\. What is left then: The threshold there/,
      ],
    ])('is named: %j', async (here, said) => {
      expect(await against(here)).toEqual([1, 'same', expect.stringMatching(said)]);
    });

    it('is a label file that is shifted by a line', async () => {
      const shifted = join(await temporaryFolder(), 'shifted.txt');
      await writeFile(shifted, `background\n${await readFile(labelsPath, 'utf8')}`);
      const said = /shifted by a line: the one here has a line more/;
      expect(await against({}, pipeline(), shifted)).toEqual([1, 'same', expect.stringMatching(said)]);
    });

    it.each([
      ['rotation', pipeline(10)],
      ['crop', pipeline(17.5, 0.7)],
    ])('is the %s of its camera', async (_, steps) => {
      expect(await against({}, steps)).toEqual([1, 'differs']);
    });
  });
});
