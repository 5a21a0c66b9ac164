import { mount } from 'svelte';
import './app/theme.css';
import App from './app/App.svelte';
import { Bench } from './app/bench.svelte.ts';
import { createVisionClient } from './clients/create-vision-client.ts';
import { browserCameraPort } from './platform/browser/camera.ts';
import { browserStillPort } from './platform/browser/stills.ts';
import { browserVideoPort } from './platform/browser/video.ts';

// The composition root: the only file that knows both the app and the platform.
const vision = createVisionClient(
  () => new Worker(new URL('../workers/vision.ts', import.meta.url), { type: 'module', name: 'vision' }),
);

const bench = new Bench({
  vision,
  camera: browserCameraPort(),
  video: browserVideoPort(),
  stills: browserStillPort(),
  memory: localStorage,
});

bench.config.listen(window);
bench.shortcuts.listen(window);
mount(App, { target: document.getElementById('app')!, props: { bench } });
bench.start();
