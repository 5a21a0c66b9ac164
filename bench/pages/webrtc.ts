import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { openPageMachine } from '../../src/remote/links/page-machine-link.ts';
import { memoryKeys } from '../../tests/memory-keys.ts';
import type { WebRtcSteps } from '../webrtc-steps.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

const { signal } = new AbortController();
const opened: RTCPeerConnection[] = [];
const Native = RTCPeerConnection;
globalThis.RTCPeerConnection = class extends Native {
  constructor(config?: RTCConfiguration) {
    super(config);
    opened.push(this);
  }
};

const client = startClient();
const bench = createBench(client, {
  open: async (url, key, onStep) => openPageMachine(url, key, onStep),
  keys: async () => memoryKeys().keys,
});
mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });

const { machine } = bench.sources;
let shown = 0;
let onFrame = (): void => undefined;
client.onResult(({ frame }) => {
  if (frame.name !== machine.frameName) return;
  shown++;
  onFrame();
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const steps: WebRtcSteps = {
  async calls(urls, key, rounds) {
    const asked = await Promise.all(
      urls.map(async (url) => {
        const live = openPageMachine(url, url.startsWith('http') ? null : key, () => undefined);
        const request = { visionName: 'v', cameraName: '', abilities: await live.visionAbilities('v', signal) };
        return { live, ask: () => live.captureAll(request, signal), timesMs: [] as number[] };
      }),
    );
    for (let round = 0; round < rounds; round++) {
      for (const { ask, timesMs } of round % 2 ? asked : asked.toReversed()) timesMs.push(await timeOf(ask));
    }
    for (const { live } of asked) live.close();
    return asked.map(({ timesMs }) => timesMs);
  },

  async dials(url, key, count) {
    const timesMs: number[] = [];
    for (let dial = 0; dial < count; dial++) {
      const live = openPageMachine(url, key, () => undefined);
      timesMs.push(await timeOf(() => live.images('cam', signal)));
      live.close();
    }
    return timesMs;
  },

  async connections() {
    const all = opened.splice(0);
    return { opened: all.length, left: all.filter(({ connectionState }) => connectionState !== 'closed').length };
  },

  async connect(url, key) {
    Object.assign(machine, { address: url, keyId: key.id, key: key.secret });
    let knownMs = 0;
    const boxesMs = await timeOf(async () => {
      const first = new Promise<void>((resolve) => (onFrame = resolve));
      knownMs = await timeOf(() => machine.connect('v'));
      await bench.sources.startMachine();
      if (machine.fault) throw new Error(machine.fault.message);
      await first;
    });
    return { knownMs, boxesMs };
  },

  async frames(count) {
    machine.frames.rate = 0;
    const until = shown + count;
    return timeOf(() => new Promise<void>((resolve) => (onFrame = () => void (shown >= until && resolve()))));
  },

  async stream(seconds) {
    machine.frames.rate = 10;
    onFrame = () => undefined;
    const before = shown;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return shown - before;
  },

  async disconnect() {
    machine.disconnect();
  },
};

Object.assign(globalThis, {
  measure: (step: keyof WebRtcSteps, ...args: never[]) => (steps[step] as (...given: never[]) => unknown)(...args),
});
