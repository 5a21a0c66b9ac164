import { expect, it } from 'vitest';
import { createCameraPort } from '../../src/platform/browser/media/camera.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { applyPixelStep, type PixelStep } from '../../src/machine/vision/transforms/pixel-step.ts';
import type { FrameResult, KeptFrame } from '../../workers/vision/protocol.ts';
import { useSeeingBench } from './fixtures/seeing-bench.ts';

/** More frames than a camera has buffers: if one is not closed, the camera stops. */
const framesSeen = 8;
const steps: readonly PixelStep[] = [
  { type: 'crop', attributes: { xMin: 0.1, yMin: 0, xMax: 0.8, yMax: 0.9, overlayCropBox: false } },
  { type: 'rotate', attributes: { angleDegs: 90 } },
];

const bench = useSeeingBench();

interface Seen {
  readonly result: FrameResult;
  readonly shown: ImageData;
  readonly kept: KeptFrame | null;
}

it('shows of each frame what the steps on the GPU made of it, keeps the same pixels, and gives every frame back', async () => {
  await bench.look(await bench.load('webgpu'), steps);
  const { client } = bench;
  const camera = await createCameraPort().open({ widthPx: 320, heightPx: 240 });
  const seen: Promise<Seen>[] = [];
  const enough = new Promise<void>((resolve) => {
    client.onResult((result) => {
      const shown = bench.pixelsOnStage();
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
