import { createIdbBackendDecisions } from '../../src/platform/browser/idb-backend-decisions.ts';
import { createIdbModelStore } from '../../src/platform/browser/idb-model-store.ts';
import { loadFont } from '../../src/platform/browser/load-font.ts';
import { loadStretchKernel } from '../../src/platform/browser/load-stretch-kernel.ts';
import { createPictureIo } from '../../src/platform/browser/picture-io.ts';
import { sha256 } from '../../src/platform/browser/sha256.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { onceStarted } from '../boundary/once-started.ts';
import { connectInferenceWorker } from '../inference/client.ts';
import { createVisionApi, type StartVision } from './api.ts';
import { VisionEngine } from './engine/vision-engine.ts';

const inference = new Worker(new URL('../inference/entry.ts', import.meta.url), { type: 'module', name: 'inference' });

const vision = onceStarted(async (...[documentBase, onNotice]: Parameters<StartVision['start']>) => {
  const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(documentBase)]);
  const engine = new VisionEngine({
    runtime: connectInferenceWorker(inference),
    store: createIdbModelStore(),
    decisions: createIdbBackendDecisions(),
    pictures: createPictureIo(),
    kernel,
    font,
    fetch: (url, init) => fetch(url, init),
    sha256,
    nowMs: () => performance.now(),
    documentBase,
    onNotice,
  });
  return createVisionApi(engine);
});
answerCalls('vision', vision);
