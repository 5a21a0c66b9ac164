import { createIdbBackendDecisions } from '../../src/platform/browser/indexed-db/idb-backend-decisions.ts';
import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { loadFont } from '../../src/platform/browser/media/load-font.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { sha256 } from '../../src/platform/browser/bytes/sha256.ts';
import type { LendingRuntime } from '../inference/client.ts';
import { createVisionApi, type StartVision, type VisionApi } from './api.ts';
import { VisionEngine } from './engine/vision-engine.ts';
import { runtimeVersion } from './runtime-version.ts';

/**
 * Connects the worker's engine with the browser's features.
 * @throws Error if one of the app's own files is missing
 */
export async function startVision(
  runtime: LendingRuntime,
  ...[documentBase, onNotice]: Parameters<StartVision['start']>
): Promise<VisionApi> {
  const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(documentBase)]);
  runtime.lendBy(kernel.lend);
  const engine = new VisionEngine({
    runtime,
    store: createIdbModelStore(),
    decisions: createIdbBackendDecisions(),
    runtimeVersion: runtimeVersion(),
    pictures: createPictureIo(kernel.toRgba, kernel.shrinkToRgba, kernel.planesMemory),
    kernel,
    font,
    fetch: (url, init) => fetch(url, init),
    sha256,
    nowMs: () => performance.now(),
    documentBase,
    onNotice,
  });
  return createVisionApi(engine);
}
