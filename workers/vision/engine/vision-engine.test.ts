import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { transformCamera, visionServiceConfig } from '../../../tests/machine-configs.ts';
import { blankFont } from '../../../tests/machine-fixture.ts';
import type { Backend } from '../../../src/platform/ports/inference-runtime.ts';
import type { InferenceSession } from '../../../src/machine/vision/inference/inference-session.ts';
import { GraphBuilder } from '../../../src/models/onnx/edit-model.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { patternFrame } from '../../../src/machine/vision/frame/pattern-frame.ts';
import { drawResults } from '../../../src/machine/vision/pipeline.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { PictureSize } from '../../../src/machine/vision/trace/trace.ts';
import { resizeNearest } from '../../../src/machine/vision/transforms/resize.ts';
import type { BackendDecided, BenchPlan, Notice, ShownFrame } from '../protocol.ts';
import { VisionEngine, type VisionEnginePorts } from './vision-engine.ts';

const graph = new GraphBuilder();
graph.output('probability', graph.input('image', 'float32', [1, 3, 6, 8]), 'float32', [1, 3, 6, 8]);
const file = new File([graph.build({ graphName: 'same', producer: 'test', opset: 18 })], 'same.onnx');

const liveFrame = { name: 'webcam', index: 0, timestampMs: 0 };
const order = { runId: 1, within: null };
const session = (onRun = () => {}) =>
  fixedSession(imageInput([1, 3, 6, 8], 'float32'), () => (onRun(), { probability: float32([1, 3], [1, 2, 3]) }), [
    'probability',
  ]);

/** An engine with one loaded model and a clock that stands still. */
async function startedEngine(
  pictures: Partial<PictureIo>,
  thumbnails: boolean,
  opened = session(),
  onGpu?: InferenceSession,
  onNotice: VisionEnginePorts['onNotice'] = () => undefined,
) {
  const pictureIo: Partial<PictureIo> = {
    read: (async () => patternFrame('rgba8', 21, 11)) as PictureIo['read'],
    readsExactly: async () => false,
    whyColours: () => '',
    recycle: () => undefined,
    ...pictures,
  };
  const engine = new VisionEngine({
    runtime: {
      open: async (_: unknown, backend: Backend) => (backend === 'webgpu' ? onGpu : opened),
      lastRunMs: 0,
      lastTraffic: { sentBytes: 0, receivedBytes: 0 },
      onGpuLost: () => undefined,
      capabilities: async () => ({ webgpu: { available: false, reason: '' } }),
    } as unknown as VisionEnginePorts['runtime'],
    store: { list: async () => [], write: async () => undefined } as unknown as VisionEnginePorts['store'],
    decisions: {
      of: async () => [],
      admissionsOf: async () => [],
      keepAdmission: async () => undefined,
      forget: async () => undefined,
    } as unknown as VisionEnginePorts['decisions'],
    runtimeVersion: '1.30',
    pictures: pictureIo as PictureIo,
    kernel: referenceStretchKernel,
    font: blankFont,
    documentBase: 'https://bench.example/',
    fetch: () => Promise.reject(new TypeError('no network')),
    sha256: async () => '5a',
    nowMs: () => 0,
    onNotice,
  });
  const backend = onGpu ? 'webgpu' : 'wasm';
  const { modelId } = await engine.loadModel({ kind: 'file', file }, backend, () => undefined, AbortSignal.any([]));
  await engine.setPlan({
    config: { cameras: [], visionServices: [visionServiceConfig({ name: 'vision' })] },
    visionName: 'vision',
    cameraName: null,
    models: { vision: { modelId, labels: null } },
    undistortPreview: false,
    shownStage: null,
    thumbnails,
  });
  return engine;
}

/** Runs one live frame; resolves to whether the frame was still open during inference, during drawing, and at the end. */
async function openDuring(isAllRead: boolean) {
  const isOpen = { inference: true, picture: true, end: true };
  const image = { close: () => void (isOpen.end = false) } as VideoFrame;
  const picture = async () => ((isOpen.picture = isOpen.end), { width: 1, height: 1 } as ImageBitmap);
  const opened = session(() => (isOpen.inference = isOpen.end));
  const engine = await startedEngine({ isAllRead: () => isAllRead, copy: picture, picture }, false, opened);
  const { result } = await engine.run(image, liveFrame, 1, order);
  expect(result.problems).toEqual([]);
  return isOpen;
}

