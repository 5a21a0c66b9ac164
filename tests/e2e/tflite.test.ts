import { describe, expect, it } from 'vitest';
import { tfliteChannelMeans } from '../tflite-models.ts';
import { useApp } from './app.ts';
import { expectFirstBoxes, openConfiguration, panel, pickModel } from './bench-page.ts';
import { serviceWorkerReady } from './data-client.ts';

const app = useApp();

describe('a TensorFlow Lite model', () => {
  it('loads its runtime when it is opened, and then works without a network', async () => {
    const { context, page } = await app.open({ serviceWorker: true });
    const asked: string[] = [];
    context.on('request', (request) => void (request.url().includes('litert') && asked.push(request.url())));
    await expectFirstBoxes(page);
    expect(asked).toEqual([]);

    await pickModel(page, 'means.tflite', tfliteChannelMeans({ name: 'picture:0', heightPx: 16, widthPx: 16 }));
    const model = panel(page, 'Model');
    const runs = async () => {
      await model.getByText('means.tflite', { exact: true }).waitFor();
      await expect.poll(() => model.innerText()).toMatch(/Classifications\s+look right/);
    };
    await runs();
    expect(asked.some((url) => url.endsWith('.wasm'))).toBe(true);
    await model.getByText('the model’s “picture:0” is “image”').waitFor();
    await openConfiguration(page);
    const lines = page.getByRole('region', { name: 'Configuration' }).locator('.cm-line');
    await lines.getByText('"model": "viam:mlmodel-tflite:tflite_cpu"').waitFor();
    await lines.getByText('"model_path": "means.tflite"').waitFor();

    const isKept = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        const urls = kept.flat().map(({ url }) => url);
        const wanted = [/litert_wasm.*\.js/, /litert_wasm.*\.wasm/, /ort-wasm/];
        return (
          navigator.serviceWorker.controller !== null && wanted.every((part) => urls.some((url) => part.test(url)))
        );
      });
    // The service worker does not control the first visit: it caches requests from the second visit on.
    await serviceWorkerReady(page);
    await page.reload();
    await runs();
    await expect.poll(isKept).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await runs();
  });
});
