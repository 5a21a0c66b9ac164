import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { randomFrame, randomSource } from '../../tests/random-frame.ts';
import { accountKeyId } from '../../tests/account-fixture.ts';
import { peerUrl } from '../../src/remote/live-machine/machine-address.ts';
import { hasMachine } from '../../tests/oracle/machine.ts';
import { accountHost, accountKey, startMachineInAccount } from '../../tests/server/machine-in-account.ts';
import { faceDetector } from '../../tests/server/machine-resources.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';
import type { MemoryInUse } from '../memory-in-use.ts';
import type { WebRtcSteps } from '../webrtc-steps.ts';

const key = { id: accountKeyId, secret: accountKey };
const megabytes = ({ heapBytes, bufferBytes, wasmBytes, gpuBytes }: MemoryInUse): number =>
  (heapBytes + bufferBytes + wasmBytes + gpuBytes) / 2 ** 20;

export const figure: Figure = {
  title: 'a real machine over WebRTC on loopback, by the signalling of its account',
  limitMinutes: 25,
  async measure(tools) {
    if (!hasMachine) {
      tools.note('skipped: the machine of ../shared/machine, or Python with viam-sdk and onnxruntime, is not here');
      return [];
    }
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
    const framePath = join(folder, 'frame');
    await copyFile(faceDetector.framePath, framePath);
    const attributes = { default_minimum_confidence: 0.5 };
    const inside = await startMachineInAccount({ ...faceDetector, framePath, attributes });
    try {
      const peer = peerUrl({ host: accountHost, via: inside.account.url });
      return await measureOn(tools, inside.machine.origin, peer, framePath);
    } finally {
      await inside.close();
      await rm(folder, { recursive: true });
    }
  },
};

async function measureOn(
  { openWatchedPage, note, at }: BenchTools,
  direct: string,
  peer: string,
  framePath: string,
): Promise<readonly Measurement[]> {
  const { page, memoryInUse } = await openWatchedPage('webrtc');
  const step = <S extends keyof WebRtcSteps>(
    name: S,
    ...args: Parameters<WebRtcSteps[S]>
  ): Promise<Awaited<ReturnType<WebRtcSteps[S]>>> => {
    at(`at the step ${name}`);
    return page.evaluate(([given, rest]) => globalThis.measure(given, ...rest), [name, args] as const);
  };
  const held = async (what: string): Promise<number> => {
    const memory = megabytes(await memoryInUse());
    note(`${what}: heap, buffers and WASM ${memory.toFixed(2)} MB`);
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

  const firstMs = await step('connect', peer, key);
  const streamedS = 20;
  await step('frames', 10, 10);
  const watch = await watchMainThread(page);
  const tenMs = await step('frames', 10 * streamedS, 10);
  const { longestCpuMs, longTasks, othersShare } = await watch.end();
  note(
    `at 10 frames a second: longest task ${longestCpuMs.toFixed(1)} ms, ${(othersShare * 100).toFixed(0)} % of the processors for others`,
  );

  // The machine takes a tenth of the time for a small picture; what is held of a frame does not depend on its size.
  await writePngFile(`${framePath}.next`, randomFrame(randomSource(1), 'rgba8', 160, 120, 'opaque'));
  await rename(`${framePath}.next`, framePath);
  await step('frames', 100, 0);
  const early = await held('after 310 frames');
  const thousandMs = await step('frames', 1000, 0);
  const late = await held('after 1,000 more');
  await step('disconnect');
  await page.close();
  return [
    { name: 'CaptureAllFromCamera over gRPC-Web', value: 1000 / median(overHttp!), unit: '/s' },
    { name: 'the same over WebRTC', value: 1000 / median(overPeer!), unit: '/s' },
    { name: 'WebRTC over gRPC-Web', value: median(overHttp!) / median(overPeer!), unit: '×', atLeast: 0.7 },
    { name: 'from the dial to the first picture, median of 50', value: median(dialsMs) / 1000, unit: 's', atMost: 1.5 },
    { name: 'the slowest of them', value: Math.max(...dialsMs) / 1000, unit: 's' },
    { name: 'in the app, from Connect to the first frame with boxes', value: firstMs / 1000, unit: 's', atMost: 1.5 },
    { name: 'frames a second on the stage, of 10 that are asked for', value: (10_000 * streamedS) / tenMs, unit: '' },
    { name: 'tasks of more than 50 ms meanwhile', value: longTasks, unit: '', atMost: 0 },
    { name: 'frames a second as fast as possible', value: 1_000_000 / thousandMs, unit: '' },
    { name: 'memory after 1,000 frames more', value: late / early, unit: '×', atMost: 1.05 },
    { name: 'memory after 50 dials more', value: dialledMore / dialled, unit: '×', atMost: 1.05 },
    { name: 'peer connections of 50 dials that are left open', value: left, unit: '', atMost: 0 },
  ];
}

declare global {
  // The page's own function, see pages/webrtc.ts.
  var measure: (step: string, ...args: readonly unknown[]) => never;
}
