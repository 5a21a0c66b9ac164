import { expose, releaseProxy, transfer, type Endpoint, type ProxyMarked, type Remote } from 'comlink';
import type { VisionEngine } from './engine/vision-engine.ts';
import { installComlinkHandlers } from '../boundary/comlink-handlers.ts';
import type { BackendDecided, Notice } from './protocol.ts';
import type { ShownFrame, VisionWorkerApi } from './api.ts';

export type CreateEngine = (
  documentBase: string,
  onNotice: (notice: Notice | BackendDecided) => void,
) => Promise<VisionEngine>;

/** The worker's half of the boundary: answers the page's calls with an engine, and transfers what holds pixels. */
export function exposeVisionWorker(createEngine: CreateEngine, endpoint?: Endpoint): void {
  installComlinkHandlers();
  let begin!: (engine: Promise<VisionEngine>) => void;
  const engine = new Promise<VisionEngine>((resolve) => (begin = resolve));
  const api: VisionWorkerApi = {
    async start(documentBase, onNotice) {
      begin(createEngine(documentBase, onNotice));
      await engine;
    },
    capabilities: async () => (await engine).capabilities(),
    async loadModel(source, backend, onProgress, signal) {
      try {
        return await (await engine).loadModel(source, backend, onProgress, signal);
      } finally {
        (onProgress as unknown as Remote<ProxyMarked>)[releaseProxy]();
      }
    },
    unloadModel: async (modelId) => (await engine).unloadModel(modelId),
    storedModels: async () => (await engine).storedModels(),
    forgetModel: async (sha256) => (await engine).forgetModel(sha256),
    setPlan: async (plan) => (await engine).setPlan(plan),
    run: async (frame, info) => handedOver(await (await engine).run(frame, info)),
    async rerun() {
      const shown = await (await engine).rerun();
      return shown && handedOver(shown);
    },
    runAside: async (image, info) => (await engine).runAside(image, info),
    currentFrame: async () => (await engine).currentFrame(),
    capture: async (frame, encoding) => (await engine).capture(frame, encoding),
    keepUnseen: async (frame, info, encoding) => (await engine).keepUnseen(frame, info, encoding),
  };
  expose(api, endpoint);
}

function handedOver(shown: ShownFrame): ShownFrame {
  const thumbnails = shown.result.stages.flatMap(({ thumbnail }) => thumbnail ?? []);
  return transfer(shown, [shown.picture, ...thumbnails]);
}
