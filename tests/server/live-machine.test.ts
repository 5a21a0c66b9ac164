import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseCommand, type Command } from '../parse-command.ts';
import { parity } from '../../src/cli/parity/parity.ts';
import { awaitConfiguration, type ConfigurationWord } from '../../src/remote/live-machine/await-configuration.ts';
import { chooseAsking } from '../../src/remote/live-machine/choose-asking.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import type { LiveMachine } from '../../src/remote/live-machine/live-machine.ts';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { temporaryFolder } from './server-process.ts';
import { hasMachine, startMachine, type RunningMachine } from '../oracle/machine.ts';
import { builtin, faceDetector, visionMachine, type MachineParts } from './machine-resources.ts';
import { startLiveMachine } from './start-live-machine.ts';
import { accountKeyId } from '../account-fixture.ts';
import { accountKey, openByWebRtc, peerOf, startMachineInAccount } from './machine-in-account.ts';

/** A machine, and how the command line and a test call it. */
interface Reached {
  readonly machine: RunningMachine;
  readonly options: readonly string[];
  open(): Promise<LiveMachine>;
}

/** Starts a machine that is called by HTTP; it is stopped at the end of the test. */
async function byHttp(parts: MachineParts): Promise<Reached> {
  const machine = await startLiveMachine(parts);
  onTestFinished(() => machine.close());
  return { machine, options: ['--machine', machine.origin], open: async () => openMachineLink(machine.origin, null) };
}

/** Starts one that is called by WebRTC, with which its account connects. */
async function byWebRtc(parts: MachineParts): Promise<Reached> {
  const inside = await startMachineInAccount(parts);
  onTestFinished(() => inside.close());
  const keyFile = join(await temporaryFolder(), 'key');
  await writeFile(keyFile, accountKey);
  return {
    machine: inside.machine,
    options: ['--machine', peerOf(inside.account.url), '--key-id', accountKeyId, '--key-file', keyFile],
    open: () => openByWebRtc(inside.account),
  };
}

async function compared(options: readonly string[], ...more: readonly string[]) {
  let report = {};
  const command = parseCommand(['parity', ...options, '--vision=v', '--frames=5', ...more]);
  const code = await parity(command as Extract<Command, { name: 'parity' }>, {
    print: (value) => (report = value),
    say: () => undefined,
  });
  return { code, report };
}

