import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { loadFont } from '../../src/platform/browser/media/load-font.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { connectInferenceWorker } from '../inference/client.ts';
import { oneThreadName } from '../inference/thread-count.ts';
import { ortVersion } from '../vision/runtime-version.ts';
import { createBackendsApi } from './api.ts';

answerCalls(
  'backends',
  createBackendsApi({
    store: createIdbModelStore(),
    fetch: (url, init) => fetch(url, init),
    nowMs: () => performance.now(),
    versions: { ort: ortVersion, browser: navigator.userAgent },
    runtimeOf: (kind) =>
      connectInferenceWorker(
        kind === 'one-thread'
          ? new Worker(new URL('../inference/entry.ts', import.meta.url), { type: 'module', name: oneThreadName })
          : new Worker(new URL('../inference/entry.ts', import.meta.url), { type: 'module', name: 'inference' }),
      ),
    async load(documentBase) {
      const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(documentBase)]);
      return { kernel, font, pictures: createPictureIo(kernel.toRgba, kernel.shrinkToRgba, kernel.planesMemory) };
    },
  }),
);
