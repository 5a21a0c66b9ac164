import { proxy, transfer } from 'comlink';
import { connectVisionWorker, type VisionWorkerLink, type WorkerCrash } from './connect-vision-worker.ts';
import type {
  BackendChoice,
  BackendDecided,
  BenchPlan,
  FrameEncoding,
  FrameResult,
  ModelDescription,
  Notice,
  StreamStats,
} from '../protocol.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { ModelSource } from '../../../src/ports/model-source.ts';
import type { ShownFrame } from '../api.ts';
import { Burst } from './burst.ts';
import { CrashRow } from '../../boundary/crash-row.ts';
import { LatestWins } from './latest-wins.ts';
import { Listeners } from './listeners.ts';
import { StageCanvas } from './stage-canvas.ts';
import { StreamMeter } from './stream-meter.ts';
import type { LoadOptions, VisionClient } from './vision-client.ts';

type SourceFrame = Blob | VideoFrame | ImageBitmap;
interface FrameJob {
  /** null = the last frame again */
  readonly frame: SourceFrame | null;
  readonly info: FrameInfo | null;
}

const statsEveryMs = 500;
/** What a person takes for the frame itself; a third of the bytes of quality 1. */
const usualEncoding: FrameEncoding = { mediaType: 'image/jpeg', quality: 0.92 };
const wallClockMs = (): number => performance.timeOrigin + performance.now();
/** So long before a run is expected to end the next frame is made ready: long enough to be, and no older than needed. */
const readyAheadMs = 50;
const mostUnderWay = 3;

/**
 * A client over a worker that it starts, and starts again when it dies: loaded models and the plan come back, calls that
 * were under way reject with `worker-crashed`, and a notice says so.
 */
