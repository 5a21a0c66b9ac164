import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { FrameTimes } from '../../src/models/profile/frame-times.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

// The app with a camera in three modes: profile recorded, profile recorded and displayed, and no profile.

type Mode = 'off' | 'on' | 'open';

const page = { finished: 0 };
const client = startClient();
const bench = createBench(client);
client.onResult((result) => {
  if (result.timings.inferenceMs > 0) page.finished++;
});

async function begin(modelPath: string): Promise<void> {
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  const url = new URL(modelPath, document.baseURI).href;
  if (!(await bench.models.load({ kind: 'url', url }, bench.serviceName))) {
    throw new Error(bench.models.fault?.message ?? 'The model did not load.');
  }
  bench.sources.camera.resolution = '1280x720';
  await new Promise<void>((resolve) => {
    const stop = client.onResult(() => {
      stop();
      resolve();
    });
    void bench.sources.startCamera();
  });
}

const idle = { answered: () => undefined, filtered: () => undefined, drawn: () => undefined };
const { times } = bench.profile;
const working = { answered: times.answered, filtered: times.filtered, drawn: times.drawn };

function take(mode: Mode): void {
  Object.assign(times, mode === 'off' ? idle : working);
  if (mode === 'open') bench.profile.open();
  else bench.profile.close();
}

/** CPU cost in µs of recording the times of one frame, including the calls of the clock. */
function ownCost(frames: number): number {
  const own = new FrameTimes();
  const looksBeside = 5;
  const worker = { decodeMs: 1, transformMs: 0, preprocessMs: 2, modelWaitMs: 3, inferenceMs: 20 };
  const inWorker = { ...worker, postprocessMs: 1, pictureMs: 1 };
  const marks = { offeredAtMs: 0, givenAtMs: 1, answeredAtMs: 30 };
  const startMs = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    for (let look = 0; look < looksBeside; look++) performance.now();
    own.answered(inWorker, marks);
    own.filtered(0.1);
    own.drawn(performance.now(), performance.now());
  }
  return (1000 * (performance.now() - startMs)) / frames;
}

/** Cost in µs of computing the statistics once, which the open dialog does every second. */
function lookCost(looks: number): number {
  const startMs = performance.now();
  for (let look = 0; look < looks; look++) times.statistics();
  return (1000 * (performance.now() - startMs)) / looks;
}

Object.assign(globalThis, { measure: () => page.finished, profile: { begin, take, ownCost, lookCost } });
