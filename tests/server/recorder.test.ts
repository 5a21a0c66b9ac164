import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addRecorder, removeRecorder } from '../../src/machine/config/edit/edit-recorder.ts';
import { exportWhole } from '../../src/machine/config/share/export-config.ts';
import { lint } from '../../src/machine/config/lint/lint.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import type { LiveMachine } from '../../src/remote/live-machine/live-machine.ts';
import { hasMachine, startMachine, type MachineResources } from '../oracle/machine.ts';
import { captureFilesIn, captureParameter, readCaptureFile } from './capture-files.ts';
import { openByWebRtc, serveAccountOf } from './machine-in-account.ts';
import { faceDetector, smallPicture, visionMachine } from './machine-resources.ts';
import { authenticatedClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

const { signal } = new AbortController();

/** A machine's configuration, before it records and when it does. */
async function configurations() {
  const framePath = await smallPicture('sample1.jpg', await temporaryFolder());
  const parts = { ...faceDetector, framePath, attributes: { default_minimum_confidence: 0.5 } };
  const plain = JSON.stringify(visionMachine(parts), null, 2);
  const recorded = addRecorder(plain, 'v', { name: 'watch', threshold: 0.05, rateHz: 2, camera: 'cam' });
  return { plain, recorded, resources: JSON.parse(exportWhole(recorded).text) as MachineResources };
}

const detectionsOf = (origin: string, visionName: string) => detectionsBy(openMachineLink(origin, null), visionName);

async function detectionsBy(live: LiveMachine, visionName: string) {
  const abilities = await live.visionAbilities(visionName, signal);
  const { detections } = await live.captureAll({ visionName, cameraName: '', abilities }, signal);
  return detections!;
}

describe.skipIf(!hasMachine)('a recorder on a real machine (skipped without ../shared/machine and viam-sdk)', () => {
  it('keeps low scores in the capture directory, while the recorded service says what it said', async () => {
    const { plain, recorded, resources } = await configurations();
    expect(removeRecorder(recorded, 'watch')).toBe(plain);
    expect(lint(recorded).map(({ code }) => code)).toContain('capture-cost');
    const machine = await startMachine(resources, (origin) => detectionsOf(origin, 'watch'));
    onTestFinished(() => machine.close());

    const low = await detectionsOf(machine.origin, 'watch');
    const kept = low.filter(({ score }) => score >= 0.5);
    expect([low.length, kept.length]).toEqual([11, 3]);
    expect(await detectionsOf(machine.origin, 'v')).toEqual(kept);

    const account = await serveAccountOf(machine, resources);
    onTestFinished(() => account.close());
    const byWebRtc = await openByWebRtc(account);
    onTestFinished(() => byWebRtc.close());
    expect(await detectionsBy(byWebRtc, 'watch')).toEqual(low);
    expect(await detectionsBy(byWebRtc, 'v')).toEqual(kept);

    const folder = join(machine.home, '.viam/capture/rdk_service_vision/watch/CaptureAllFromCamera');
    await expect.poll(() => captureFilesIn(folder), { timeout: 30_000 }).not.toEqual([]);
    const [file] = await captureFilesIn(folder);
    const { metadata, data } = await readCaptureFile(join(folder, file!));
    expect(metadata).toMatchObject({ componentName: 'watch', methodName: 'CaptureAllFromCamera' });
    expect(metadata.mimeType).toBe('image/jpeg');
    expect(captureParameter(metadata.methodParameters, 'recorder_of')).toBe('v');
    expect(data).toHaveLength(1);
    expect(data[0]!.data.case).toBe('binary');
    const scores = data[0]!.metadata!.annotations!.bboxes.map(({ confidence }) => confidence);
    expect(scores).toEqual(low.map(({ score }) => score));
  }, 90_000);

  it('has its captures uploaded by the machine’s own data manager', async () => {
    const server = await startServerProcess(await temporaryFolder());
    const key = server.firstStart!;
    const { data } = await authenticatedClients(server.origin, key, 'grpc');
    const stored = () => data.binaryDataByFilter({ dataRequest: { limit: 1n }, includeBinary: true });
    const uploaded = async (): Promise<void> => {
      if ((await stored()).data.length === 0) throw new Error('nothing is uploaded yet');
    };
    const { resources } = await configurations();
    const machine = await startMachine(resources, uploaded, { ...key, origin: server.origin });
    onTestFinished(() => machine.close());

    const [image] = (await stored()).data;
    const { captureMetadata, annotations } = image!.metadata!;
    expect(captureMetadata).toMatchObject({
      partId: key.partId,
      componentType: 'rdk:service:vision',
      componentName: 'watch',
      methodName: 'CaptureAllFromCamera',
    });
    expect(captureParameter(captureMetadata!.methodParameters, 'recorder_of')).toBe('v');
    expect(annotations!.bboxes).toHaveLength(11);
    expect(Array.from(image!.binary.subarray(0, 2))).toEqual([0xff, 0xd8]);
  }, 90_000);
});
