import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { openBareInference } from './bare-inference.ts';
import { cameraFrames } from './camera-frames.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

/** A camera that can be shown over the whole page. */
async function cameraOnPage() {
  const video = document.createElement('video');
  video.style.cssText = 'position: fixed; inset: 0; z-index: 99; width: 100%; height: 100%; object-fit: contain';
  video.srcObject = await navigator.mediaDevices.getUserMedia({
    video: { width: { exact: 1280 }, height: { exact: 720 }, frameRate: 30 },
  });
  return {
    async show(): Promise<void> {
      document.body.append(video);
      await video.play();
    },
    hide(): void {
      video.pause();
      video.remove();
    },
  };
}

/**
 * Alternates three measurements, so that other work on the computer affects all of them: results per second of the app
 * with a camera that is faster than the model, session.run alone, and session.run while a camera is only displayed.
 */
async function measure(modelPath: string, rounds: number, seconds: number) {
  const client = startClient();
  const { wasmThreads: threads } = await client.capabilities();
  const bench = createBench(client);
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  const modelUrl = new URL(modelPath, document.baseURI).href;
  if (!(await bench.models.load({ kind: 'url', url: modelUrl }, bench.serviceName))) {
    throw new Error(bench.models.fault?.message ?? 'The model did not load.');
  }
  const bare = await openBareInference(modelPath, threads);
  const camera = await cameraOnPage();

  const nextFrame = await cameraFrames(1280, 720);
  const frames = [await nextFrame(), await nextFrame()]; // not more, because the camera has few frame buffers
  let offered = 0;
  let finished = 0;
  let ranMs = 0;
  let failure = '';
  const offer = () => {
    const frame = frames[offered % frames.length]!.clone();
    const info = { name: 'camera', index: offered++, timestampMs: performance.now() };
    void client.run(frame, info).then((result) => {
      if (result) finished++;
      ranMs += result?.timings.inferenceMs ?? 0;
      if (result && result.timings.inferenceMs === 0) failure = result.problems[0]?.message ?? 'The model did not run.';
    });
  };
  const loopFor = async (ms: number): Promise<{ framesPerSecond: number; modelShare: number }> => {
    const offering = setInterval(offer, 4);
    await new Promise((resolve) => setTimeout(resolve, 500)); // let the loop reach a steady state
    const startMs = performance.now();
    const before = finished;
    const ranBeforeMs = ranMs;
    await new Promise((resolve) => setTimeout(resolve, ms));
    const elapsedMs = performance.now() - startMs;
    const framesPerSecond = (1000 * (finished - before)) / elapsedMs;
    const modelShare = (ranMs - ranBeforeMs) / elapsedMs;
    clearInterval(offering);
    await new Promise((resolve) => setTimeout(resolve, 500)); // let the loop end
    return { framesPerSecond, modelShare };
  };

  const loops: number[] = [];
  const shares: number[] = [];
  const bares: number[] = [];
  const besides: number[] = [];
  let runs = 10;
  await loopFor(1500); // warm-up
  for (let round = 0; round < rounds; round++) {
    const times = await bare(runs);
    const ms = meanOf(times);
    runs = Math.max(5, Math.round((1000 * seconds) / ms));
    if (round > 0) bares.push(1000 / ms); // the first round only determines how many runs fill the time
    await camera.show();
    besides.push(1000 / meanOf(await bare(runs)));
    camera.hide();
    const { framesPerSecond, modelShare } = await loopFor(1000 * seconds);
    loops.push(framesPerSecond);
    shares.push(modelShare);
  }
  if (failure) throw new Error(failure);
  client.dispose();
  return { threads, loops: loops.slice(1), bares, besides: besides.slice(1), shares: shares.slice(1) };
}

function meanOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

Object.assign(globalThis, { measure });
