import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCommand, type Command } from '../../src/cli/arguments.ts';
import { parity } from '../../src/cli/parity.ts';
import { awaitConfiguration, type ConfigurationWord } from '../../src/live-machine/await-configuration.ts';
import { chooseAsking } from '../../src/live-machine/choose-asking.ts';
import { openMachineLink } from '../../src/links/machine-link.ts';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { temporaryFolder } from './server-process.ts';
import { hasMachine } from '../oracle/machine.ts';
import { builtin, faceDetector, type MachineParts } from './machine-resources.ts';
import { startLiveMachine } from './start-live-machine.ts';

/** Starts a machine; it is stopped at the end of the test. */
async function started(parts: MachineParts) {
  const machine = await startLiveMachine(parts);
  onTestFinished(() => machine.close());
  return machine;
}

async function compared(url: string, ...more: readonly string[]) {
  let report = {};
  const command = parseCommand(['parity', '--machine', url, '--vision=v', '--frames=5', ...more]);
  const code = await parity(command as Extract<Command, { name: 'parity' }>, {
    print: (value) => (report = value),
    say: () => undefined,
  });
  return { code, report };
}

describe.skipIf(!hasMachine)('a real machine (skipped without ../shared/machine and viam-sdk)', () => {
  it.each([
    ['detector', 'sample1.jpg', { default_minimum_confidence: 0.5 }],
    ['classifier', 'sample2.jpg', {}],
  ])('says the same as its %s, here and with the model borrowed', async (kind, frame, more) => {
    const modelPath = builtin(`models/face-${kind}.onnx`);
    const labelsPath = builtin(`models/face-${kind}.labels.txt`);
    const attributes = { label_path: labelsPath, ...more };
    const { origin: url } = await started({ framePath: builtin(`frames/${frame}`), modelPath, labelsPath, attributes });
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

    const { code, report } = await compared(url, '--config', config, '--model', modelPath, '--labels', labelsPath);
    expect(report).toMatchObject({ frames: 5, counts: { differs: 0 }, examples: [] });
    expect((report as { largestScoreDifference: number }).largestScoreDifference).toBeLessThan(1e-5);
    expect((report as { rows: number }).rows).toBeGreaterThan(0);
    expect(code).toBe(0);

    const borrowed = await compared(url, '--config', config, '--labels', labelsPath);
    expect(borrowed.report).toMatchObject({ counts: { equal: 5 } });
  });

  it('is asked about encoded bytes from the first frame on that can tell', async () => {
    const framePath = join(await temporaryFolder(), 'frame');
    const white = new Uint8ClampedArray(4 * 640 * 480).fill(255);
    await writePngFile(framePath, { format: 'rgba8', widthPx: 640, heightPx: 480, samples: white });
    const { origin: url } = await started({
      ...faceDetector,
      framePath,
      attributes: { default_minimum_confidence: 0.5 },
    });
    const { signal } = new AbortController();
    const live = openMachineLink(url, null);
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
    const { origin: url, configPath } = await started({
      ...faceDetector,
      attributes: { default_minimum_confidence: 0.9 },
    });
    const { signal } = new AbortController();
    const live = openMachineLink(url, null);
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
