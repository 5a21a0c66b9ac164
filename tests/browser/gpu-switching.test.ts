import { expect, it } from 'vitest';
import type { Backend } from '../../src/platform/ports/inference-runtime.ts';
import { createCameraPort } from '../../src/platform/browser/media/camera.ts';
import type { PixelStep } from '../../src/machine/vision/transforms/pixel-step.ts';
import type { Problem } from '../../workers/vision/protocol.ts';
import { useSeeingBench } from './fixtures/seeing-bench.ts';

const bench = useSeeingBench();
const crop = (xMax: number): PixelStep => ({
  type: 'crop',
  attributes: { xMin: 0, yMin: 0, xMax, yMax: 0.9, overlayCropBox: false },
});

it('is switched between models, backends, steps and sources while frames are on their way, and no frame meets a model that is gone', async () => {
  const { client } = bench;
  const said: string[] = [];
  client.onNotice(({ code, message }) => said.push(`${code}: ${message}`));
  const failed: Problem[] = [];
  let results = 0;
  client.onResult(({ problems }) => {
    results++;
    failed.push(...problems);
  });
  const camera = await createCameraPort().open({ widthPx: 320, heightPx: 240 });
  let modelId = await bench.load('webgpu');
  await bench.look(modelId, []);
  const following = client.follow(camera.frames, { name: 'webcam' });
  for (const [round, backend] of (['webgpu', 'wasm', 'webgpu', 'webgpu', 'wasm', 'webgpu'] as Backend[]).entries()) {
    const before = results;
    await expect.poll(() => results).toBeGreaterThan(before + (round % 3));
    const next = bench.load(backend);
    void bench.look(modelId, [crop(0.5 + round / 20)]);
    await bench.look(await next, [crop(0.9 - round / 20), { type: 'rotate', attributes: { angleDegs: 90 } }]);
    if (modelId !== (await next)) await client.unloadModel(modelId);
    modelId = await next;
  }
  const picture = await (await fetch('/builtin/frames/sample1.jpg')).blob();
  await client.stop();
  await following;
  camera.stop();
  client.changeSource();
  const still = await client.run(picture, { name: 'picture', index: 0, timestampMs: 0 });
  expect(still!.placement!.packing.where).toBe('gpu');
  expect(said).toEqual([]);
  expect(failed).toEqual([]); // the model keeps running until the other backend is ready
});
