import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { createBench, noData, startClient } from './headless-bench.ts';

// The cost of one camera frame in a page that only shows the camera, and in the app. Each function starts a continuing loop
// that counts its frames in `finished`.

const page = { finished: 0 };
const model = './builtin/models/face-detector.onnx';
const camera = { video: { width: { exact: 1280 }, height: { exact: 720 }, frameRate: 30 } };

async function showCamera(): Promise<void> {
  const video = document.createElement('video');
  video.style.cssText = 'width: 100%; height: 100vh; object-fit: contain';
  document.body.replaceChildren(video);
  video.srcObject = await navigator.mediaDevices.getUserMedia(camera);
  await video.play();
  const count = (): void => {
    page.finished++;
    video.requestVideoFrameCallback(count);
  };
  count();
}

async function runApp(): Promise<void> {
  const client = startClient();
  const bench = createBench(client);
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  const url = new URL(model, document.baseURI).href;
  if (!(await bench.models.load({ kind: 'url', url }, bench.serviceName))) {
    throw new Error(bench.models.fault?.message ?? 'The model did not load.');
  }
  bench.sources.camera.resolution = '1280x720';
  client.onResult((result) => {
    if (result.timings.inferenceMs > 0) page.finished++;
  });
  await new Promise<void>((resolve) => {
    const stop = client.onResult(() => {
      stop();
      resolve();
    });
    void bench.sources.startCamera();
  });
}

Object.assign(globalThis, { measure: () => page.finished, begin: { showCamera, runApp } });
