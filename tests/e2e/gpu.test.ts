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

async function runOnGpu(page: Page): Promise<void> {
  await pickModel(page, 'colour.onnx', colourClassifier());
  await panel(page, 'Model').getByText('colour.onnx').waitFor();
  await panel(page, 'Model').getByRole('tab', { name: 'WebGPU' }).click();
  await panel(page, 'Model').locator('summary', { hasText: 'Runs on the' }).click();
  await panel(page, 'Model')
    .getByText(/Made on the GPU: .*the model’s input\./)
    .waitFor({ timeout: 90_000 }); // a software GPU beside another file's journeys
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
