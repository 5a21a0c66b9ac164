import { mount } from 'svelte';
import './app/theme.css';
import App from './app/App.svelte';
import { Bench } from './app/bench.svelte.ts';
import type { DataHost } from './app/data/data-context.ts';
import { openMemory } from './app/view/remembered.ts';
import { createVisionClient } from './clients/create-vision-client.ts';
import { createCameraPort } from './platform/browser/camera.ts';
import { once } from './platform/browser/once.ts';
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

const startDataWorker = (): Worker =>
  new Worker(new URL('../workers/data-service.ts', import.meta.url), { type: 'module', name: 'data-service' });

// Fetched and started when data is first asked for.
const openData = once(async (): Promise<DataHost> => {
  const [{ createDataClient }, { localHome }, { createStorageRoomPort }] = await Promise.all([
    import('./clients/create-data-client.ts'),
    import('./data-service/access/local-home.ts'),
    import('./platform/browser/storage-room.ts'),
  ]);
  return { client: createDataClient(startDataWorker), home: localHome, storage: createStorageRoomPort() };
});

bench.areas.listen(window);
bench.config.listen(window);
bench.shortcuts.listen(window);
mount(App, { target: document.getElementById('app')!, props: { bench, openData } });
if (import.meta.env.PROD) void registerServiceWorker();
