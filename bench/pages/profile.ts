import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { FrameTimes } from '../../src/profile/frame-times.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

// The app on a camera, with its profile taken, taken and looked at, or not taken at all.

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

/** Microseconds of the page's own clock that one frame's times cost, with the looks at the clock that they are taken by. */
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

/** Microseconds that one look at the statistics costs, once a second while the dialog is open. */
function lookCost(looks: number): number {
  const startMs = performance.now();
  for (let look = 0; look < looks; look++) times.statistics();
  return (1000 * (performance.now() - startMs)) / looks;
}

Object.assign(globalThis, { measure: () => page.finished, profile: { begin, take, ownCost, lookCost } });