it('gives a live frame back before the model runs on what was read of it', async () => {
  expect(await openDuring(true)).toEqual({ inference: false, picture: false, end: false });
});

it('gives one that is drawn as it is back once that was done', async () => {
  expect(await openDuring(false)).toEqual({ inference: true, picture: true, end: false });
});

it('draws small pictures of live frames now and then, and of one that is run again in any case', async () => {
  const image = { close: () => undefined } as VideoFrame;
  const picture = async () => ({ width: 1, height: 1 }) as ImageBitmap;
  const engine = await startedEngine({ isAllRead: () => true, picture, thumbnail: picture }, true);
  const isPictured = (shown: ShownFrame | null) => shown!.result.stages.map(({ thumbnail }) => thumbnail !== null);
  expect(isPictured(await engine.run(image, liveFrame, 1, order))).toEqual([true]);
  expect(isPictured(await engine.run(image, liveFrame, 2, order))).toEqual([false]);
  expect(isPictured(await engine.rerun(2, order))).toEqual([true]);
});

it.each(['picture', 'thumbnail'] as const)('closes what was drawn of a frame whose %s cannot be', async (failing) => {
  const closed: string[] = [];
  const image = { close: () => undefined } as VideoFrame;
  const drawing = (name: string) => async (): Promise<ImageBitmap> => {
    if (name === failing) throw new Error('no memory');
    return { width: 1, height: 1, close: () => void closed.push(name) } as ImageBitmap;
  };
  const pictures = { isAllRead: () => true, picture: drawing('picture'), thumbnail: drawing('thumbnail') };
  const engine = await startedEngine(pictures, true);
  await expect(engine.run(image, liveFrame, 1, order)).rejects.toThrow('no memory');
  expect(closed).toEqual([failing === 'picture' ? 'thumbnail' : 'picture']);
});

describe('a service that runs beside the tuned one', () => {
  const services = [visionServiceConfig({ name: 'vision' }), visionServiceConfig({ name: 'other' })];
  const camera = transformCamera('small', 'cam', { type: 'resize', attributes: { widthPx: 4, heightPx: 2 } });
  const model = { modelId: '5a', labels: null };
  const plan: BenchPlan = {
    config: { cameras: [{ kind: 'source', name: 'cam' }, camera], visionServices: services },
    visionName: 'vision',
    cameraName: null,
    models: { vision: model },
    beside: { visionName: 'other', cameraName: 'small', model },
    undistortPreview: false,
    shownStage: null,
    thumbnails: false,
  };
  const picture = async () => ({ width: 1, height: 1, close: () => undefined }) as ImageBitmap;
  const samplesOf = (grey: number) =>
    Uint8ClampedArray.from({ length: 4 * 21 * 11 }, (_, at) => (at % 4 === 3 ? 255 : grey));
  /** Reads a picture of one grey, which the image says. */
  const read = async (image: unknown) => {
    const { grey } = image as { grey: number };
    return { format: 'rgba8', widthPx: 21, heightPx: 11, samples: samplesOf(grey) };
  };
  const seeing = fixedSession(
    imageInput([1, 3, 6, 8], 'float32'),
    (image) => ({ probability: float32([1, 2], [(1 + Number(image.data[0])) / 2, 0]) }),
    ['probability'],
  );
  const imageOf = (grey: number) => ({ grey, close: () => undefined }) as unknown as VideoFrame;

  it('sees the very frame that the tuned one saw, through its own camera, however frames overlap', async () => {
    const engine = await startedEngine(
      { isAllRead: () => true, picture, read: read as PictureIo['read'] },
      false,
      seeing,
    );
    await engine.setPlan(plan);
    const greys = [0, 51, 102, 204];
    const shown = await Promise.all(
      greys.map((grey, at) =>
        engine.run(imageOf(grey), { ...liveFrame, index: at }, at + 1, { ...order, runId: at + 1 }),
      ),
    );
    for (const [at, { result }] of shown.entries()) {
      const [ours, theirs] = [result.classifications!.score[0]!, result.beside!.classifications!.score[0]!];
      expect([result.frame.index, ours]).toEqual([at, expect.closeTo(greys[at]! / 255, 6)]);
      expect(theirs).toBe(ours);
      expect(result.beside).toMatchObject({ visionName: 'other', modelId: '5a', problems: [] });
      expect(result.beside!.stages.map(({ widthPx }) => widthPx)).toEqual([21, 4]);
    }
  });

  it('says what keeps it from running, and leaves the tuned one alone', async () => {
    const engine = await startedEngine({ isAllRead: () => true, picture }, false);
    await engine.setPlan({ ...plan, beside: { ...plan.beside!, model: { ...model, modelId: 'gone' } } });
    const { result } = await engine.run(imageOf(0), liveFrame, 1, order);
    expect(result.problems).toEqual([]);
    expect(result.classifications).not.toBeNull();
    expect(result.beside!.problems).toMatchObject([{ code: 'no-model', where: 'other' }]);
  });

  it('does not run on pictures that do not go to the stage, nor without being asked for', async () => {
    const engine = await startedEngine({ isAllRead: () => true, picture }, false);
    await engine.setPlan(plan);
    expect((await engine.runAside(new Blob(), liveFrame)).beside).toBeUndefined();
    await engine.setPlan({ ...plan, beside: null });
    expect((await engine.run(imageOf(0), liveFrame, 1, order)).result.beside).toBeUndefined();
  });
});

