import type { RawImage } from '../../platform/ports/raw-image.ts';
import { describe, expect, it } from 'vitest';
import { nothingPresent } from '../../../tests/present-setup.ts';
import type { FrameResult } from '../../../workers/vision/protocol.ts';
import type { TransformStep } from '../../machine/config/parse/machine-config.ts';
import type { FootageModel } from './footage/footage-ports.ts';
import { benchLabels, benchModel, prepareBenchModel, type BenchOfModel } from './bench-model.ts';

const image = new Blob();
const noColor = { saturation_cutoff_pct: 0, value_cutoff_pct: 0, segment_size_px: 0, label: '', camera_name: '' };
const turned: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };

/** A bench whose detector gives these boxes, each with its score, on the last of these pictures. */
function benchThatGives(boxes: readonly (readonly number[])[], stages: FrameResult['stages'], steps: TransformStep[]) {
  const detections = {
    labels: ['cat'],
    count: boxes.length,
    box: Int32Array.from(boxes.flatMap((box) => box.slice(0, 4))),
    score: Float64Array.from(boxes, ([, , , , score]) => score!),
    labelIndex: Uint32Array.from(boxes, () => 0),
  };
  const result = { stages, detections, classifications: null, problems: [] };
  const bench = {
    serviceName: 'finder',
    plan: {},
    steps: steps.map((step) => ({ step })),
    models: { loading: false, of: () => ({}), fault: null },
    session: { applyPlan: async () => undefined, runAside: async () => result },
    config: { filter: { defaultMinimumConfidence: 0.4, labelConfidences: {} } },
  };
  return benchModel(bench as unknown as BenchOfModel);
}

const size = (step: number, widthPx: number, heightPx: number) => ({ step, widthPx, heightPx });

