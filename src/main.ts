import { mount } from 'svelte';
import './app/theme.css';
import App from './app/App.svelte';
import { Bench } from './app/bench.svelte.ts';
import { openMemory } from './app/view/remembered.ts';
import { createVisionClient } from './clients/create-vision-client.ts';
import { createCameraPort } from './platform/browser/camera.ts';
import { registerServiceWorker } from './platform/browser/service-worker.ts';
import { createStillPort } from './platform/browser/stills.ts';
import { createVideoPort } from './platform/browser/video-file.ts';

// The composition root: the only file that knows both the app and the platform.
const startWorker = (): Worker =>
  new Worker(new URL('../workers/vision.ts', import.meta.url), { type: 'module', name: 'vision' });

const bench = new Bench({
  vision: createVisionClient(startWorker),
  camera: createCameraPort(),
  video: createVideoPort(),
  stills: createStillPort(),
  memory: openMemory(() => localStorage),
});

bench.config.listen(window);
bench.shortcuts.listen(window);
mount(App, { target: document.getElementById('app')!, props: { bench } });
bench.start();
if (import.meta.env.PROD) void registerServiceWorker();