/** A plan that looks through no camera, though its configuration has one, "small", which resizes. */
const planWithoutCamera = (attributes: PictureSize): BenchPlan => ({
  config: {
    cameras: [{ kind: 'source', name: 'cam' }, transformCamera('small', 'cam', { type: 'resize', attributes })],
    visionServices: [visionServiceConfig()],
  },
  visionName: 'vision',
  cameraName: null,
  models: { vision: { modelId: '5a', labels: null } },
  undistortPreview: false,
  shownStage: null,
  thumbnails: false,
});

it('runs a picture aside through a camera that the plan leaves out', async () => {
  const engine = await startedEngine({ picture: async () => ({ close: () => undefined }) as ImageBitmap }, false);
  await engine.setPlan(planWithoutCamera({ widthPx: 4, heightPx: 2 }));
  const widths = async (cameraName?: string | null) =>
    (await engine.runAside(new Blob(), liveFrame, cameraName)).stages.map(({ widthPx }) => widthPx);
  expect([await widths(), await widths(null), await widths('small')]).toEqual([[21], [21], [21, 4]]);
});

it('draws results into what the service sees behind a camera, as the machine draws them', async () => {
  const drawn: unknown[] = [];
  const picture = (async (frame: Frame) => void drawn.push(frame)) as unknown as PictureIo['picture'];
  const engine = await startedEngine({ picture }, false);
  const attributes = { widthPx: 12, heightPx: 8 };
  await engine.setPlan(planWithoutCamera(attributes));
  const detections = [{ label: 'cat', score: 0.5, xMin: 2, yMin: 1, xMax: 10, yMax: 7 }];
  const classifications = [{ label: 'dog', score: 0.25 }];
  const results = { detections, classifications };
  for (const cameraName of [null, 'small']) await engine.drawAside(new Blob(), results, cameraName);
  const source = patternFrame('rgba8', 21, 11);
  const seen = [source, resizeNearest(source, attributes)];
  expect(drawn).toEqual(seen.map((frame) => drawResults(frame, results, blankFont)));
  expect(drawn).not.toEqual(seen);
  const outside = { detections: [{ ...detections[0]!, xMax: 13 }], classifications: [] };
  await expect(engine.drawAside(new Blob(), outside, 'small')).rejects.toMatchObject({ code: 'box-outside-frame' });
});

it('hands the page the highest of more values than any classifier has classes', async () => {
  const scores = Array.from({ length: 30_000 }, (_, at) => at / 30_000);
  const raw = fixedSession(
    imageInput([1, 3, 6, 8], 'float32'),
    () => ({ probability: float32([1, 300, 100], scores) }),
    ['probability'],
  );
  const picture = async () => ({ width: 1, height: 1 }) as ImageBitmap;
  const engine = await startedEngine({ isAllRead: () => true, picture }, false, raw);
  const { result } = await engine.run(new Blob(), liveFrame, 1, order);
  expect(result.classifications).toMatchObject({ unlisted: 29_000 });
  expect(result.classifications!.labels.at(-1)).toBe('29999');
});

