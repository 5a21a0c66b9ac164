import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCameraPort } from '../../src/platform/browser/camera.ts';
import { createPictureIo } from '../../src/platform/browser/picture-io.ts';
import type { Frame } from '../../src/vision/frame.ts';
import { applyPixelStep, type PixelStep } from '../../src/vision/transforms/pixel-step.ts';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import type { FrameResult, KeptFrame } from '../../workers/vision/protocol.ts';
import { transformCamera, visionServiceConfig } from '../machine-configs.ts';
import { mirrorModel } from './fixtures/mirror-model.ts';

/** More than a camera lends out at a time: one that is not given back would be the last. */
const framesSeen = 8;
const steps: readonly PixelStep[] = [
  { type: 'crop', attributes: { xMin: 0.1, yMin: 0, xMax: 0.8, yMax: 0.9, overlayCropBox: false } },
  { type: 'rotate', attributes: { angleDegs: 90 } },
];

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

function pixelsOn(canvas: CanvasImageSource, width: number, height: number): ImageData {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, width, height);
}

interface Seen {
  readonly result: FrameResult;
  readonly shown: ImageData;
  readonly kept: KeptFrame | null;
}

it('shows of each frame what the steps on the GPU made of it, keeps the same pixels, and gives every frame back', async () => {
  const { modelId } = await client.loadModel({ kind: 'file', file: mirrorModel() }, { backend: 'webgpu' });
  await client.setPlan({
    config: {
      cameras: [{ kind: 'source', name: 'webcam' }, transformCamera('seen', 'webcam', ...steps)],
      visionServices: [visionServiceConfig({ name: 'vision' })],
    },
    ...{ visionName: 'vision', cameraName: 'seen', models: { vision: { modelId, labels: null } } },
    ...{ undistortPreview: false, shownStage: null, thumbnails: true },
  });
  const camera = await createCameraPort().open({ widthPx: 320, heightPx: 240 });
  const seen: Promise<Seen>[] = [];
  const enough = new Promise<void>((resolve) => {
    client.onResult((result) => {
      const shown = pixelsOn(stage, stage.width, stage.height);
      seen.push(client.capture(result.frame, { mediaType: 'image/png' }).then((kept) => ({ result, shown, kept })));
      if (seen.length === framesSeen) resolve();
    });
  });
  const following = client.follow(camera.frames, { name: 'webcam' });
  await enough;
  await client.stop();
  await following;
  camera.stop();

  const pictures = createPictureIo();
  for (const { result, shown, kept } of (await Promise.all(seen)).slice(0, framesSeen)) {
    expect(result.problems).toEqual([]);
    const { steps: placed, packing, colours } = result.placement!;
    expect([colours, ...placed, packing].map((part) => part?.where)).toEqual(['gpu', 'gpu', 'gpu', 'gpu']);
    const source: Frame = await pictures.read(kept!.content);
    const expected = steps.reduce<Frame>(applyPixelStep, source);
    expect([shown.width, shown.height]).toEqual([expected.widthPx, expected.heightPx]);
    expect(shown.data.findIndex((sample, at) => sample !== expected.samples[at])).toBe(-1);
  }
});
