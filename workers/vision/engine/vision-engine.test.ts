import { expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import { blankFont } from '../../../tests/machine-fixture.ts';
import { GraphBuilder } from '../../../src/onnx/edit-model.ts';
import type { PictureIo } from '../../../src/ports/picture-io.ts';
import { patternFrame } from '../../../src/vision/pattern-frame.ts';
import { referenceStretchKernel } from '../../../src/vision/preprocess/preprocess.ts';
import { VisionEngine, type VisionEnginePorts } from './vision-engine.ts';

const graph = new GraphBuilder();
graph.output('probability', graph.input('image', 'float32', [1, 3, 6, 8]), 'float32', [1, 3, 6, 8]);
const file = new File([graph.build({ graphName: 'same', producer: 'test', opset: 18 })], 'same.onnx');

/** Runs one live frame; resolves to whether it was still open when the model ran, when its picture was made, and in the end. */
async function openDuring(isAllRead: boolean) {
  const isOpen = { inference: true, picture: true, end: true };
  const image = { close: () => void (isOpen.end = false) } as VideoFrame;
  const picture = async () => ((isOpen.picture = isOpen.end), { width: 1, height: 1 } as ImageBitmap);
  const session = fixedSession(
    imageInput([1, 3, 6, 8], 'float32'),
    () => ((isOpen.inference = isOpen.end), { probability: float32([1, 3], [1, 2, 3]) }),
    ['probability'],
  );
  const pictures = {
    read: async () => patternFrame('rgba8', 21, 11),
    readsExactly: async () => false,
    whyColours: () => '',
    isAllRead: () => isAllRead,
    ...{ copy: picture, picture, recycle: () => undefined },
  } as unknown as PictureIo;
  const engine = new VisionEngine({
    runtime: {
      ...{ open: async () => session, lastRunMs: 0, lastTraffic: { sentBytes: 0, receivedBytes: 0 } },
      ...{ onGpuLost: () => undefined, capabilities: async () => ({ webgpu: { available: false, reason: '' } }) },
    } as unknown as VisionEnginePorts['runtime'],
    store: { list: async () => [], write: async () => undefined } as unknown as VisionEnginePorts['store'],
    decisions: { of: async () => [] } as unknown as VisionEnginePorts['decisions'],
    ...{ pictures, kernel: referenceStretchKernel, font: blankFont, documentBase: 'https://bench.example/' },
    fetch: () => Promise.reject(new TypeError('no network')),
    ...{ sha256: async () => '5a', nowMs: () => 0, onNotice: () => undefined },
  });
  const { modelId } = await engine.loadModel({ kind: 'file', file }, 'wasm', () => undefined, AbortSignal.any([]));
  await engine.setPlan({
    config: { cameras: [], visionServices: [visionServiceConfig({ name: 'vision' })] },
    ...{ visionName: 'vision', cameraName: null, models: { vision: { modelId, labels: null } } },
    ...{ undistortPreview: false, shownStage: null, thumbnails: false },
  });
  const { result } = await engine.run(image, { name: 'webcam', index: 0, timestampMs: 0 }, 1, {
    runId: 1,
    within: null,
  });
  expect(result.problems).toEqual([]);
  return isOpen;
}

it('gives a live frame back before the model runs on what was read of it', async () => {
  expect(await openDuring(true)).toEqual({ inference: false, picture: false, end: false });
});

it('gives one that is drawn as it is back once that was done', async () => {
  expect(await openDuring(false)).toEqual({ inference: true, picture: true, end: false });
});
