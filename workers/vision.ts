import { VisionEngine } from '../src/engine/vision-engine.ts';
import { createIdbModelStore } from '../src/platform/browser/idb-model-store.ts';
import { loadFont } from '../src/platform/browser/load-font.ts';
import { loadStretchKernel } from '../src/platform/browser/load-stretch-kernel.ts';
import { createOnnxRuntime } from '../src/platform/browser/onnxruntime.ts';
import { createPictureIo } from '../src/platform/browser/picture-io.ts';
import { sha256 } from '../src/platform/browser/sha256.ts';
import { exposeVisionWorker } from '../src/rpc/expose-vision-worker.ts';

// A thread of ONNX Runtime runs its worker's own entry again, under a name of its own: it must not answer the page.
if (!self.name.startsWith('em-pthread')) {
  exposeVisionWorker(async (documentBase, onNotice) => {
    const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(documentBase)]);
    return new VisionEngine({
      runtime: createOnnxRuntime(),
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
}