export function createVisionClient(startWorker: () => Worker, documentBase = document.baseURI): VisionClient {
  const results = new Listeners<FrameResult>();
  const stats = new Listeners<StreamStats>();
  const notices = new Listeners<Notice>();
  const decided = new Listeners<ModelDescription>();
  const loaded = new Map<string, { source: ModelSource; backend: BackendChoice }>();
  let plan: BenchPlan | null = null;
  let lastStill: { frame: Blob; info: FrameInfo } | null = null;
  let stage: StageCanvas | null = null;
  let streamReader: ReadableStreamDefaultReader<VideoFrame> | null = null;
  let disposed = false;
  const crashes = new CrashRow();
  let inferenceMs = Infinity;
  let underWay = 0;
  /** since when the model has been at the frame that it runs */
  let runningSinceMs = 0;
  let offered = 0;
  let shownSerial = 0;
  /** while every frame is kept */
  let burst: Burst | null = null;

  let link = start();
  /** what a call waits for: the restored worker */
  let ready: Promise<void> = Promise.resolve();

  function start(): VisionWorkerLink {
    const started = connectVisionWorker(startWorker());
    crashes.started(performance.now());
    const tellNotice = proxy((notice: Notice | BackendDecided) =>
      notice.code === 'backend-decided' ? decided.tell(notice.model) : notices.tell(notice),
    );
    started.answer(started.api.start(documentBase, tellNotice)).catch(() => undefined); // every later call rejects with it
    started.crashed.catch((crash: WorkerCrash) => {
      if (!disposed && started === link) restart(crash);
    });
    return started;
  }

  function restart({ message }: WorkerCrash): void {
    // It comes back without the models that may have killed it, then not at all.
    const crashesInARow = crashes.crashed(performance.now());
    link.close();
    if (crashesInARow > 2) {
      notices.tell({
        code: 'worker-restarted',
        message: `${message} It stopped three times in a row: reload the page.`,
      });
      ready = link.crashed;
      return;
    }
    if (crashesInARow === 2) loaded.clear();
    link = start();
    ready = restore(link).catch(() => undefined); // the next call says what is missing
    const kept = loaded.size > 0 ? 'Models and settings were restored.' : 'It was started again without models.';
    notices.tell({ code: 'worker-restarted', message: `${message} ${kept}` });
  }

  async function restore({ api, answer }: VisionWorkerLink): Promise<void> {
    for (const [modelId, { source, backend }] of loaded) {
      const ignoreProgress = proxy(() => undefined);
      await answer(api.loadModel(source, backend, ignoreProgress, new AbortController().signal)).catch(() => {
        loaded.delete(modelId);
      });
    }
    if (plan) await answer(api.setPlan(plan));
    if (lastStill) void schedule.offer(lastStill).catch(() => undefined);
  }

  async function call<T>(make: (api: VisionWorkerLink['api']) => Promise<T>): Promise<T> {
    await ready;
    const { api, answer } = link;
    return answer(make(api));
  }

  const schedule = new LatestWins<FrameJob, FrameResult | null>(
    async ({ frame, info }) => {
      const serial = ++offered;
      if (underWay++ === 0) runningSinceMs = performance.now();
      const shown = await call<ShownFrame | null>((api) =>
        frame && info ? api.run(handedOver(frame), info) : api.rerun(),
      ).finally(() => {
        underWay--;
        runningSinceMs = performance.now();
        close(frame); // gone already, unless it was never handed over
      });
      if (!shown) return null;
      if (serial < shownSerial) {
        closeBitmaps(shown);
        return null;
      }
      shownSerial = serial;
      inferenceMs = shown.result.timings.inferenceMs;
      if (stage) stage.show(shown.picture);
      else shown.picture.close();
      const result = { ...shown.result, receivedAtMs: wallClockMs() };
      results.tell(result);
      return result;
    },
    ({ frame }) => close(frame),
    () => Math.min(mostUnderWay, 1 + Math.floor((performance.now() - runningSinceMs + readyAheadMs) / inferenceMs)),
  );

  async function follow(
    frames: ReadableStream<VideoFrame>,
    source: Omit<FrameInfo, 'index' | 'timestampMs'>,
  ): Promise<void> {
    await stop();
    const reader = frames.getReader();
    streamReader = reader;
    lastStill = null;
    const meter = new StreamMeter(performance.now());
    const ticking = setInterval(() => stats.tell(meter.stats(performance.now())), statsEveryMs);
    try {
      for (let index = 0; ; index++) {
        await burst?.room();
        const { done, value: frame } = await reader.read();
        if (done) break;
        const arrivedMs = performance.now();
        meter.frameArrived(arrivedMs);
        const info = { ...source, index, timestampMs: frame.timestamp / 1000, takenAtMs: wallClockMs() };
        void burst?.take(frame, info);
        schedule.offer({ frame, info }).then(
          (result) => {
            const nowMs = performance.now();
            if (result) meter.frameFinished(nowMs, nowMs - arrivedMs);
            else meter.frameDropped();
          },
          () => meter.frameDropped(), // a crash is announced as a notice
        );
      }
      if (streamReader === reader) notices.tell({ code: 'stream-ended', message: `${source.name} ended.` });
    } finally {
      clearInterval(ticking);
      reader.releaseLock();
      if (streamReader === reader) streamReader = null;
    }
  }

  async function stop(): Promise<void> {
    const reader = streamReader;
    streamReader = null;
    schedule.dropWaiting();
    await reader?.cancel();
  }

  return {
    capabilities: () => call((api) => api.capabilities()),
    attachStage(canvas) {
      stage = new StageCanvas(canvas);
    },
    async loadModel(source: ModelSource, { backend, onProgress, signal }: LoadOptions) {
      const description = await call((api) =>
        api.loadModel(source, backend, proxy(onProgress ?? (() => undefined)), signal ?? new AbortController().signal),
      );
      const { modelId, stored } = description;
      loaded.set(modelId, { source: stored ? { kind: 'stored', sha256: modelId } : source, backend });
      return description;
    },
    async unloadModel(modelId) {
      loaded.delete(modelId);
      await call((api) => api.unloadModel(modelId));
    },
    storedModels: () => call((api) => api.storedModels()),
    forgetModel: (sha256) => call((api) => api.forgetModel(sha256)),
    setPlan(next) {
      plan = next;
      return call((api) => api.setPlan(next));
    },
    async run(frame, givenInfo) {
      const info = { takenAtMs: wallClockMs(), ...givenInfo };
      lastStill = frame instanceof Blob ? { frame, info } : null;
      if (burst && !(frame instanceof Blob)) await burst.take(frame, info);
      return schedule.offer({ frame, info });
    },
    runAside: (image, info) => call((api) => api.runAside(image, info)),
    rerun: () => schedule.waiting ?? schedule.offer({ frame: null, info: null }), // a newer frame runs under the new plan anyway
    follow,
    stop,
    currentFrame: () => call((api) => api.currentFrame()),
    capture: (frame, encoding = usualEncoding) => call((api) => api.capture(frame, encoding)),
    startBurst(onFrame, onFailure, encoding = usualEncoding) {
      const started = new Burst(
        (frame, info) => call((api) => api.keepUnseen(transfer(frame, [frame]), info, encoding)),
        onFrame,
        onFailure,
      );
      burst = started;
      return () => {
        if (burst === started) burst = null;
        return started.done();
      };
    },
    onResult: (listener) => results.add(listener),
    onStats: (listener) => stats.add(listener),
    onNotice: (listener) => notices.add(listener),
    onBackendDecided: (listener) => decided.add(listener),
    dispose() {
      disposed = true;
      void stop();
      link.close();
    },
  };
}

function closeBitmaps({ picture, result }: ShownFrame): void {
  picture.close();
  for (const { thumbnail } of result.stages) thumbnail?.close();
}

function handedOver(frame: SourceFrame): SourceFrame {
  return frame instanceof Blob ? frame : transfer(frame, [frame]);
}

function close(frame: SourceFrame | null): void {
  if (frame && !(frame instanceof Blob)) frame.close();
}