describe.skipIf(!hasMachine).each([
  ['HTTP', byHttp],
  ['WebRTC', byWebRtc],
])('a real machine by %s (skipped without ../shared/machine and viam-sdk)', (_, started) => {
  /** Opens a client, which is closed at the end of the test. */
  const opened = async ({ open }: Reached): Promise<LiveMachine> => {
    const live = await open();
    onTestFinished(() => live.close());
    return live;
  };

  it.each([
    ['detector', 'sample1.jpg', { default_minimum_confidence: 0.5 }],
    ['classifier', 'sample2.jpg', {}],
  ])('says the same as its %s, here and with the model borrowed', async (kind, frame, more) => {
    const modelPath = builtin(`models/face-${kind}.onnx`);
    const labelsPath = builtin(`models/face-${kind}.labels.txt`);
    const attributes = { label_path: labelsPath, ...more };
    const { options } = await started({ framePath: builtin(`frames/${frame}`), modelPath, labelsPath, attributes });
    const config = join(await temporaryFolder(), 'machine.json');
    const vision = { mlmodel_name: 'm', camera_name: 'cam', ...attributes };
    await writeFile(
      config,
      JSON.stringify({
        services: [
          { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
          { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: vision },
        ],
      }),
    );

    const { code, report } = await compared(options, '--config', config, '--model', modelPath, '--labels', labelsPath);
    expect(report).toMatchObject({ frames: 5, counts: { differs: 0 }, examples: [] });
    expect((report as { largestScoreDifference: number }).largestScoreDifference).toBeLessThan(1e-5);
    expect((report as { rows: number }).rows).toBeGreaterThan(0);
    expect(code).toBe(0);

    const borrowed = await compared(options, '--config', config, '--labels', labelsPath);
    expect(borrowed.report).toMatchObject({ counts: { equal: 5 } });
  });

  it('is asked about encoded bytes from the first frame on that can tell', async () => {
    const framePath = join(await temporaryFolder(), 'frame');
    const white = new Uint8ClampedArray(4 * 640 * 480).fill(255);
    await writePngFile(framePath, { format: 'rgba8', widthPx: 640, heightPx: 480, samples: white });
    const attributes = { default_minimum_confidence: 0.5 };
    const live = await opened(await started({ ...faceDetector, framePath, attributes }));
    const { signal } = new AbortController();
    const request = { visionName: 'v', cameraName: '', abilities: await live.visionAbilities('v', signal) };
    const asking = await chooseAsking(live, request, signal);
    for (let blank = 0; blank < 4; blank++) expect((await asking.ask()).detections).toEqual([]);
    expect(asking.way).toBe('both-ways');

    await copyFile(faceDetector.framePath, framePath);
    const { image, detections } = await asking.ask();
    expect(asking.way).toBe('of-the-bytes'); // a camera of an image file returns pixels, not the file's bytes
    expect(detections).not.toEqual([]);
    expect(await live.answerTo(image, request, signal)).toMatchObject({ detections });
  });

  it('is heard to take a configuration that is written to its file, and the one that was there before', async () => {
    const reached = await started({ ...faceDetector, attributes: { default_minimum_confidence: 0.9 } });
    const { configPath } = reached.machine;
    const { signal } = new AbortController();
    const live = await opened(reached);
    const original = await readFile(configPath, 'utf8');
    const written = async (text: string): Promise<ConfigurationWord> => {
      const before = await live.health(signal);
      await writeFile(configPath, text);
      const wait = (ms: number) => setTimeout(ms);
      const nowMs = () => performance.now();
      return awaitConfiguration(live, { before, resources: ['v'], signal, wait, nowMs });
    };
    const faces = async (): Promise<number> => {
      const abilities = await live.visionAbilities('v', signal);
      return (await live.captureAll({ visionName: 'v', cameraName: '', abilities }, signal)).detections!.length;
    };

    expect(await faces()).toBe(1);
    expect(await written(original.replace('":0.9', '":0.5'))).toMatchObject({ isWell: true });
    expect(await faces()).toBe(3);
    expect(await written(original)).toMatchObject({ isWell: true });
    expect(await faces()).toBe(1);
  });
});

describe.skipIf(!hasMachine)('the one thing that the bench has otherwise than a real machine', () => {
  const { modelPath, labelsPath } = faceDetector;
  const pipeline = (angle = 17.5, xMax = 0.93) => [
    { type: 'rotate', attributes: { angle_degs: angle } },
    { type: 'crop', attributes: { x_min_px: 0, y_min_px: 0, x_max_px: xMax, y_max_px: 1 } },
  ];
  const camera = (steps: object) => ({
    name: 't',
    api: 'rdk:component:camera',
    model: 'transform',
    attributes: { source: 'cam', pipeline: steps },
  });
  const attributes = { default_minimum_confidence: 0.5, label_path: labelsPath, camera_name: 't' };
  let machine: RunningMachine;
  beforeAll(async () => {
    const { components, services } = visionMachine({ ...faceDetector, attributes });
    const { signal } = new AbortController();
    machine = await startMachine({ components: [...components, camera(pipeline())], services }, (origin) =>
      openMachineLink(origin, null).visionAbilities('v', signal),
    );
  });
  afterAll(() => machine.close());

  /** Exit code, what is said of the camera, and the reasons. */
  async function against(here: object, steps = pipeline(), labels = labelsPath): Promise<unknown[]> {
    const config = join(await temporaryFolder(), 'machine.json');
    const source = { name: 'cam', api: 'rdk:component:camera', model: 'image_file', attributes: {} };
    const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} };
    const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel' };
    const all = { mlmodel_name: 'm', ...attributes, ...here };
    const services = [model, { ...vision, attributes: all }];
    await writeFile(config, JSON.stringify({ components: [source, camera(steps)], services }));
    const given = ['--config', config, '--model', modelPath, '--labels', labels];
    const { code, report } = await compared(['--machine', machine.origin], ...given);
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
