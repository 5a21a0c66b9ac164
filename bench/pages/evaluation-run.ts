import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { prepareBenchModel } from '../../src/app/bench/bench-model.ts';
import { Evaluation, type EvaluationPorts } from '../../src/app/evaluate/evaluation/evaluation.svelte.ts';
import type { TruthImage } from '../../src/app/evaluate/ports/truth-source.ts';
import { createIdbResultStore } from '../../src/platform/browser/indexed-db/idb-result-store.ts';
import type { RawImage } from '../../src/platform/ports/raw-image.ts';
import { createEvaluationClient } from '../../workers/evaluation/client.ts';
import { crowdedScenes } from '../crowded-scenes.ts';
import { openBareInference } from './bare-inference.ts';
import { scansOf } from '../../tests/scanned-hashes.ts';
import { noFeeding } from '../../tests/no-feeding.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

const engine = createEvaluationClient(
  () => new Worker(new URL('../../workers/evaluation/entry.ts', import.meta.url), { type: 'module' }),
);

const forgetful = { getItem: () => null, setItem: () => undefined };

/** An evaluation of one set of images, over the real worker and the real store. */
async function evaluationOf(images: readonly TruthImage[], bytes: Blob, prepare: EvaluationPorts['prepare']) {
  const made = new Uint8Array(await bytes.arrayBuffer());
  const evaluation = new Evaluation({
    openTruth: async () => ({
      sets: async () => [{ id: 'set', name: 'Set' }],
      images: async () => images,
      bytes: async (_, ids) => new Map(ids.map((id) => [id, made])),
      pairs: async () => null,
      keepPairs: async () => undefined,
      editorHref: () => '#',
    }),
    prepare,
    store: createIdbResultStore(),
    engine,
    thumbnails: () => Promise.reject(new Error('No picture is drawn here.')),
    memory: forgetful,
    sharedMemory: forgetful,
    version: 'bench',
    now: () => performance.now(),
    openKey: null,
    openScans: scansOf({}),
    samples: () => Promise.reject(new Error('No samples are needed here.')),
    feeding: noFeeding,
  });
  await evaluation.refresh();
  return evaluation;
}

/** Runs the model on the set and computes the metrics as the page does. Resolves to the time of all that in ms. */
async function runWhole(evaluation: Evaluation): Promise<number> {
  const startMs = performance.now();
  const counting = setInterval(() => void evaluation.count(), 250);
  await evaluation.start();
  clearInterval(counting);
  await evaluation.count();
  const { state, failed } = evaluation.run;
  if (state.kind !== 'done' || failed.length > 0)
    throw new Error(`The run ended as ${JSON.stringify([state, failed])}`);
  return performance.now() - startMs;
}

/** A photograph of the size that datasets usually have. */
async function photograph(): Promise<Blob> {
  const large = await createImageBitmap(await (await fetch('./builtin/frames/sample1.jpg')).blob());
  const canvas = new OffscreenCanvas(640, 427);
  canvas.getContext('2d')!.drawImage(large, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
}

const plainImage = (id: string): TruthImage => ({
  id,
  name: `${id}.jpg`,
  sizeBytes: 1,
  boxes: [],
  labels: [],
  sequence: '',
});

/** Alternates session.run alone with an evaluation of the same number of new images; times in ms. */
async function measure(modelPath: string, rounds: number, imagesEach: number) {
  const client = startClient();
  const { wasmThreads: threads } = await client.capabilities();
  const bench = createBench(client);
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  const url = new URL(modelPath, document.baseURI).href;
  if (!(await bench.models.load({ kind: 'url', url }, bench.serviceName))) {
    throw new Error(bench.models.fault?.message ?? 'The model did not load.');
  }
  const bare = await openBareInference(modelPath, threads);
  const bytes = await photograph();
  const bares: number[] = [];
  const runs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const count = round < 0 ? 20 : imagesEach; // the first round is a warm-up
    const ids = Array.from({ length: count }, (_, at) => `${performance.timeOrigin} ${round} ${at}`);
    const bareMs = (await bare(count)).reduce((sum, ms) => sum + ms, 0);
    const runMs = await runWhole(await evaluationOf(ids.map(plainImage), bytes, prepareBenchModel(bench)));
    if (round < 0) continue;
    bares.push(bareMs);
    runs.push(runMs);
  }
  client.dispose();
  return { threads, bares, runs };
}

