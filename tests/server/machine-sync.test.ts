import { createHash } from 'node:crypto';
import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Annotations, CaptureMetadata } from '../../src/gen/app/data/v1/data_pb.ts';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { hasMachine, startMachine, type MachineResources } from '../oracle/machine.ts';
import { randomFrame, randomSource } from '../random-frame.ts';
import { captureFilesIn, captureParameter, readCaptureFilesIn, type CaptureFile } from './capture-files.ts';
import { startCutProxy, type Cut } from './cut-proxy.ts';
import { faceDetector, imageCamera, visionMachine } from './machine-resources.ts';
import { authenticatedClients, type ServerClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

/** What a machine's data manager is told of one resource. */
const captured = (method: string, rateHz: number, parameters: object = {}) => ({
  service_configs: [
    {
      type: 'data_manager',
      attributes: { capture_methods: [{ method, capture_frequency_hz: rateHz, additional_params: parameters }] },
    },
  ],
});
const manager = (attributes: object) => ({
  name: 'keeper',
  api: 'rdk:service:data_manager',
  model: 'rdk:builtin:builtin',
  attributes: { tags: ['site-7'], ...attributes },
});

/** A machine that captures small and large pictures, what a vision service sees on them, and readings. */
function capturing(captureFolder: string, largePicture: string): MachineResources {
  const { components, services } = visionMachine({ ...faceDetector, attributes: { default_minimum_confidence: 0.3 } });
  const [cam] = components;
  const [model, vision] = services;
  return {
    components: [
      { ...cam, ...captured('GetImages', 1) },
      { ...imageCamera('large', largePicture), ...captured('ReadImage', 1, { mime_type: 'image/jpeg' }) },
      { name: 'gauge', api: 'rdk:component:sensor', model: 'fake', attributes: {}, ...captured('Readings', 20) },
    ],
    services: [
      model,
      { ...vision, ...captured('CaptureAllFromCamera', 1, { camera_name: 'cam', min_confidence_score: 0 }) },
      manager({ capture_dir: captureFolder, maximum_capture_file_size_bytes: 1500 }),
    ],
  };
}

/** Who captured, and with which parameters; the same in a capture file and in the service. */
type Origin = Pick<CaptureMetadata, 'componentType' | 'componentName' | 'methodName' | 'tags' | 'methodParameters'>;
interface Times {
  readonly timeRequested?: Timestamp | undefined;
  readonly timeReceived?: Timestamp | undefined;
}

/** The service keeps microseconds. */
const micros = (time: Timestamp | undefined): string =>
  String(time!.seconds * 1_000_000n + BigInt(Math.floor(time!.nanos / 1000)));

/** One capture in a form that can be compared and sorted. */
const captureText = (origin: Origin, { timeRequested, timeReceived }: Times, content: readonly unknown[]): string => {
  const { componentType, componentName, methodName, tags, methodParameters } = origin;
  const parameters = Object.keys(methodParameters)
    .sort()
    .map((name) => [name, captureParameter(methodParameters, name)]);
  const times = [timeRequested, timeReceived].map(micros);
  return JSON.stringify([componentType, componentName, methodName, times, tags, parameters, ...content]);
};
const readingText = (origin: Origin, times: Times, payload: JsonObject): string =>
  captureText(origin, times, [Object.entries(payload['readings'] as JsonObject).sort()]);
const pictureText = (
  origin: Origin & { readonly mimeType: string },
  times: Times,
  about: Annotations | undefined,
  bytes: Uint8Array,
) =>
  captureText(origin, times, [
    origin.mimeType,
    createHash('sha256').update(bytes).digest('hex'),
    // their ids are the service's
    [...(about?.bboxes ?? []), ...(about?.classifications ?? [])].map(({ id: _, ...said }) => said),
  ]);

/** What the capture files hold. */
const textsOf = ({ metadata: origin, data }: CaptureFile): string[] =>
  data.map(({ metadata, data: content }) => {
    if (content.case === 'struct') return readingText(origin, metadata!, content.value);
    return pictureText(origin, metadata!, metadata!.annotations, content.value as Uint8Array);
  });

/** Everything that the service has of the machine, but files that the machine writes about itself. */
async function storedTexts({ data }: ServerClients): Promise<{ captures: string[]; files: string[] }> {
  const [captures, files]: [string[], string[]] = [[], []];
  for (let last = ''; ;) {
    const page = await data.binaryDataByFilter({ dataRequest: { limit: 100n, last }, includeBinary: true });
    if (page.data.length === 0) break;
    for (const { metadata, binary } of page.data) {
      const { captureMetadata, annotations, fileName } = metadata!;
      if (captureMetadata!.componentName === '') files.push(fileName);
      else captures.push(pictureText(captureMetadata!, metadata!, annotations, binary));
    }
    ({ last } = page);
  }
  for (let last = ''; ;) {
    const page = await data.tabularDataByFilter({ dataRequest: { limit: 1000n, last } });
    if (page.data.length === 0) break;
    for (const row of page.data) captures.push(readingText(page.metadata[row.metadataIndex]!, row, row.data!));
    ({ last } = page);
  }
  return { captures: captures.sort(), files: files.filter((name) => !name.endsWith('.ftdc')).sort() };
}

/**
 * Every upload is cut the first time, where its data manager sends one file at a time: the answer or the request in turn, and the
 * server is killed once for each operation. The second time it gets through; else the machine would wait for a minute.
 */
function cutsInTurn(): (path: string) => Cut | null {
  const calls = new Map<string, number>();
  return (path) => {
    if (!path.includes('.DataSyncService/')) return null;
    const call = calls.get(path) ?? 0;
    calls.set(path, call + 1);
    if (call % 2 === 1) return null;
    if (call === 4) return 'server';
    return call % 4 === 0 ? 'answer' : 'request';
  };
}

describe.skipIf(!hasMachine)('a machine’s own data manager (skipped without ../shared/machine and viam-sdk)', () => {
  it('uploads all that it captured, each once, through cuts and restarts of the server', async () => {
    const folder = await temporaryFolder();
    const [captureFolder, largePicture, dataFolder] = ['captures', 'large.png', 'data'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writePngFile(largePicture, randomFrame(randomSource(29), 'rgba8', 1600, 1200, 'opaque'));
    const wanted = { cam: 3, large: 3, gauge: 3, v: 1 };
    const missing = async (): Promise<string[]> => {
      const names = await captureFilesIn(captureFolder);
      const countOf = (resource: string) => names.filter((name) => name.includes(`/${resource}/`)).length;
      return Object.entries(wanted).flatMap(([resource, count]) => (countOf(resource) < count ? [resource] : []));
    };
    const machineThatCaptures = await startMachine(capturing(captureFolder, largePicture), () => access(captureFolder));
    onTestFinished(() => machineThatCaptures.close());
    await expect.poll(missing, { timeout: 120_000, interval: 200 }).toEqual([]);
    await machineThatCaptures.close();
    await writeFile(join(captureFolder, 'notes.txt'), 'text');
    const files = await readCaptureFilesIn(captureFolder);
    const captures = files.flatMap(textsOf).sort();
    expect(new Set(captures).size).toBe(captures.length);

    let server = await startServerProcess(dataFolder);
    const { firstStart, port, origin } = server;
    const proxy = await startCutProxy(origin, cutsInTurn(), async () => {
      await server.end('SIGKILL');
      server = await startServerProcess(dataFolder, { port });
    });
    const sending = manager({
      capture_dir: captureFolder,
      capture_disabled: true,
      sync_interval_mins: 0.01,
      maximum_num_sync_threads: 1,
      file_last_modified_millis: 1,
    });
    const cloud = { ...firstStart!, origin: proxy.origin };
    const machine = await startMachine({ components: [], services: [sending] }, () => Promise.resolve(), cloud);
    onTestFinished(() => machine.close());
    const waiting = async (): Promise<string[]> =>
      (await readdir(captureFolder, { recursive: true })).filter((name) => /\.(capture|txt)$/.test(name));
    await expect.poll(waiting, { timeout: 150_000, interval: 200 }).toEqual([]);

    // Its own log is answered: each refusal would be one more line of it, as that of its configuration is. It waits a second
    // for that, so on a busy computer the line may say that time was up.
    expect(machine.log()).toContain('could not apply new cloud config');
    expect(machine.log()).not.toContain('RobotService/Log');
    await expect(access(join(captureFolder, 'failed'))).rejects.toThrow();
    const stored = await storedTexts(await authenticatedClients(origin, firstStart!, 'grpc'));
    expect(stored.captures).toEqual(captures);
    // Names are told without what leads out of the folder that they are saved in.
    expect(stored.files).toEqual([join(captureFolder, 'notes.txt').slice(1)]);
    for (const cut of ['answer', 'request', 'server']) {
      for (const operation of ['DataCaptureUpload', 'StreamingDataCaptureUpload'])
        expect(proxy.cuts).toContain(`${cut} of ${operation}`);
    }
  }, 300_000);
});
