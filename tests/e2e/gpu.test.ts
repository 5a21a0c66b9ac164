import { rmSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { softwareGpuFlags } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { expectFirstBoxes, openPanel, panel, pickModel } from './bench-page.ts';
import { temporaryFolder, writeCameraFilm } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether the browser has WebGPU, at least in software. Otherwise the tests are skipped. */
const hasAdapter = (page: Page): Promise<boolean> =>
  page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));

/** A classifier for the dominant colour, small enough for a software GPU. */
function colourClassifier(): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 24, 32]);
  const means = graph.add('ReduceMean', [image, graph.ints([2], [2, 3])], { keepdims: { int: 0 } });
  graph.output('probability', graph.add('Mul', [means, graph.floats([], [20])]), 'float32', [1, 3]);
  return graph.build({ graphName: 'colour', producer: 'test', opset: 18 });
}

async function chooseGpu(page: Page): Promise<void> {
  await pickModel(page, 'colour.onnx', colourClassifier());
  await panel(page, 'Model').getByText('colour.onnx').waitFor();
  await panel(page, 'Model').getByRole('tab', { name: 'WebGPU' }).click();
  await panel(page, 'Model').locator('summary', { hasText: 'Runs on the' }).click();
}

async function runOnGpu(page: Page): Promise<void> {
  await chooseGpu(page);
  await panel(page, 'Model')
    .getByText(/Made on the GPU: .*the model’s input\./)
    .waitFor();
}

/** Lets a test destroy all GPU devices that are opened from now on in the inference worker. */
async function letGpuBeLost(page: Page): Promise<void> {
  const worker = page.workers().find((one) => one.url().includes('inference'))!;
  await worker.evaluate(() => {
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (descriptor) {
      const device = await requestDevice.call(this, descriptor);
      new BroadcastChannel('gpu').addEventListener('message', () => device.destroy());
      return device;
    };
  });
}

describe('a computer without a GPU', () => {
  const app = useApp();

  it('keeps the model that runs when WebGPU is chosen, shows the choice that it runs by, and says why', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const model = await openPanel(page, 'Model');
    await model.getByRole('tab', { name: 'WebGPU' }).click();
    await model.getByText(/^Not on WebGPU: .*(no adapter|has no WebGPU)/).waitFor();
    await expect.poll(() => model.getByRole('tab', { name: 'Auto' }).getAttribute('aria-selected')).toBe('true');
    await expectFirstBoxes(page);
    expect(await model.getByText('face-detector.onnx').count()).toBeGreaterThan(0);
  });
});

/** Makes the crop shaders in the inference worker compute wrong results, to simulate a faulty driver. */
async function letDriverBeWrong(page: Page): Promise<void> {
  const worker = page.workers().find((one) => one.url().includes('inference'))!;
  await worker.evaluate(() => {
    const { createShaderModule } = GPUDevice.prototype;
    GPUDevice.prototype.createShaderModule = function (descriptor) {
      const code = descriptor.code.replace('params.x_min + id.x', 'params.x_min + (id.x ^ 1)');
      return createShaderModule.call(this, { ...descriptor, code });
    };
  });
}

/** Halves all that the inference worker reads back of the classifier's three scores, to simulate a kernel that computes wrongly. */
async function letModelBeWrong(page: Page): Promise<void> {
  const worker = page.workers().find((one) => one.url().includes('inference'))!;
  await worker.evaluate(() => {
    const { getMappedRange } = GPUBuffer.prototype;
    GPUBuffer.prototype.getMappedRange = function (offset, size) {
      const range = getMappedRange.call(this, offset, size);
      if (size !== undefined && size <= 16) new Float32Array(range).forEach((value, at, all) => (all[at] = value / 2));
      return range;
    };
  });
}