describe('boxes that the bench gives to the editor', () => {
  it('lie on the picture by their edges, turned back', async () => {
    // Clockwise: the picture's left edge is the top of what the detector saw.
    const run = benchThatGives([[0, 0, 100, 50, 1.5]], [size(-1, 200, 100), size(0, 100, 200)] as never, [turned]);
    expect(await run(image, 'a.jpg')).toEqual({
      by: 'finder',
      boxes: [
        { label: 'cat', confidence: 1, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.25, yMaxNormalized: 1 },
      ],
    });
  });

  it('are those that pass the threshold, cut off at the edges, and none that lies outside', async () => {
    const boxes = [
      [-20, 50, 100, 150, 0.9],
      [0, 0, 200, 100, 0.4],
      [0, 0, 200, 100, 0.39],
      [300, 0, 400, 50, 0.9],
    ];
    const run = benchThatGives(boxes, [size(-1, 200, 100)] as never, []);
    const found = await run(image, 'a.jpg');
    const all = found.boxes.map(({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) => [
      xMinNormalized,
      yMinNormalized,
      xMaxNormalized,
      yMaxNormalized,
    ]);
    expect(all).toEqual([
      [0, 0.5, 0.5, 1],
      [0, 0, 1, 1],
    ]);
  });

  it('have some area: a box on the very edge has none', async () => {
    const boxes = [[200, 0, 240, 100, 0.9]];
    expect((await benchThatGives(boxes, [size(-1, 200, 100)] as never, [])(image, 'a.jpg')).boxes).toEqual([]);
  });
});

describe('the labels of what the bench runs', () => {
  const color = { ...noColor, detect_color: '#336699', hue_tolerance_pct: 0.1 };
  const labelsOf = async (config: object) => {
    const loaded: string[] = [];
    const models = {
      settled: async () => undefined,
      of: () => null,
      loadFirst: async (name: string) => void loaded.push(name),
    };
    const bench = { config, models, labels: { of: () => null }, serviceName: 'finder' };
    return [await benchLabels(bench as never)(), loaded];
  };

  it.each([
    ['its own', { ...color, label: 'ball' }, ['ball']],
    ['that of its hue', color, ['light-blue']],
    ['none, where the machine does not build it', { ...color, detect_color: '#888888' }, null],
  ])('of a colour detector are %s, and no model is loaded for it', async (_, attributes, labels) => {
    expect(await labelsOf({ tunesColor: true, service: { color: attributes } })).toEqual([labels, []]);
    expect(await labelsOf({ tunesColor: true, service: null })).toEqual([null, []]);
  });

  it('load the first model where there is none', async () => {
    expect(await labelsOf({ tunesColor: false, service: {} })).toEqual([null, ['finder']]);
  });
});

describe('the model that is made ready for an evaluation', () => {
  function benchAtRest() {
    const model = { fileName: 'a.onnx', sha256: 'aa', backend: 'wasm', runsAt: '' };
    const bench = {
      serviceName: 'finder',
      plan: {
        config: { cameras: [], visionServices: [] },
        visionName: 'finder',
        cameraName: null,
        models: { finder: { modelId: 'aa', labels: null } },
      },
      steps: [],
      models: { loading: false, of: (_service: string): typeof model | null => model, fault: null },
      session: {
        applyPlan: async () => undefined,
        drawAside: async (...given: unknown[]) => given,
        runAside: async () => ({
          stages: [size(-1, 10, 10)],
          detections: null,
          classifications: { labels: [], score: new Float64Array(0) },
        }),
      },
      config: { cameraName: null as string | null, parsed: { document: { text: 'first' } } },
      present: nothingPresent(),
    };
    return { bench, model, prepare: prepareBenchModel(bench as unknown as BenchOfModel) };
  }

  it('has another key on another backend, and says where it runs', async () => {
    const { model, prepare } = benchAtRest();
    const onCpu = await prepare();
    model.backend = 'webgpu';
    const onGpu = await prepare();
    expect([onCpu.backend, onGpu.backend]).toEqual(['WASM', 'WebGPU']);
    expect(onCpu.key).not.toBe(onGpu.key);
  });

  it('has one key under any label file, and names the classes of what was kept as it does now', async () => {
    const { bench, prepare } = benchAtRest();
    const numbered = await prepare();
    Object.assign(bench.plan.models.finder, { labels: ['ant', 'bee'] });
    const named = await prepare();
    expect([named.key === numbered.key, numbered.isInForce]).toEqual([true, false]);
    const boxes = { labels: ['0', '1'], labelIndex: Uint32Array.of(1, 0), classes: null } as unknown as RawImage;
    expect(named.rename(boxes)).toEqual({ ...boxes, labels: ['ant', 'bee'] });
    expect(numbered.rename(boxes)).toEqual(boxes);
    expect(named.rename({ ...boxes, labels: ['0', '1', '2'], labelIndex: Uint32Array.of(2) })).toBeNull();
    const classes = { ...boxes, labels: ['0', '1', '2'], classes: Float64Array.of(0.2, 0.3, 0.5) };
    expect(named.rename(classes)).toBeNull();
    bench.plan.models.finder.modelId = 'bb';
    expect((await prepare()).key).not.toBe(named.key);
  });

  it('has another key under another label file where a step draws the names, and leaves these as they are', async () => {
    const { bench, prepare } = benchAtRest();
    const step = { type: 'detections', attributes: { serviceName: 'finder' } };
    Object.assign(bench.plan.config, { cameras: [{ kind: 'transform', name: 'drawn', pipeline: [step] }] });
    const numbered = await prepare();
    Object.assign(bench.plan.models.finder, { labels: ['ant', 'bee'] });
    const named = await prepare();
    expect(named.key).not.toBe(numbered.key);
    const boxes = { labels: ['0'], labelIndex: Uint32Array.of(0), classes: null } as unknown as RawImage;
    expect(named.rename(boxes)).toBe(boxes);
  });

  it('runs no image when it has moved to another backend meanwhile', async () => {
    const { model, prepare } = benchAtRest();
    const ready = await prepare();
    await ready.run(image, 'a.jpg');
    model.backend = 'webgpu';
    await expect(ready.run(image, 'a.jpg')).rejects.toMatchObject({ code: 'moved' });
  });

  it('draws what the camera of that configuration shows, and under another one nothing', async () => {
    const { bench, prepare } = benchAtRest();
    const results = { detections: [], classifications: [] };
    const ready = (await prepare()) as Awaited<ReturnType<ReturnType<typeof prepareBenchModel>>> & FootageModel;
    expect(await ready.draw(image, results)).toEqual([image, results, null]);
    bench.config.cameraName = 'cropped';
    await expect(ready.draw(image, results)).rejects.toMatchObject({ code: 'changed' });
  });

  it('is in force until another model or another setup is', async () => {
    const { bench, model, prepare } = benchAtRest();
    const ready = await prepare();
    bench.config.parsed = { document: { text: 'with another threshold' } };
    expect(ready.isInForce).toBe(true);
    model.backend = 'webgpu';
    expect(ready.isInForce).toBe(false);
    model.backend = 'wasm';
    bench.plan.models.finder.modelId = 'bb';
    expect(ready.isInForce).toBe(false);
  });

  it('names what is on the bench now beside what was made ready', async () => {
    const { bench, prepare } = benchAtRest();
    const ready = await prepare();
    bench.serviceName = 'sorter';
    bench.models.of = (service) => ({ fileName: `${service}.onnx`, sha256: 'bb', backend: 'wasm', runsAt: '' });
    expect([ready.modelName, ready.onBench]).toEqual(['a.onnx', { serviceName: 'sorter', modelName: 'sorter.onnx' }]);
    bench.models.of = () => null;
    expect(ready.onBench.modelName).toBe('');
  });

  it('has the configuration that is in force as long as it gives equal results', async () => {
    const { bench, prepare } = benchAtRest();
    const ready = await prepare();
    bench.config.parsed = { document: { text: 'with another threshold' } };
    expect(ready.configText).toBe('with another threshold');
    bench.config = { cameraName: 'cropped', parsed: { document: { text: 'with another camera' } } };
    expect(ready.configText).toBe('with another threshold');
  });
});

describe('an evaluation while a live machine gives frames that have been through the steps', () => {
  it('takes stored images through the steps of the service’s camera all the same', async () => {
    const asked: unknown[] = [];
    const stages = [size(-1, 200, 100), size(0, 100, 200)];
    const detections = {
      labels: ['cat'],
      count: 0,
      box: new Int32Array(0),
      score: new Float64Array(0),
      labelIndex: [],
    };
    const bench = {
      serviceName: 'finder',
      plan: { config: { cameras: [], visionServices: [] }, visionName: 'finder', cameraName: null, models: {} },
      steps: [{ step: turned }],
      models: { loading: false, of: () => ({ backend: 'wasm', runsAt: '' }), fault: null },
      session: {
        applyPlan: async () => undefined,
        runAside: async (...given: unknown[]) => (asked.push(given.slice(1)), { stages, detections, problems: [] }),
      },
      config: { cameraName: 'turned', parsed: { document: { text: '{}' } } },
      present: nothingPresent(),
    };
    const live = await prepareBenchModel(bench as unknown as BenchOfModel)();
    const { seen } = await live.run(image, 'a.jpg');
    expect([asked, seen?.length]).toEqual([[['a.jpg', 'turned', { index: 0, timestampMs: 0 }]], 8]);
    // What was kept is used again, and goes on, whichever source is on the stage.
    const still = { ...bench, plan: { ...bench.plan, cameraName: 'turned' } };
    expect((await prepareBenchModel(still as unknown as BenchOfModel)()).key).toBe(live.key);
  });
});
