import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { fixedDetector } from '../models.ts';
import { tfliteChannelMeans } from '../tflite-models.ts';
import { useApp } from './app.ts';
import {
  chooseFrom,
  expectDetections,
  expectFirstBoxes,
  openConfiguration,
  panel,
  pickModel,
  shownPlace,
} from './bench-page.ts';
import { servePlainly } from './plain-server.ts';

const keptOffline = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const urls = kept.flat().map(({ url }) => url);
    const wanted = [/ort-wasm/, /face-detector\.onnx/, /sample6\.jpg/];
    return navigator.serviceWorker.controller !== null && wanted.every((part) => urls.some((url) => part.test(url)));
  });

describe('a part that its host no longer has', () => {
  const app = useApp();

  it('is told of where it is seen, and asked for anew the next time, what runs a kind of models too', async () => {
    const gone = { contentType: 'text/javascript', body: 'throw new Error("gone")' };
    const { context, page } = await app.open({
      serviceWorker: false, // like some private windows, which have no offline cache
      async prepare(context) {
        await context.route('**/assets/*Dialog-*.js', (route) => route.fulfill(gone));
        await context.route('**/assets/litert-session-*.js', (route) => route.abort('aborted'));
      },
    });
    await expectFirstBoxes(page);
    for (const [key, name] of [
      ['?', 'shortcuts'],
      ['p', 'profile'],
    ] as const) {
      const note = page.getByRole('alert').filter({ hasText: `The ${name} could not be loaded.` });
      for (let time = 0; time < 2; time++) {
        await page.keyboard.press(key);
        await note.waitFor();
        const { y, height } = (await note.boundingBox())!;
        expect(y + height).toBeLessThan(900);
        await note.getByRole('button', { name: 'Dismiss' }).click();
        await note.waitFor({ state: 'detached' });
      }
    }

    await pickModel(page, 'own.tflite', tfliteChannelMeans());
    await page.getByText('What runs TensorFlow Lite models could not be fetched.').first().waitFor();
    await expectDetections(page, 3);
    await context.unroute('**/assets/litert-session-*.js');
    await pickModel(page, 'own.tflite', tfliteChannelMeans());
    await panel(page, 'Model').getByText('own.tflite', { exact: true }).waitFor();
  });
});

describe('on a plain host, in a sub-folder', () => {
  const app = useApp(() => servePlainly('/tools/sightglass/'));

  it('isolates itself by one reload, never loops, and then works without a network', async () => {
    const { context, page } = await app.open({ serviceWorker: true });
    let loads = 1;
    page.on('load', () => (loads += 1));
    await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
    await expectFirstBoxes(page);
    expect(loads).toBe(2);
    await page.reload();
    await expectFirstBoxes(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(loads).toBe(3);
    await chooseFrom(page, 'Main menu', 'About and attribution');
    await page.getByText(/\d+ for WASM$/).waitFor();
    // Browsers cache compiled code only for the host's own answers.
    const headers = await page.evaluate(async () => [...(await fetch('builtin/index.json')).headers.keys()]);
    expect(headers).toContain('content-type');
    expect(headers).not.toContain('cross-origin-embedder-policy');

    // After the first visit everything works without a network, a model of one’s own included.
    await page.keyboard.press('Escape');
    await expect.poll(() => keptOffline(page)).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await expectFirstBoxes(page);
    await openConfiguration(page); // loads a script that was not requested before
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shownPlace(page)).toBe(2);

    const model = fixedDetector({ boxes: [[0, 0, 1, 1]], categories: [0], scores: [0.8] });
    await pickModel(page, 'own.onnx', model);
    await expectDetections(page, 1);
    await page.reload();
    await panel(page, 'Model').getByText('own.onnx').waitFor();
    await expectDetections(page, 1);
  });
});
