import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serveBuiltApp } from '../e2e/app.ts';
import { firstSample } from '../e2e/test-media.ts';
import { binaryPcd, block } from '../e2e/test-point-clouds.ts';
import { expectFirstBoxes } from './bench.ts';
import type { EnginePage } from './engine-page.ts';
import { firefox, useEngine, webKit } from './engines.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightglass-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));

const expectText = (page: EnginePage, text: string | RegExp) =>
  expect.poll(() => page.evaluate(() => document.body.innerText)).toMatch(text);

/** Follows a link of the page itself. */
const go = (page: EnginePage, hash: string) => page.evaluate((to) => void (location.hash = to), hash);

describe.each([firefox, webKit])('$name', (tested) => {
  const engine = useEngine(tested);

  it.skipIf(!tested.isHere)(
    'keeps an image and the box drawn on it over a reload, and evaluates it, and works offline',
    async () => {
      const app = await serveBuiltApp();
      const page = await engine.newPage();
      await page.driver.goto(`${app.url}#/data/images`);
      await page.chooseFiles({ css: 'input[type="file"][aria-label="Files to import"]' }, firstSample);
      await expectText(page, '1 stored');
      await page.driver.reload();
      await page.click({ css: '[role="option"]' });
      await page.driver.press('Enter');

      // The box editor, by a real pointer and real keys: a box around the first face.
      await page.click({ css: 'button', name: 'Edit boxes' });
      const pictureWidth = () =>
        page.evaluate(() => document.querySelector<HTMLCanvasElement>('canvas.picture')?.width);
      await expect.poll(pictureWidth).toBeGreaterThan(300);
      await page.fill({ css: 'input', name: 'New label' }, 'face');
      const { x, y, width, height } = await page.box({ css: '[role="application"]' });
      await page.evaluate(() => document.querySelector<HTMLElement>('[role="application"]')!.focus());
      await page.driver.press('n');
      await page.driver.pointer([
        { x: x + 0.4 * width, y: y + 0.4 * height, does: 'move' },
        { x: x + 0.4 * width, y: y + 0.4 * height, does: 'press' },
        { x: x + 0.5 * width, y: y + 0.5 * height, does: 'move' },
        { x: x + 0.6 * width, y: y + 0.6 * height, does: 'move' },
        { x: x + 0.6 * width, y: y + 0.6 * height, does: 'release' },
      ]);
      await page.driver.press('1');
      const boxes = () =>
        page.evaluate(() => {
          const found = [...document.querySelectorAll('[data-box] > button')];
          return found.map((button) => button.getAttribute('aria-label')!.split(',')[0]);
        });
      await expect.poll(boxes).toEqual(['face']);
      await expect.poll(() => page.texts('[role="status"][aria-label="Saving"]')).toEqual(['Saved']);
      await page.driver.reload();
      await expect.poll(boxes).toEqual(['face']);

      await go(page, '#/evaluate');
      await page.click({ css: 'button:enabled', name: 'Run' });
      await expectText(page, '1 image run');
      await expectText(page, /Precision/);

      // What is kept of the first visits is enough without the server.
      const isKept = () =>
        page.evaluate(async () => {
          const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
          const urls = kept.flat().map(({ url }) => url);
          const wanted = [/ort-wasm/, /face-detector\.onnx/, /sample6\.jpg/];
          return (
            navigator.serviceWorker.controller !== null && wanted.every((part) => urls.some((url) => part.test(url)))
          );
        });
      await go(page, '#/bench');
      await expectFirstBoxes(page);
      await expect.poll(isKept).toBe(true);
      await app.close();
      await page.driver.reload();
      await expectFirstBoxes(page);
      await go(page, '#/data/images');
      await expectText(page, 'sample1.jpg');
    },
  );
});

// Firefox has no WebGL on a machine without a graphics card; the page says so there.
describe(webKit.name, () => {
  const engine = useEngine(webKit);

  it.skipIf(!webKit.isHere)('imports and draws a point cloud', async () => {
    const app = await serveBuiltApp();
    const page = await engine.newPage();
    await page.driver.goto(`${app.url}#/data/point-clouds`);
    const cloud = join(folder, 'red.pcd');
    writeFileSync(cloud, binaryPcd([...block([1, 0, 0], [255, 0, 0]), ...block([-1, 0, 0], [0, 255, 0])]));
    await page.chooseFiles({ css: 'input[type="file"][aria-label="Files to import"]' }, cloud);
    await expectText(page, '1 stored');
    await page.click({ css: '[role="option"]' });
    await page.driver.press('Enter');
    await expectText(page, /points/);
    await app.close();
  });
});
