import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import { createBench } from '../../bench/pages/headless-bench.ts';
import type { VisionClient } from '../../workers/vision/client/vision-client.ts';
import type { FrameResult, ModelDescription } from '../../workers/vision/protocol.ts';
import DetectionTable from '../../src/app/bench/panels/results/DetectionTable.svelte';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';
import { noTimings } from '../no-timings.ts';

const unable = { able: false, tensors: [], warnings: [], reason: '', code: '' };
const report = { detector: unable, classifier: unable, problems: [] };

function resultOf(index: number, score = 0.9): FrameResult {
  const detections = {
    count: 1,
    labels: ['cat'],
    labelIndex: new Uint32Array(1),
    score: Float64Array.of(score),
    box: Int32Array.of(1, 2, 3, 4),
    frameWidthPx: 10,
    frameHeightPx: 10,
    droppedNaN: 0,
    boxSpace: 'absolute' as const,
  };
  const frame = { name: 'a.png', index, timestampMs: 0 };
  return { frame, stages: [], detections, classifications: null, problems: [], timings: noTimings };
}

/** A bench over a fake worker that loads "https://…/NAME" as the model NAME. The test can delay setting a plan. */
function begin() {
  const listeners: ((result: FrameResult) => void)[] = [];
  let gate = Promise.resolve();
  const ignore = () => () => {};
  const client: Partial<VisionClient> = {
    onBackendDecided: ignore,
    onModelLost: ignore,
    onFailure: ignore,
    onNotice: ignore,
    onStall: ignore,
    onStats: ignore,
    changeSource: () => {},
    storedModels: async () => [],
    unloadModel: async () => {},
    onResult: (listener) => (listeners.push(listener), () => {}),
    capabilities: () => new Promise<never>(() => {}),
    run: () => new Promise<never>(() => {}),
    rerun: async () => null,
    setPlan: async () => (await gate, report),
    async loadModel(source: ModelSource) {
      const modelId = source.kind === 'url' ? source.url.split('/').at(-1)! : 'builtin';
      return {
        modelId,
        fileName: modelId,
        sha256: modelId,
        byteLength: 1,
        backend: 'wasm',
        format: null,
        inputs: [],
        outputs: [],
        labels: null,
        boxOrder: null,
        gpuRefusal: '',
        admission: null,
        metadata: {},
        moduleFindings: [],
        warnings: [],
        storedReason: '',
        stored: false,
      } as unknown as ModelDescription;
    },
  };
  const bench = createBench(client as VisionClient);
  const end = bench.start();
  return {
    bench,
    end,
    announce(result: FrameResult) {
      for (const listener of listeners) listener(result);
      flushSync();
    },
    load: (name: string) => bench.models.load({ kind: 'url', url: `https://example.org/${name}` }, bench.serviceName),
    /** Delays setting plans. Returns the function that continues. */
    hold() {
      let letGo = (): void => {};
      gate = new Promise((resolve) => (letGo = resolve));
      return () => letGo();
    },
  };
}

it('shows no result of the model before under the name of the one that takes its place, and keeps it under its own', async () => {
  const { bench, end, announce, load, hold } = begin();
  const shown = () => bench.results.detections?.count ?? null;
  const modelOf = (result: FrameResult) => bench.madeWith(result).setup.model?.fileName;
  await load('old.onnx');
  const before = resultOf(0);
  announce(before);
  expect([shown(), modelOf(before)]).toEqual([1, 'old.onnx']);

  const letGo = hold();
  const loaded = load('new.onnx');
  await expect.poll(() => bench.models.of(bench.serviceName)?.modelId).toBe('new.onnx');
  flushSync();
  expect([shown(), modelOf(before)]).toEqual([null, 'old.onnx']);
  letGo();
  await loaded;
  const after = resultOf(1);
  announce(after);
  expect([shown(), modelOf(before), modelOf(after)]).toEqual([1, 'old.onnx', 'new.onnx']);
  end();
});

it('lists what the stage shows, however fast frames come and a threshold is dragged', async () => {
  const { bench, end, announce, load } = begin();
  await load('old.onnx');
  document.body.replaceChildren();
  const table = mount(DetectionTable, { target: document.body, props: { bench } });
  const listed = () => [...document.querySelectorAll('tbody td:nth-child(2)')].map((cell) => cell.textContent);
  for (const [index, score] of [0.91, 0.82, 0.73].entries()) {
    announce(resultOf(index, score));
    expect(listed()).toEqual([score.toFixed(3)]);
    expect(bench.results.detections?.score[0]).toBe(score);
  }
  for (const [threshold, kept] of [
    [0.6, 1],
    [0.8, 0],
    [0.7, 1],
    [0.9, 0],
  ] as const) {
    bench.thresholds.setDefault(threshold, true);
    flushSync();
    expect([threshold, bench.results.rows.kept.length, listed().length]).toEqual([threshold, kept, kept]);
  }
  void unmount(table);
  end();
});
