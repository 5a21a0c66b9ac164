import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { randomFrame, randomSource } from '../../tests/random-frame.ts';
import { accountKeyId } from '../../tests/account-fixture.ts';
import { serveMachine } from '../../tests/serve-live-machine.ts';
import { hasMachine } from '../../tests/oracle/machine.ts';
import { accountKey, peerOf, startMachineInAccount } from '../../tests/server/machine-in-account.ts';
import { startOwnMachine } from '../../tests/server/own-machine.ts';
import { faceDetector } from '../../tests/server/machine-resources.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';
import type { MemoryInUse } from '../memory-in-use.ts';
import type { WebRtcSteps } from '../webrtc-steps.ts';

const key = { id: accountKeyId, secret: accountKey };
const megabytes = ({ heapBytes, bufferBytes, wasmBytes, gpuBytes }: MemoryInUse): number =>
  (heapBytes + bufferBytes + wasmBytes + gpuBytes) / 2 ** 20;

interface Subject {
  /** before the names of its figures */
  readonly prefix: string;
  /** address of the machine by HTTP */
  readonly direct: string;
  /** address of the machine by WebRTC */
  readonly peer: string;
  /** the least that WebRTC reaches of the calls by HTTP; null: not judged */
  readonly leastRatio: number | null;
  /** Gives another picture to the machine's camera from now on. */
  showPicture(path: string): Promise<void>;
  close(): Promise<void>;
}

