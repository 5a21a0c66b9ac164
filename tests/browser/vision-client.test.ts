import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import type { MachineConfig, VisionServiceConfig } from '../../src/machine/config/parse/machine-config.ts';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { decodePng } from '../../src/platform/decode/png.ts';
import type { BenchPlan, ModelDescription } from '../../workers/vision/protocol.ts';

const documentBase = `${location.origin}/`;

const faces: VisionServiceConfig = {
  name: 'faces',
  mlModelName: 'face-model',
  cameraName: '',
  remapInputNames: {},
  remapOutputNames: {},
  boxOrder: null,
  meanValue: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
  bgr: false,
  defaultMinimumConfidence: 0,
  labelConfidences: {},
  labelPath: '',
};
const config: MachineConfig = { cameras: [], visionServices: [faces] };

function planWith(modelId: string, changes: Partial<BenchPlan> = {}): BenchPlan {
  return {
    config,
    visionName: 'faces',
    cameraName: null,
    models: { faces: { modelId, labels: null } },
    undistortPreview: false,
    shownStage: -1,
    thumbnails: false,
    ...changes,
  };
}

const info = (name: string, index = 0) => ({ name, index, timestampMs: index * 40 });
const sample = async (n: number) => (await fetch(`/builtin/frames/sample${n}.jpg`)).blob();

const workers: Worker[] = [];
function startWorker(): Worker {
  const worker = new Worker(new URL('../../workers/vision/entry.ts', import.meta.url), {
    type: 'module',
    name: 'vision',
  });
  workers.push(worker);
  return worker;
}

/** Ends the newest worker without any event, like a browser that is short of memory. */
function crash(): void {
  workers.at(-1)!.terminate();
}

/** Like `cameraFrame`, but without an alpha channel, like a real camera's frames. */
function opaqueFrame(index: number, size: readonly [number, number]): VideoFrame {
  return cameraFrame(index, size, 'discard');
}

/** A camera frame of one colour. */
function cameraFrame(
  index: number,
  [widthPx, heightPx]: readonly [number, number] = [32, 16],
  alpha: AlphaOption = 'keep',
): VideoFrame {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#ff8000';
  context.fillRect(0, 0, widthPx, heightPx);
  return new VideoFrame(canvas, { timestamp: index * 40_000, alpha });
}

/** A classifier of colours: probability = the means of red, green and blue. */
function colourModel(): File {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 8, 8]);
  const mean = graph.add('ReduceMean', [image, graph.ints([2], [2, 3])], { keepdims: { int: 0 } });
  graph.output('probability', mean, 'float32', [1, 3]);
  const metadata = { names: "{0: 'red', 1: 'green', 2: 'blue'}" };
  return new File([graph.build({ graphName: 'colours', producer: 'test', opset: 18, metadata })], 'colours.onnx');
}

let client: VisionClient;
beforeEach(() => {
  client = createVisionClient(startWorker, documentBase);
});
afterEach(() => client.dispose());

async function loadColours(changes: Partial<BenchPlan> = {}) {
  const model = await client.loadModel({ kind: 'file', file: colourModel() }, { backend: 'wasm' });
  const config = { cameras: [], visionServices: [{ ...faces, meanValue: [0, 0, 0], stdDev: [1, 1, 1] }] };
  const report = await client.setPlan(planWith(model.modelId, { config, ...changes }));
  return { model, report };
}

