import { mount } from 'svelte';
import './app/theme.css';
import { version } from '../package.json';
import App from './app/App.svelte';
import { Bench, type BenchPorts } from './app/bench/bench.svelte.ts';
import type { CaptureHost } from './app/captures/capture-host.ts';
import type { DataHost } from './app/data/context/data-host.ts';
import type { DatasetFiles } from './app/data/context/dataset-files.ts';
import type { FootagePorts } from './app/bench/footage/footage-ports.ts';
import { followSharedLinks } from './app/bench/config/shared-link.ts';
import { openMemory, openTabMemory } from './app/kit/memory/remembered.ts';
import { tryUntilDone } from './base/schedule/try-until-done.ts';
import { createVisionClient } from '../workers/vision/client/vision-client.ts';
import { configFilePort } from './platform/browser/files/config-file.ts';
import { droppedFiles } from './platform/browser/files/dropped-files.ts';
import { hasRecords } from './platform/browser/indexed-db/has-records.ts';
import { keepStorageOnce } from './platform/browser/storage/keep-storage-once.ts';
import { holdName } from './platform/browser/locks/hold-name.ts';
import { once } from './base/schedule/once.ts';
import { randomId } from './platform/browser/bytes/random-id.ts';
import { registerServiceWorker } from './platform/browser/service-worker/service-worker.ts';
import { createStillPort } from './platform/browser/media/stills.ts';
import { createStorageRoomPort } from './platform/browser/storage/storage-room-port.ts';

// The composition root: the only file that knows both the app and the platform.

// Pages over plain http have none.
crypto.randomUUID ??= randomId as Crypto['randomUUID'];

/** The page's workers. Each is started by its client, most of them with its first call. */
const workers = {
  vision: () => new Worker(new URL('../workers/vision/entry.ts', import.meta.url), { type: 'module', name: 'vision' }),
  fit: () => new Worker(new URL('../workers/fit/entry.ts', import.meta.url), { type: 'module', name: 'fit' }),
  dataService: () =>
    new Worker(new URL('../workers/data-service/entry.ts', import.meta.url), { type: 'module', name: 'data-service' }),
  thumbnails: () =>
    new Worker(new URL('../workers/thumbnails/entry.ts', import.meta.url), { type: 'module', name: 'thumbnails' }),
  datasets: () =>
    new Worker(new URL('../workers/datasets/entry.ts', import.meta.url), { type: 'module', name: 'datasets' }),
  replay: () => new Worker(new URL('../workers/replay/entry.ts', import.meta.url), { type: 'module', name: 'replay' }),
  rowFiles: () =>
    new Worker(new URL('../workers/row-files/entry.ts', import.meta.url), { type: 'module', name: 'row-files' }),
  pointCloud: () =>
    new Worker(new URL('../workers/point-cloud/entry.ts', import.meta.url), { type: 'module', name: 'point-cloud' }),
};

const shared = openMemory(() => localStorage);
const memory = openTabMemory(
  openMemory(() => sessionStorage),
  shared,
);
const storage = createStorageRoomPort();
const keepStorage = keepStorageOnce(storage, shared);
// Fetched when a frame is first kept, or what was kept is looked at. From then on this page takes part in sending it.
const openCaptures = once(async (): Promise<CaptureHost> => {
  const { openCaptureHost } = await import('./platform/browser/outbox/open-capture-host.ts');
  return openCaptureHost({ localTransport: async () => (await openData()).client.transport, keepStorage });
});
// Fetched with the first camera.
const openCameras = once(async () => (await import('./platform/browser/media/camera.ts')).createCameraPort());
// Fetched with the first model of one's own.
const openFitter = once(async () => {
  const { createFitClient } = await import('../workers/fit/client.ts');
  return createFitClient(workers.fit);
});

const keys = async () => (await openCaptures()).keys;

// Fetched when a whole video or folder is first run.
const openFootage = once(async (): Promise<FootagePorts> => {
  const [media, { createIdbFootageStore }, { sha256 }, { prepareBenchModel }] = await Promise.all([
    import('./platform/browser/media/footage.ts'),
    import('./platform/browser/indexed-db/idb-footage-store.ts'),
    import('./platform/browser/bytes/sha256.ts'),
    import('./app/bench/bench-model.ts'),
  ]);
  const { openVideo, openPictures, openWriter } = media;
  const [prepare, store] = [prepareBenchModel(bench), createIdbFootageStore()];
  return { openVideo, openPictures, openWriter, prepare, store, newId: randomId, sha256, version };
});

const openModelTools = () => import('./model-tools.ts');

// Fetched with the first picture or video of one's own, or with a visit that had one.
const openSources = once(async () => {
  const { createIdbSourceStore } = await import('./platform/browser/indexed-db/idb-source-store.ts');
  return createIdbSourceStore();
});
const sourceStore: BenchPorts['visits']['store'] = {
  find: async (...asked) => (await openSources()).find(...asked),
  write: async (...asked) => (await openSources()).write(...asked),
  makeRoom: async (...asked) => (await openSources()).makeRoom(...asked),
  keep: async (...asked) => (await openSources()).keep(...asked),
  point: async (...asked) => (await openSources()).point(...asked),
  read: async (...asked) => (await openSources()).read(...asked),
  request: async (...asked) => (await openSources()).request(...asked),
};