describe('a model on the GPU', () => {
  const right = [0.7, 0.2, 0.1];
  /** Right for the tensors that it is warmed up with, and for frames as given: a driver may go wrong only there. */
  async function seenOnGpu(...said: readonly number[][]) {
    const opened: string[] = [];
    const onCpu = () => fixedSession(imageInput([1, 3, 6, 8], 'float32'), { probability: float32([1, 3], right) });
    const onGpu: InferenceSession = {
      ...onCpu(),
      release: async () => void opened.push('left the GPU'),
      gpu: {
        refusal: '',
        run: async ({ widthPx }) => {
          const scores = (widthPx > 21 ? said[1] : said[0])!;
          const results = { probability: float32([1, 3], scores) };
          return { results, shape: [1, 3, 6, 8], pictures: [], packMs: 0, runMs: 0, notCaptured: '' };
        },
        inspect: () => Promise.reject(new Error('never asked')),
      },
    };
    let scale = 1;
    const notices: (Notice | BackendDecided)[] = [];
    const image = () => ({ close: () => undefined }) as VideoFrame;
    const picture = async () => ({ width: 1, height: 1, close: () => undefined }) as ImageBitmap;
    const engine = await startedEngine(
      {
        isAllRead: () => true,
        picture,
        copy: picture,
        read: (async () => patternFrame('rgba8', 21 * scale, 11 * scale)) as PictureIo['read'],
      },
      false,
      { ...onCpu(), release: async () => void opened.push('compared') },
      onGpu,
      (notice) => void notices.push(notice),
    );
    const scoresOf = async (frameId: number) => {
      const { result } = await engine.run(image(), liveFrame, frameId, { ...order, runId: frameId });
      expect(result.problems).toEqual([]);
      return [...result.classifications!.score].map((score) => Number(score.toFixed(3)));
    };
    return { opened, notices, scoresOf, enlarge: () => (scale = 2) };
  }

  const otherScores = 'The GPU gave other scores of classes than the CPU for the same frame.';
  const noNumbers = 'The GPU gave 1 of 3 values of “probability” that are not numbers.';
  it.each([
    ['a wrong kernel', [0.7, 0.2, 0.13], otherScores],
    ['zeros', [0, 0, 0], otherScores],
    ['swapped values', [0.2, 0.7, 0.1], otherScores],
    ['a value that is not a number', [0.7, NaN, 0.1], noNumbers],
    ['an overflow', [0.7, Infinity, 0.1], noNumbers],
  ])('goes on on the CPU after a frame with %s, which is said', async (_, wrong, refusal) => {
    const { opened, notices, scoresOf } = await seenOnGpu(wrong);
    await scoresOf(1);
    await expect.poll(() => notices.length).toBe(2);
    expect(notices[0]).toMatchObject({
      code: 'backend-decided',
      model: {
        backend: 'wasm',
        gpuRefusal: refusal,
        admission: { fault: refusal, frameName: 'webcam', widthPx: 21, heightPx: 11 },
      },
    });
    expect(notices[1]).toMatchObject({
      code: 'gpu-lost',
      message: `same.onnx goes on on the CPU: the GPU failed at it. ${refusal}`,
    });
    expect(opened).toEqual(['compared', 'left the GPU']);
    expect(await scoresOf(2)).toEqual(right);
  });

  it('stays there where only rounding differs, and is not compared again at once', async () => {
    const { opened, notices, scoresOf } = await seenOnGpu([0.7001, 0.1999, 0.1]);
    for (const frameId of [1, 2, 3, 4]) expect(await scoresOf(frameId)).toEqual([0.7, 0.2, 0.1]);
    await expect.poll(() => opened).toEqual(['compared']);
    expect(notices).toMatchObject([
      { code: 'backend-decided', model: { backend: 'webgpu', admission: { fault: '' } } },
    ]);
  });

  it('leaves a GPU that gives zeros above a size, with the first frame of that size', async () => {
    const { notices, scoresOf, enlarge } = await seenOnGpu(right, [0, 0, 0]);
    await scoresOf(1);
    await expect.poll(() => notices.length).toBe(1);
    enlarge();
    await scoresOf(2);
    await expect.poll(() => notices.length).toBe(3);
    expect(notices[1]).toMatchObject({ model: { backend: 'wasm', admission: { fault: otherScores, widthPx: 42 } } });
    expect(await scoresOf(3)).toEqual(right);
  });
});