function byImage<T extends { readonly image_id: number }>(rows: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) {
    const own = found.get(row.image_id);
    if (own) own.push(row);
    else found.set(row.image_id, [row]);
  }
  return found;
}

/** The images of crowded scenes and their detections, in the form that the page uses. */
function crowded(imageCount: number, boxesAnImage: number, labelCount: number) {
  const { truth, results } = crowdedScenes(imageCount, boxesAnImage, labelCount);
  const labels = truth.categories.map(({ name }) => name);
  const resultsOf = byImage(results);
  const truthOf = byImage(truth.annotations);
  const raws = new Map<string, RawImage>();
  const images = truth.images.map(({ id, width, height }): TruthImage => {
    const found = resultsOf.get(id) ?? [];
    raws.set(`${id}.jpg`, {
      widthPx: width,
      heightPx: height,
      labels,
      labelIndex: Uint32Array.from(found, ({ category_id }) => category_id - 1),
      score: Float64Array.from(found, ({ score }) => score),
      box: Float64Array.from(found.flatMap(({ bbox }) => bbox)),
      seen: null,
      classes: null,
    });
    const boxes = (truthOf.get(id) ?? []).map(({ bbox: [x, y, boxWidth, boxHeight], category_id }) => ({
      label: labels[category_id - 1]!,
      isModelMade: false,
      xMinNormalized: x! / width,
      yMinNormalized: y! / height,
      xMaxNormalized: (x! + boxWidth!) / width,
      yMaxNormalized: (y! + boxHeight!) / height,
    }));
    return { ...plainImage(String(id)), boxes };
  });
  return { images, raws };
}

/**
 * Opens the app with an evaluation of crowded scenes whose results are already there. Resolves to the time in ms for
 * computing all metrics once in the worker.
 */
async function openCrowded(imageCount: number, boxesAnImage: number, labelCount: number): Promise<number> {
  const { images, raws } = crowded(imageCount, boxesAnImage, labelCount);
  const bench = createBench(startClient());
  const key = `crowded ${performance.timeOrigin}`;
  const evaluation = await evaluationOf(images, await photograph(), async () => ({
    key,
    serviceName: 'finder',
    modelName: 'crowded',
    sha256: '',
    cameraName: null,
    models: [],
    backend: 'WASM',
    configText: '{}',
    isInForce: true,
    onBench: { serviceName: 'finder', modelName: 'crowded' },
    setup: '',
    rename: (kept) => kept,
    run: async (_, name) => raws.get(name)!,
  }));
  await runWhole(evaluation);
  location.hash = '#/evaluate';
  bench.areas.listen(window);
  mount(App, {
    target: document.getElementById('app')!,
    props: { bench, openData: noData, openEvaluation: async () => evaluation },
  });
  Object.assign(globalThis, { evaluation });
  const { serial } = evaluation.measured!;
  const startMs = performance.now();
  await engine.count(serial);
  return performance.now() - startMs;
}

/** Time in ms for creating the report of the open evaluation. */
async function makeReport(): Promise<number> {
  const { evaluation } = globalThis as unknown as { evaluation: Evaluation };
  const measured = evaluation.measured!;
  const thresholds = new Float64Array(measured.boxes.space.labels.length).fill(0.5);
  const startMs = performance.now();
  await evaluation.report(measured, thresholds, { goal: { kind: 'best-f1' }, format: 'html' });
  return performance.now() - startMs;
}

/** Time in ms from each move of the threshold line until the page has painted the change. */
async function dragLine(moves: number): Promise<number[]> {
  const line = document.querySelector<HTMLInputElement>('input[type=range][aria-label^="Threshold of"]')!;
  const times: number[] = [];
  for (let move = 0; move < moves; move++) times.push(await moveMs(line, 0.05 + (0.9 * move) / moves));
  line.dispatchEvent(new Event('change'));
  return times;
}

/** The page moves its line in the next animation frame; a message that is sent in the one after is handled after its paint. */
function moveMs(line: HTMLInputElement, value: number): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      line.valueAsNumber = value;
      let startMs = 0;
      requestAnimationFrame(() => (startMs = performance.now()));
      line.dispatchEvent(new Event('input'));
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve(performance.now() - startMs);
        };
        port2.postMessage(null);
      });
    });
  });
}

Object.assign(globalThis, { measure, openCrowded, makeReport, dragLine });