export const figure: Figure = {
  title: 'a machine over WebRTC on loopback, by the signalling of its account',
  limitMinutes: 25,
  async measure(tools) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
    const figures: Measurement[] = [];
    const measure = async (subject: Subject): Promise<void> => {
      try {
        figures.push(...(await measureOn(tools, subject, folder)));
      } finally {
        await subject.close();
      }
    };
    try {
      await measure(await ownMachine());
      if (hasMachine) await measure(await realMachine(folder));
      else
        tools.note('no real machine: that of ../shared/machine, or Python with viam-sdk and onnxruntime, is not here');
      return figures;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** A machine of the bench's own, which anybody has: werift's end of the connection, and a vision service that answers at once. */
async function ownMachine(): Promise<Subject> {
  let picture = new Uint8Array(await readFile(faceDetector.framePath));
  const answer = {
    detections: [{ label: 'face', score: 0.9, xMin: 1, yMin: 2, xMax: 30, yMax: 40 }],
    classifications: null,
  };
  const pretended = { image: () => picture, mediaType: 'image/jpeg', answer: () => answer };
  const own = await startOwnMachine(pretended);
  const direct = await serveMachine(pretended);
  return {
    prefix: 'own: ',
    direct: direct.url,
    peer: peerOf(own.account.url),
    leastRatio: null,
    showPicture: async (path) => void (picture = new Uint8Array(await readFile(path))),
    close: async () => void (await Promise.all([own.close(), direct.close()])),
  };
}

async function realMachine(folder: string): Promise<Subject> {
  const framePath = join(folder, 'frame');
  await copyFile(faceDetector.framePath, framePath);
  const attributes = { default_minimum_confidence: 0.5 };
  const inside = await startMachineInAccount({ ...faceDetector, framePath, attributes });
  return {
    prefix: 'real: ',
    direct: inside.machine.origin,
    peer: peerOf(inside.account.url),
    leastRatio: 0.7,
    showPicture: (path) => rename(path, framePath),
    close: () => inside.close(),
  };
}

async function measureOn(
  { openWatchedPage, note, at }: BenchTools,
  subject: Subject,
  folder: string,
): Promise<readonly Measurement[]> {
  const { prefix, direct, peer, leastRatio } = subject;
  const { page, memoryInUse } = await openWatchedPage('webrtc');
  const step = <S extends keyof WebRtcSteps>(
    name: S,
    ...args: Parameters<WebRtcSteps[S]>
  ): Promise<Awaited<ReturnType<WebRtcSteps[S]>>> => {
    at(`at the step ${name} of "${prefix}"`);
    return page.evaluate(([given, rest]) => globalThis.measure(given, ...rest), [name, args] as const);
  };
  const held = async (what: string): Promise<number> => {
    const memory = megabytes(await memoryInUse());
    note(`${prefix}${what}: heap, buffers and WASM ${memory.toFixed(2)} MB`);
    return memory;
  };

  const [overPeer, overHttp] = await step('calls', [peer, direct], key, 60);
  await step('dials', peer, key, 5);
  await step('connections');
  const dialled = await held('after 5 dials');
  const dialsMs = await step('dials', peer, key, 50);
  const { opened, left } = await step('connections');
  const dialledMore = await held('after 50 more');
  if (opened !== 50) throw new Error(`Of 50 dials the page counted ${opened} connections.`);

  const connects: { readonly knownMs: number; readonly boxesMs: number }[] = [];
  for (let time = 0; time < 3; time++) {
    await step('disconnect');
    connects.push(await step('connect', peer, key));
  }
  for (const { knownMs, boxesMs } of connects) {
    note(`${prefix}from Connect: its resources after ${knownMs.toFixed(0)} ms, boxes after ${boxesMs.toFixed(0)} ms`);
  }
  const streamedS = 20;
  await step('stream', 1);
  const watch = await watchMainThread(page);
  const streamed = await step('stream', streamedS);
  const { longestCpuMs, longTasks, othersShare } = await watch.end();
  note(
    `${prefix}at 10 frames a second: longest task ${longestCpuMs.toFixed(1)} ms, ${(othersShare * 100).toFixed(0)} % of the processors for others`,
  );

  // A real machine takes a tenth of the time for a small picture; what is held of a frame does not depend on its size.
  const small = join(folder, 'small.png');
  await writePngFile(small, randomFrame(randomSource(1), 'rgba8', 160, 120, 'opaque'));
  await subject.showPicture(small);
  await step('frames', 100);
  const early = await held('after 300 frames');
  const thousandMs = await step('frames', 1000);
  const late = await held('after 1,000 more');
  await step('disconnect');
  await page.close();
  const connectsMs = connects.map(({ boxesMs }) => boxesMs);
  const figures: readonly Measurement[] = [
    { name: 'CaptureAllFromCamera over gRPC-Web', value: 1000 / median(overHttp!), unit: '/s' },
    { name: 'the same over WebRTC', value: 1000 / median(overPeer!), unit: '/s' },
    {
      name: 'WebRTC over gRPC-Web',
      value: median(overHttp!) / median(overPeer!),
      unit: '×',
      ...(leastRatio !== null && { atLeast: leastRatio }),
    },
    { name: 'from the dial to the first picture, median of 50', value: median(dialsMs) / 1000, unit: 's', atMost: 1.5 },
    { name: 'the slowest of them', value: Math.max(...dialsMs) / 1000, unit: 's' },
    {
      name: 'in the app, from Connect to boxes, median of 3',
      value: median(connectsMs) / 1000,
      unit: 's',
      atMost: 1.5,
    },
    { name: 'the slowest of them', value: Math.max(...connectsMs) / 1000, unit: 's' },
    { name: 'frames a second on the stage, of 10 that are asked for', value: streamed / streamedS, unit: '' },
    { name: 'tasks of more than 50 ms meanwhile', value: longTasks, unit: '', atMost: 0 },
    { name: 'frames a second as fast as possible', value: 1_000_000 / thousandMs, unit: '' },
    { name: 'memory after 1,000 frames more', value: late / early, unit: '×', atMost: 1.05 },
    { name: 'memory after 50 dials more', value: dialledMore / dialled, unit: '×', atMost: 1.05 },
    { name: 'peer connections of 50 dials that are left open', value: left, unit: '', atMost: 0 },
  ];
  return figures.map((figureOf) => ({ ...figureOf, name: prefix + figureOf.name }));
}

declare global {
  // The page's own function, see pages/webrtc.ts.
  var measure: (step: string, ...args: readonly unknown[]) => never;
}