describe('a GPU that computes wrongly', () => {
  const app = useApp(undefined, () => softwareGpuFlags);

  it('packs no frame, or has a model leave it after the first one, which is said, and the frame is run again on the CPU', async ({
    skip,
  }) => {
    const { page } = await app.open();
    if (!(await hasAdapter(page))) skip('this browser has no WebGPU adapter');
    await expectFirstBoxes(page);
    const scores = page.getByRole('region', { name: 'Classifications', exact: true });
    await pickModel(page, 'colour.onnx', colourClassifier());
    await expect.poll(() => scores.innerText()).toMatch(/\d\.\d/);
    const right = await scores.innerText();
    await letDriverBeWrong(page);
    const model = panel(page, 'Model');
    await model.getByRole('tab', { name: 'WebGPU' }).click();
    await model.locator('summary', { hasText: 'Runs on the' }).click();
    const because =
      /Made on the CPU: .*the model’s input, because this GPU computes wrongly: a crop differs from the CPU's by \d+ of/;
    await model.getByText(because).waitFor();
    await expect.poll(() => scores.innerText()).toMatch(/0\.\d/);

    await model.getByRole('tab', { name: 'WASM' }).click();
    await expect.poll(() => model.getByText(because).count()).toBe(0);
    await letModelBeWrong(page);
    await model.getByRole('tab', { name: 'WebGPU' }).click();
    await model
      .getByText('Not on WebGPU: The GPU gave other scores of classes than the CPU for the same frame.')
      .waitFor();
    await page.getByText('colour.onnx goes on on the CPU: the GPU failed at it.').first().waitFor();
    await expect.poll(() => scores.innerText()).toBe(right);
    expect(await model.getByRole('tab', { name: 'WASM' }).getAttribute('aria-selected')).toBe('true');
  });
});

describe('a GPU that goes away', () => {
  const app = useApp(undefined, () => [
    ...softwareGpuFlags,
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${writeCameraFilm(folder, 640, 360)}`,
  ]);

  it('is compared with the CPU on the frame of the stage, and leaves a running camera to it, which is said', async ({
    skip,
  }) => {
    const { page } = await app.open({ permissions: ['camera'] });
    if (!(await hasAdapter(page))) skip('this browser has no WebGPU adapter');
    await expectFirstBoxes(page);
    await letGpuBeLost(page);
    await runOnGpu(page);
    const model = panel(page, 'Model');
    await model.getByText("The GPU's commands for the model are recorded once and repeated for each frame.").waitFor();
    await model.getByRole('button', { name: 'Compare with the CPU' }).click();
    const said = model.getByRole('status').filter({ hasText: 'Pixels' });
    await said.waitFor();
    const apart = /(the same on GPU and CPU, to the bit|up to \d.* apart)\./.source;
    expect((await said.locator('p').allInnerTexts()).join('\n')).toMatch(
      new RegExp(
        '^Pixels: the same on GPU and CPU, to the bit.\nModel’s input: the same on GPU and CPU, to the bit.\n' +
          `Model’s outputs: ${apart}\nScores of classes: ${apart}$`,
      ),
    );
    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
    await panel(page, 'Source').getByText('640 × 360').waitFor();
    await expectOtherScores(page);
    await panel(page, 'Model')
      .getByText(/Made on the GPU: .*the model’s input\./)
      .waitFor();

    await page.evaluate(() => new BroadcastChannel('gpu').postMessage('lose it'));
    await page.getByText('The GPU went away. Its models go on running on the CPU.').waitFor();
    await panel(page, 'Model')
      .getByText(/Made on the CPU: .*the model’s input, because the model does not run on the GPU\./)
      .waitFor();
    await panel(page, 'Model').getByText('Not on WebGPU: The GPU went away.').waitFor();
    expect(await panel(page, 'Model').getByRole('tab', { name: 'WASM' }).getAttribute('aria-selected')).toBe('true');
    await expectOtherScores(page);
  });
});

/** Waits for different scores; the film pans, so its colours change. */
async function expectOtherScores(page: Page): Promise<void> {
  const seen = new Set<string>();
  await expect
    .poll(
      async () => seen.add(await page.getByRole('region', { name: 'Classifications', exact: true }).innerText()).size,
    )
    .toBeGreaterThan(2);
}
