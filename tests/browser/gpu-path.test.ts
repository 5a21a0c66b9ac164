import { describe, expect, it } from 'vitest';
import type { TransformStep } from '../../src/machine/config/parse/machine-config.ts';
import type { Lens } from '../../src/machine/vision/camera-model/undistort.ts';
import { useSeeingBench } from './fixtures/seeing-bench.ts';

const crop: TransformStep = {
  type: 'crop',
  attributes: { xMin: 0.1, yMin: 0, xMax: 0.8, yMax: 0.9, overlayCropBox: false },
};
const resize: TransformStep = { type: 'resize', attributes: { widthPx: 150, heightPx: 90 } };
const turn: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };
const freeTurn: TransformStep = { type: 'rotate', attributes: { angleDegs: 17 } };
const drawing: TransformStep = {
  type: 'classifications',
  attributes: { serviceName: 'vision', confidenceThreshold: 0, maxClassifications: 1, validLabels: [] },
};
const onGpu = { where: 'gpu', because: '' };

const bench = useSeeingBench();

async function seeThrough(modelId: string, steps: readonly TransformStep[], picture: Blob, lens?: Lens) {
  await bench.look(modelId, steps, lens);
  const result = await bench.client.run(picture, { name: 'picture', index: 0, timestampMs: 0 });
  expect(result!.problems).toEqual([]);
  return result!;
}

/** A sample, small: a GPU in software takes long for 2.5 million pixels, and does the same to fewer. */
async function photograph(): Promise<Blob> {
  const sample = await createImageBitmap(await (await fetch('/builtin/frames/sample1.jpg')).blob());
  const canvas = new OffscreenCanvas(480, 320);
  canvas.getContext('2d')!.drawImage(sample, 0, 0, 480, 320);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

function expectSame(seen: ImageData, expected: ImageData): void {
  expect([seen.width, seen.height]).toEqual([expected.width, expected.height]);
  expect(seen.data.findIndex((sample, at) => sample !== expected.data[at])).toBe(-1);
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
    const picture = await photograph();
    const expected = await seeThrough(await bench.load('wasm'), steps, picture);
    const expectedStage = bench.pixelsOnStage();
    const seen = await seeThrough(await bench.load('webgpu'), steps, picture);
    expect(seen.classifications!.score).toEqual(expected.classifications!.score);
    expectSame(bench.pixelsOnStage(), expectedStage);
    const thumbnailSizes = ({ stages }: typeof seen) => stages.map(({ thumbnail: t }) => [t?.width, t?.height]);
    expect(thumbnailSizes(seen)).toEqual(thumbnailSizes(expected));
    expect(seen.stages.map(({ widthPx, heightPx }) => [widthPx, heightPx])).toEqual(
      expected.stages.map(({ widthPx, heightPx }) => [widthPx, heightPx]),
    );
    expect(seen.placement).toMatchObject({ steps: placed, packing: onGpu });
    expect(seen.placement!.notCaptured).toMatch(/^its output "probability" is another when its orders are repeated$/);
    expect(expected.placement!.packing).toEqual({ where: 'cpu', because: 'the model does not run on the GPU' });
  });

  it('is drawn no larger than the stage shows it, and in full once more is to be seen of it', async () => {
    const picture = await photograph();
    await seeThrough(await bench.load('wasm'), [crop, resize, turn], picture);
    const whole = bench.pixelsOnStage();
    bench.client.fillStage({ widthPx: 45, heightPx: 60 });
    await seeThrough(await bench.load('webgpu'), [crop, resize, turn], picture);
    expect([whole.width, whole.height, bench.stage.width, bench.stage.height]).toEqual([90, 150, 36, 60]);
    bench.client.fillStage(null);
    await expect.poll(() => bench.stage.width).toBe(90);
    expectSame(bench.pixelsOnStage(), whole);
  });

  it("is shown without its lens's distortion to the bit as by the CPU, and seen by the model with it", async () => {
    const picture = await photograph();
    const lens: Lens = {
      intrinsics: { widthPx: 90, heightPx: 150, fx: 90, fy: 100, ppx: 44, ppy: 78 },
      distortion: { rk1: 0.3, rk2: 0.1, rk3: 0.01, tp1: 0.002, tp2: -0.001 },
    };
    const expected = await seeThrough(await bench.load('wasm'), [crop, resize, turn], picture, lens);
    const straightened = bench.pixelsOnStage();
    const seen = await seeThrough(await bench.load('webgpu'), [crop, resize, turn], picture, lens);
    expectSame(bench.pixelsOnStage(), straightened);
    expect(seen.placement!.packing).toEqual(onGpu);
    expect(seen.classifications!.score).toEqual(expected.classifications!.score);
  });

  it('is compared with the CPU on request: pixels, input, outputs and scores', async () => {
    const picture = await photograph();
    await seeThrough(await bench.load('webgpu'), [crop, resize, turn], picture);
    const same = { pixelLevels: 0, tensor: 0, outputs: 0, boxes: null, scores: 0 };
    expect(await bench.client.checkParity()).toEqual(same);
    await seeThrough(await bench.load('webgpu'), [freeTurn], picture);
    const parity = await bench.client.checkParity();
    expect(parity!.pixelLevels).toBeLessThanOrEqual(1);
    await seeThrough(await bench.load('wasm'), [], picture);
    expect(await bench.client.checkParity()).toBeNull();
  });
});
