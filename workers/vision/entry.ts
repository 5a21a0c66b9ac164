import { VisionEngine } from './engine/vision-engine.ts';
import { createIdbModelStore } from '../../src/platform/browser/idb-model-store.ts';
import { loadFont } from '../../src/platform/browser/load-font.ts';
import { loadStretchKernel } from '../../src/platform/browser/load-stretch-kernel.ts';
import { createPictureIo } from '../../src/platform/browser/picture-io.ts';
import { randomId } from '../../src/platform/browser/random-id.ts';
import { sha256 } from '../../src/platform/browser/sha256.ts';
import { exposeVisionWorker } from './expose-vision-worker.ts';
import { connectInferenceWorker } from '../inference/inference-worker.ts';
import { tellThatRunning } from '../boundary/worker-life.ts';

const inference = new Worker(new URL('../inference/entry.ts', import.meta.url), { type: 'module', name: 'inference' });

exposeVisionWorker(async (documentBase, onNotice) => {
  const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(documentBase)]);
  return new VisionEngine({
    runtime: connectInferenceWorker(inference),
    store: createIdbModelStore(),
    pictures: createPictureIo(),
    kernel,
    font,
    fetch: (url, init) => fetch(url, init),
    sha256,
    nowMs: () => performance.now(),
    documentBase,
    onNotice,
  });
});
tellThatRunning(self, `sightglass-vision-${randomId()}`);