const stills = createStillPort();

const vision = createVisionClient(workers.vision);
const bench = new Bench({
  vision,
  camera: {
    devices: async () => (await openCameras()).devices(),
    open: async (request) => (await openCameras()).open(request),
  },
  video: {
    open: async (...file) => (await import('./platform/browser/media/video-file.ts')).createVideoPort().open(...file),
  },
  stills,
  droppedFiles,
  memory,
  sharedMemory: shared,
  openCaptures,
  openFitter,
  openGraph: async (source) => (await openModelTools()).openGraph(source),
  profileModel: async (...asked) => (await openModelTools()).profileModel(...asked),
  openBackends: openModelTools,
  openFootage,
  visits: {
    store: sourceStore,
    hold: (visitId) => holdName(`sightglass-visit-${visitId}`),
    newId: randomId,
    quotaBytes: async () => (await storage.measure())?.quotaBytes ?? null,
  },
  liveMachine: {
    pageUrl: location.href,
    open: async (url, key, onStep) =>
      (await import('./remote/links/page-machine-link.ts')).openPageMachine(url, key, onStep),
    keys,
  },
  configFile: configFilePort,
  account: {
    pageUrl: location.href,
    open: async (url, key) => (await import('./remote/links/account-link.ts')).openAccountLink(url, key),
    keys,
  },
});

// Fetched with the tab of datasets; its worker starts with the first file.
const openDatasetFiles = once(async (): Promise<DatasetFiles> => {
  const [{ createDatasetClient }, { datasetPickers }] = await Promise.all([
    import('../workers/datasets/client.ts'),
    import('./platform/browser/files/dataset-pickers.ts'),
  ]);
  return { engine: createDatasetClient(workers.datasets), pickers: datasetPickers };
});

// Fetched with the tab of replays; its worker starts with the first captures.
const openReplay = once(async () => (await import('../workers/replay/client.ts')).createReplayClient(workers.replay));

// Fetched when data is first asked for; its worker starts with the first call.
const openData = once(async (): Promise<DataHost & Required<Pick<DataHost, 'samples'>>> => {
  const [
    { benchModel, benchLabels },
    { benchServices },
    { createDataClient },
    { createThumbnailClient },
    { createPointCloudClient },
    { localHome },
    { sampleSet },
    { linkTrouble },
  ] = await Promise.all([
    import('./app/bench/bench-model.ts'),
    import('./app/bench/bench-services.ts'),
    import('../workers/data-service/client.ts'),
    import('../workers/thumbnails/client.ts'),
    import('../workers/point-cloud/client.ts'),
    import('./data-service/face/local-home.ts'),
    import('./app/data/tabs/datasets/drift/sample-set.ts'),
    import('./platform/browser/service-worker/link-trouble.ts'),
  ]);
  const client = createDataClient(workers.dataService, { onUpload: keepStorage });
  const thumbnails = createThumbnailClient(workers.thumbnails);
  const runModel = benchModel(bench);
  return {
    client,
    thumbnails,
    readPointCloud: createPointCloudClient(workers.pointCloud),
    droppedFiles,
    home: localHome,
    storage,
    runModel,
    benchServices: benchServices(bench.config),
    openReplay,
    captures: bench.captures,
    openDatasetFiles,
    writeRows: async (...asked) =>
      (await import('../workers/row-files/client.ts')).writeRows(workers.rowFiles, ...asked),
    openChangeRule: async () => (await import('./platform/browser/indexed-db/idb-change-rule.ts')).idbChangeRule(),
    linkTrouble,
    samples: sampleSet({ client, home: localHome, runModel }, { ...stills, modelLabels: benchLabels(bench) }),
  };
});

// Fetched when the evaluation is first looked at.
const openEvaluation = once(async () =>
  (await import('./open-evaluation.ts')).openEvaluation({
    bench,
    memory,
    sharedMemory: shared,
    openData,
    openDatasetFiles,
  }),
);

bench.areas.listen(window);
bench.visit.listen(window);
bench.shortcuts.listen(window);
// The configuration of a link is there before anything runs under another one.
void followSharedLinks(bench.config, window).then(() =>
  mount(App, { target: document.getElementById('app')!, props: { bench, openData, openEvaluation } }),
);
bench.startUp.listen(window);
// Nothing runs until the bench is looked at.
if (bench.areas.area === 'bench') vision.start();
else bench.startUp.end();
if (import.meta.env.PROD) void registerServiceWorker(bench.startUp.over);
// Pipelines run as long as any page of the app is open, whatever it shows; another one may have made the first.
tryUntilDone(
  async () => {
    const found = await hasRecords('sightglass-data', 'pipelines');
    if (found) (await openData()).client.start();
    return found;
  },
  { firstAfterMs: 8_000, againAfterMs: 60_000 },
);
// What was still to be sent when the last page was closed goes on, and what is captured is in the data of this browser.
tryUntilDone(
  async () => {
    if (await hasRecords('sightglass-captures', 'entries', 'captures')) await bench.captures.open();
    return true;
  },
  { firstAfterMs: 4_000, againAfterMs: 60_000 },
);