describe('the vision client', () => {
  it('finds the face in a built-in photograph with the built-in model', async () => {
    const phases = new Set<string>();
    const model = await client.loadModel(
      { kind: 'builtin', id: 'face-detector' },
      { backend: 'wasm', onProgress: ({ phase }) => phases.add(phase) },
    );
    expect(model).toMatchObject({ fileName: 'face-detector.onnx', backend: 'wasm', stored: false, comparison: null });
    expect(model.warmRunMs).toBeNull(); // not measured yet, so that the first frame need not wait for it
    expect([...phases]).toEqual(['reading', 'hashing', 'compiling']);
    const measured = new Promise<ModelDescription>((resolve) => client.onBackendDecided(resolve));

    const report = await client.setPlan(planWith(model.modelId, { thumbnails: true }));
    expect(report.detector).toMatchObject({ able: true, reason: '' });
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    const announced: string[] = [];
    client.onResult(({ frame }) => announced.push(frame.name));
    const result = await client.run(await sample(1), info('sample1.jpg'));

    expect(result?.problems).toEqual([]);
    const { detections } = result!;
    expect((await measured).warmRunMs).toBeGreaterThan(0);
    expect(Math.max(...detections!.score)).toBeGreaterThan(0.7);
    expect([stage.width, stage.height]).toEqual([1920, 1280]);
    expect(result!.stages).toMatchObject([{ type: '', step: -1, widthPx: 1920, heightPx: 1280 }]);
    expect(result!.stages[0]!.thumbnail).toMatchObject({ width: 160, height: 107 });
    expect(announced).toEqual(['sample1.jpg']);
  });

  it('runs a picture beside the one on the stage, which stays there and runs again', async () => {
    await loadColours();
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    await client.run(cameraFrame(0), info('camera'));
    const announced: string[] = [];
    client.onResult(({ frame }) => announced.push(frame.name));
    const aside = await client.runAside(await sample(1), info('sample1.jpg'));
    expect(aside.frame.name).toBe('sample1.jpg');
    expect(aside.stages).toMatchObject([{ widthPx: 1920, heightPx: 1280, thumbnail: null }]);
    expect(aside.classifications!.labels).toEqual(['0', '1', '2']);
    expect([announced, stage.width, stage.height]).toEqual([[], 32, 16]);
    expect((await client.rerun())!.frame.name).toBe('camera');
    await expect(client.runAside(new Blob(['no picture']), info('x'))).rejects.toMatchObject({
      name: 'ImageDecodeError',
    });
  });

  it('says whose pixels a frame has: files that the machine decodes alike, and what only the browser reads', async () => {
    await loadColours();
    const drawn = async (type: string) => {
      const canvas = new OffscreenCanvas(16, 8);
      canvas.getContext('2d')!.fillRect(0, 0, 8, 8);
      return canvas.convertToBlob({ type });
    };
    const webp = await drawn('image/webp');
    const nameless = new Blob([await drawn('image/png')]); // without a type, so that the format must be detected from the bytes
    const decodedBy = [];
    for (const image of [await sample(1), nameless, webp, cameraFrame(0)])
      decodedBy.push((await client.run(image, info('frame')))!.decodedBy);
    expect(decodedBy).toEqual(['sightglass', 'sightglass', 'browser', 'browser']);
    expect((await client.rerun())!.decodedBy).toBe('browser');
    expect((await client.runAside(webp, info('aside'))).decodedBy).toBe('browser');
  });

  it('reads the labels that the metadata offers, and classifies camera frames by index numbers as the machine does', async () => {
    const { model, report } = await loadColours();
    expect(model).toMatchObject({ labels: ['red', 'green', 'blue'], labelsFrom: 'names', producer: 'test' });
    expect(report.classifier.able).toBe(true);
    const result = await client.run(cameraFrame(0), info('camera'));
    expect(result!.classifications!.labels).toEqual(['0', '1', '2']);
    const [red, green, blue] = result!.classifications!.score;
    expect(red).toBeCloseTo(1, 1);
    expect(green).toBeCloseTo(0.5, 1);
    expect(blue).toBeCloseTo(0, 1);
  });

  it('keeps an error its code across the boundary', async () => {
    const notOnnx = new File(['this is no model, only words that go on for a while'], 'words.onnx');
    await expect(client.loadModel({ kind: 'file', file: notOnnx }, { backend: 'wasm' })).rejects.toMatchObject({
      name: 'ModelError',
      code: 'not-onnx',
    });
    const gone = { kind: 'stored', sha256: '00' } as const;
    await expect(client.loadModel(gone, { backend: 'wasm' })).rejects.toMatchObject({ code: 'not-stored' });
    const nowhere = { kind: 'url', url: `${documentBase}builtin/nothing-here.onnx` } as const;
    await expect(client.loadModel(nowhere, { backend: 'wasm' })).rejects.toHaveProperty('code');
    await expect(client.run(new Blob(['no picture']), info('x'))).rejects.toMatchObject({
      name: 'ImageDecodeError',
      code: 'not-an-image',
    });
  });

  it('stops loading when told to', async () => {
    const controller = new AbortController();
    const loading = client.loadModel(
      { kind: 'builtin', id: 'face-detector' },
      { backend: 'wasm', signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('runs the newest frame and lets go of those between', async () => {
    await loadColours();
    const frames = [0, 1, 2, 3].map((index) => cameraFrame(index));
    const results = await Promise.all(frames.map((frame, index) => client.run(frame, info('camera', index))));
    expect(results.map((result) => result?.frame.index ?? null)).toEqual([0, null, null, 3]);
    expect(frames.map(({ format }) => format)).toEqual([null, null, null, null]); // all closed or handed over
  });

  it('runs the last frame again under a new plan', async () => {
    expect(await client.rerun()).toBeNull();
    const { model } = await loadColours();
    await client.run(cameraFrame(5), info('camera', 5));
    await client.setPlan(
      planWith(model.modelId, { models: { faces: { modelId: model.modelId, labels: ['a', 'b', 'c'] } } }),
    );
    const result = await client.rerun();
    expect(result).toMatchObject({ frame: { index: 5 }, classifications: { labels: ['a', 'b', 'c'] } });
  });

  it('has nothing of the frame before where the last one could not be read, or another source was chosen', async () => {
    await loadColours();
    await client.run(cameraFrame(0), info('camera'));
    await expect(client.run(new Blob(['no picture']), info('x'))).rejects.toHaveProperty('code');
    expect([await client.rerun(), await client.currentFrame()]).toEqual([null, null]);
    const announced: string[] = [];
    client.onResult(({ frame }) => announced.push(frame.name));
    const former = client.run(cameraFrame(1), info('camera', 1));
    client.changeSource();
    expect([await former, await client.rerun()]).toEqual([null, null]);
    await client.run(await sample(1), info('sample1.jpg'));
    expect(announced).toEqual(['sample1.jpg']);
  });

  it('draws live frames as large as the stage, and the last one again, in full, where it is looked at closely', async () => {
    await loadColours();
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    client.fillStage({ widthPx: 100, heightPx: 40 });
    const announced: number[] = [];
    client.onResult(({ frame }) => announced.push(frame.index));
    const result = await client.run(opaqueFrame(0, [160, 80]), info('camera'));
    expect([stage.width, stage.height]).toEqual([80, 40]);
    expect(result!.stages).toMatchObject([{ widthPx: 160, heightPx: 80 }]);
    const kept = await client.capture(result!.frame);
    expect([kept!.widthPx, kept!.heightPx]).toEqual([160, 80]);
    client.fillStage(null);
    await vi.waitFor(() => expect([stage.width, stage.height]).toEqual([160, 80]));
    const context = new OffscreenCanvas(160, 80).getContext('2d')!;
    context.drawImage(stage, 0, 0);
    const [red, green, blue] = context.getImageData(80, 40, 1, 1).data;
    expect([red! > 240, green! > 110 && green! < 146, blue! < 16]).toEqual([true, true, true]);
    expect(announced).toEqual([0]);
  });

  it('shows a still as large as the stage once it is at rest, and in full in the task in which it is looked at closely', async () => {
    await loadColours();
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    client.fillStage(null, { widthPx: 100, heightPx: 40 });
    const result = await client.run(opaqueFrame(0, [160, 80]), info('camera'));
    expect([stage.width, stage.height]).toEqual([160, 80]);
    await vi.waitFor(() => expect([stage.width, stage.height]).toEqual([80, 40]));
    const kept = await client.capture(result!.frame);
    expect([kept!.widthPx, kept!.heightPx]).toEqual([160, 80]);
    client.fillStage(null);
    expect([stage.width, stage.height]).toEqual([160, 80]);
    const context = new OffscreenCanvas(160, 80).getContext('2d')!;
    context.drawImage(stage, 0, 0);
    const [red, green, blue] = context.getImageData(159, 79, 1, 1).data;
    expect([red! > 240, green! > 110 && green! < 146, blue! < 16]).toEqual([true, true, true]);
  });

  it('shows the step that the plan asks for, or all of them', async () => {
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    const crop = { xMin: 0, yMin: 0, xMax: 0.5, yMax: 1, overlayCropBox: false };
    const cameras: MachineConfig['cameras'] = [
      { kind: 'source', name: 'webcam' },
      {
        kind: 'transform',
        name: 'left',
        source: 'webcam',
        pipeline: [
          { type: 'crop', attributes: crop },
          { type: 'rotate', attributes: { angleDegs: 90 } },
        ],
        intrinsics: null,
        distortion: null,
      },
    ];
    const { model } = await loadColours();
    const sizes: number[][] = [];
    for (const shownStage of [-1, 0, 1, null]) {
      const visionServices = [{ ...faces, meanValue: [0, 0, 0], stdDev: [1, 1, 1] }];
      await client.setPlan(
        planWith(model.modelId, { config: { cameras, visionServices }, cameraName: 'left', shownStage }),
      );
      await client.run(cameraFrame(0), info('camera'));
      sizes.push([stage.width, stage.height]);
    }
    expect(sizes).toEqual([
      [32, 16],
      [16, 16],
      [16, 16],
      [16, 16],
    ]);
  });

  it('leaves the odd column of a built-in webcam away where a transform camera reads it, and says of what size it was', async () => {
    const { model } = await loadColours();
    const pipeline = [{ type: 'rotate', attributes: { angleDegs: 90 } }] as const;
    const turned = {
      kind: 'transform',
      name: 'turned',
      source: 'webcam',
      pipeline,
      intrinsics: null,
      distortion: null,
    } as const;
    const source = { kind: 'source', name: 'webcam' } as const;
    const stagesOf = async (cameras: MachineConfig['cameras']) => {
      await client.setPlan(
        planWith(model.modelId, { config: { cameras, visionServices: [faces] }, cameraName: 'turned' }),
      );
      return (await client.run(cameraFrame(0, [33, 16]), info('camera')))!.stages;
    };
    expect(await stagesOf([source, turned])).toMatchObject([
      { widthPx: 33, heightPx: 16 },
      { widthPx: 16, heightPx: 33 },
    ]);
    const [read, after] = await stagesOf([{ ...source, builtIn: true }, turned]);
    expect(read).toMatchObject({ widthPx: 32, heightPx: 16, uncut: { widthPx: 33, heightPx: 16 } });
    expect(after).toMatchObject({ widthPx: 16, heightPx: 32 });
    expect(after).not.toHaveProperty('uncut');
  });

  it('says which step failed and shows how far the frame got', async () => {
    const crop = { xMin: 900, yMin: 900, xMax: 950, yMax: 950, overlayCropBox: false };
    const cameras: MachineConfig['cameras'] = [
      { kind: 'source', name: 'webcam' },
      {
        kind: 'transform',
        name: 'far',
        source: 'webcam',
        pipeline: [{ type: 'crop', attributes: crop }],
        intrinsics: null,
        distortion: null,
      },
    ];
    await client.setPlan({
      ...planWith(''),
      config: { cameras, visionServices: [] },
      visionName: null,
      cameraName: 'far',
      models: {},
    });
    const result = await client.run(cameraFrame(0), info('camera'));
    expect(result!.stages).toHaveLength(1);
    expect(result!.problems).toMatchObject([{ where: 'camera "far", step 1 (crop)' }]);
  });

  it('follows a stream until its end, and counts', async () => {
    await loadColours();
    const seen: number[] = [];
    const notices: string[] = [];
    client.onResult(({ frame }) => seen.push(frame.index));
    client.onNotice(({ code }) => notices.push(code));
    let index = 0;
    const frames = new ReadableStream<VideoFrame>(
      {
        async pull(controller) {
          if (index === 20) return controller.close();
          await new Promise(requestAnimationFrame);
          controller.enqueue(cameraFrame(index++));
        },
      },
      { highWaterMark: 0 },
    );
    await client.follow(frames, { name: 'camera' });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(notices).toContain('stream-ended');
  });

  it('starts another worker where one does not start, and says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const neverStarts = () => new Worker(URL.createObjectURL(new Blob(['for (;;);'])));
    let starts = 0;
    const patient = createVisionClient(() => (++starts < 3 ? neverStarts() : startWorker()), documentBase);
    onTestFinished(() => patient.dispose());
    const told: string[] = [];
    patient.onNotice(({ message }) => told.push(message));
    const loading = patient.loadModel({ kind: 'builtin', id: 'face-detector' }, { backend: 'wasm' });
    vi.advanceTimersByTime(14_999);
    expect(starts).toBe(1);
    vi.advanceTimersByTime(1);
    expect(starts).toBe(2);
    vi.advanceTimersByTime(30_000);
    expect(starts).toBe(3);
    expect((await loading).fileName).toBe('face-detector.onnx');
    expect(told).toEqual(Array(2).fill('The vision worker did not start, and was started again.'));
    vi.advanceTimersByTime(600_000);
    expect(starts).toBe(3);
  });

  it('restarts the vision worker if the inference worker that it starts never runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const half = new Worker(new URL('../half-started-vision.ts', import.meta.url), { type: 'module' });
    const runs = new Promise<unknown>((resolve) =>
      half.addEventListener('message', ({ data }) => data === 'runs' && resolve(data)),
    );
    let starts = 0;
    const patient = createVisionClient(() => (++starts === 1 ? half : startWorker()), documentBase);
    onTestFinished(() => patient.dispose());
    const loading = patient.loadModel({ kind: 'builtin', id: 'face-detector' }, { backend: 'wasm' });
    await runs;
    vi.advanceTimersByTime(15_000);
    expect(starts).toBe(2);
    expect((await loading).fileName).toBe('face-detector.onnx');
  });

  it('starts no worker unasked, four at most, and then asks for a reload', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let starts = 0;
    const neverStarts = () => (starts++, new Worker(URL.createObjectURL(new Blob(['for (;;);']))));
    const patient = createVisionClient(neverStarts, documentBase);
    onTestFinished(() => patient.dispose());
    const told: string[] = [];
    patient.onNotice(({ message }) => told.push(message));
    expect(starts).toBe(0);
    patient.start();
    expect(starts).toBe(1);
    patient.start();
    vi.advanceTimersByTime(600_000);
    expect(starts).toBe(4);
    expect(told.at(-1)).toBe('The vision worker does not start: reload the page.');
  });

  it('restarts a worker that died, with its models, plan and picture', async () => {
    const { model } = await loadColours();
    const notices: string[] = [];
    client.onNotice(({ code }) => notices.push(code));
    await client.run(await sample(2), info('sample2.jpg'));
    const underWay = client.rerun();
    crash();
    await expect(underWay).rejects.toMatchObject({ code: 'worker-crashed' });
    expect(notices).toEqual(['worker-restarted']);
    const result = await client.run(cameraFrame(1), info('camera', 1));
    expect(result?.classifications?.labels).toEqual(['0', '1', '2']);
    await client.unloadModel(model.modelId);
    expect((await client.run(cameraFrame(2), info('camera', 2)))!.problems).toMatchObject([{ code: 'no-model' }]);
  });

  it('starts another worker where models that did not open took the memory of one, and goes on with those that did', async () => {
    await loadColours();
    const wrong = (weights: number): File => {
      const graph = new GraphBuilder();
      const image = graph.input('image', 'float32', [1, 3, 8, 8]);
      graph.floats([weights], new Float32Array(weights));
      graph.output('sum', graph.add('Add', [image, graph.ints([1], [1])]), 'float32', [1, 3, 8, 8]);
      return new File([graph.build({ graphName: 'wrong', producer: 'test', opset: 18, metadata: {} })], 'wrong.onnx');
    };
    const opened = (file: File) => client.loadModel({ kind: 'file', file }, { backend: 'wasm' });
    const started = workers.length;
    const small = wrong(10);
    await expect(opened(small)).rejects.toMatchObject({ code: 'unsupported-dtype', keptBytes: small.size });
    expect(workers).toHaveLength(started);
    const large = wrong(13_000_000);
    await expect(opened(large)).rejects.toMatchObject({ code: 'unsupported-dtype', keptBytes: large.size });
    expect(workers).toHaveLength(started + 1);
    const result = await client.run(cameraFrame(1), info('camera', 1));
    expect(result?.classifications?.labels).toEqual(['0', '1', '2']);
  });

  it('keeps a model of its user for the next visit', async () => {
    // Tests of other files share the browser's storage.
    for (const { sha256 } of await client.storedModels()) await client.forgetModel(sha256);
    const { model } = await loadColours();
    expect(model).toMatchObject({ stored: true, storedReason: '' });
    expect(await client.storedModels()).toMatchObject([{ sha256: model.sha256, fileName: 'colours.onnx' }]);
    client.dispose();
    client = createVisionClient(startWorker, documentBase);
    const again = await client.loadModel({ kind: 'stored', sha256: model.sha256 }, { backend: 'wasm' });
    expect(again).toMatchObject({ modelId: model.modelId, fileName: 'colours.onnx' });
    await client.forgetModel(model.sha256);
    expect(await client.storedModels()).toEqual([]);
  });

  it('gives the current frame back as its own file, or as a PNG', async () => {
    expect(await client.currentFrame()).toBeNull();
    const photograph = await sample(3);
    await client.run(photograph, info('sample3.jpg'));
    expect((await client.currentFrame())!.size).toBe(photograph.size);
    await client.run(cameraFrame(0), info('camera'));
    const png = decodePng(new Uint8Array(await (await client.currentFrame())!.arrayBuffer()));
    expect(png).toMatchObject({ widthPx: 32, heightPx: 16 });
  });
});
