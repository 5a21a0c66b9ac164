import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransformStep } from '../../src/config/machine-config.ts';
import type { Backend } from '../../src/ports/inference-runtime.ts';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import { transformCamera, visionServiceConfig } from '../machine-configs.ts';
import { mirrorModel } from './fixtures/mirror-model.ts';

const crop: TransformStep = {
  type: 'crop',
  attributes: { xMin: 0.1, yMin: 0, xMax: 0.8, yMax: 0.9, overlayCropBox: false },
};
const resize: TransformStep = { type: 'resize', attributes: { widthPx: 150, heightPx: 90 } };
const turn: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };
const freeTurn: TransformStep = { type: 'rotate', attributes: { angleDegs: 17 } };
const drawing: TransformStep = {
  type: 'classifications',
  attributes: { classifierName: 'vision', confidenceThreshold: 0, maxClassifications: 1, validLabels: [] },
};
const onGpu = { where: 'gpu', because: '' };

let client: VisionClient;
let stage: HTMLCanvasElement;
beforeEach(() => {
  client = createVisionClient(
    () => new Worker(new URL('../../workers/vision/entry.ts', import.meta.url), { type: 'module', name: 'vision' }),
    `${location.origin}/`,
  );
  stage = document.createElement('canvas');
  client.attachStage(stage);
});
afterEach(() => client.dispose());

async function load(backend: Backend): Promise<string> {
  return (await client.loadModel({ kind: 'file', file: mirrorModel() }, { backend })).modelId;
}

async function seeThrough(modelId: string, steps: readonly TransformStep[], picture: Blob) {
  await client.setPlan({
    config: {
      cameras: [{ kind: 'source', name: 'webcam' }, transformCamera('seen', 'webcam', ...steps)],
      visionServices: [visionServiceConfig({ name: 'vision' })],
    },
    ...{
      visionName: 'vision',
      cameraName: steps.length > 0 ? 'seen' : null,
      models: { vision: { modelId, labels: null } },
    },
    ...{ undistortPreview: false, shownStage: null, thumbnails: true },
  });
  const result = await client.run(picture, { name: 'picture', index: 0, timestampMs: 0 });
  expect(result!.problems).toEqual([]);
  return result!;
}

async function pixelsOnStage(): Promise<ImageData> {
  const { width, height } = stage;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(await createImageBitmap(stage), 0, 0);
  return context.getImageData(0, 0, width, height);
}

describe('a model on WebGPU', () => {
  it.each<[string, TransformStep[], object[]]>([
    ['as it is', [], []],
    ['through steps', [crop, resize, turn], [onGpu, onGpu, onGpu]],
    [
      'through a step that draws',
      [crop, drawing, turn],
      [
        { where: 'cpu', because: 'step 2 draws on the picture' },
        { where: 'cpu', because: 'it draws on the picture' },
        onGpu,
      ],
    ],
  ])('is given a photograph %s to the bit as on the CPU, and says what ran where', async (_, steps, placed) => {
    const picture = await (await fetch('/builtin/frames/sample1.jpg')).blob();
    const expected = await seeThrough(await load('wasm'), steps, picture);
    const expectedStage = await pixelsOnStage();
    const seen = await seeThrough(await load('webgpu'), steps, picture);
    expect(seen.classifications!.score).toEqual(expected.classifications!.score);
    const seenStage = await pixelsOnStage();
    expect([seenStage.width, seenStage.height]).toEqual([expectedStage.width, expectedStage.height]);
    expect(seenStage.data.findIndex((sample, at) => sample !== expectedStage.data[at])).toBe(-1);
    const thumbnailSizes = ({ stages }: typeof seen) => stages.map(({ thumbnail: t }) => [t?.width, t?.height]);
    expect(thumbnailSizes(seen)).toEqual(thumbnailSizes(expected));
    expect(seen.stages.map(({ widthPx, heightPx }) => [widthPx, heightPx])).toEqual(
      expected.stages.map(({ widthPx, heightPx }) => [widthPx, heightPx]),
    );
    expect(seen.placement).toMatchObject({ steps: placed, packing: onGpu });
    expect(seen.placement!.notCaptured).toMatch(/^its output "probability" is another when its orders are repeated$/);
    expect(expected.placement!.packing).toEqual({ where: 'cpu', because: 'the model does not run on the GPU' });
  });

  it('is compared with the CPU on request: pixels, input, outputs and scores', async () => {
    const picture = await (await fetch('/builtin/frames/sample1.jpg')).blob();
    await seeThrough(await load('webgpu'), [crop, resize, turn], picture);
    const same = { pixelLevels: 0, tensor: 0, outputs: 0, boxes: null, scores: 0 };
    expect(await client.checkParity()).toEqual(same);
    await seeThrough(await load('webgpu'), [freeTurn], picture);
    const parity = await client.checkParity();
    expect(parity!.pixelLevels).toBeLessThanOrEqual(1);
    await seeThrough(await load('wasm'), [], picture);
    expect(await client.checkParity()).toBeNull();
  });
});
