import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { firstSample } from '../e2e/test-media.ts';
import { brightestPixelDetector } from '../models.ts';
import { chooseModel, expectFirstBoxes } from './bench.ts';
import type { EnginePage } from './engine-page.ts';
import { useEngine } from './engines.ts';
import { firefoxPath, startFirefox } from './firefox.ts';

const where = firefoxPath === undefined ? ' (skipped: Firefox is not installed here)' : '';

const folder = mkdtempSync(join(tmpdir(), 'sightglass-engines-'));
let app: RunningApp;
beforeAll(async () => void (app = await serveBuiltApp()));
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true });
});

/** While it is opened, its name is followed by an ellipsis. */
const loaded = /brightest\.onnx(?! …)/;
const shown = (page: EnginePage) => page.evaluate(() => document.body.innerText);

// All tests of WebKit use a private session, the only one that WebDriver gives.
// The data area is opened while the service worker starts: nothing may wait for its claim of the page.
describe(`a private window of Firefox${where}`, () => {
  const engine = useEngine({
    name: 'Firefox',
    isHere: firefoxPath !== undefined,
    start: () => startFirefox({ 'browser.privatebrowsing.autostart': true }),
  });

  it.skipIf(!firefoxPath)('keeps a model and images over a reload', async () => {
    const page = await engine.newPage();
    await page.driver.goto(app.url);
    await expectFirstBoxes(page);
    const model = join(folder, 'brightest.onnx');
    writeFileSync(model, brightestPixelDetector({ input: { dtype: 'uint8' } }));
    await chooseModel(page, model);
    await expect.poll(() => shown(page)).toMatch(loaded);
    await page.evaluate(() => void (location.hash = '#/data/images'));
    await page.chooseFiles({ css: 'input[type="file"][aria-label="Files to import"]' }, firstSample);
    await expect.poll(() => shown(page)).toContain('1 stored');
    await page.driver.reload();
    await expect.poll(() => shown(page)).toContain('sample1.jpg');
    await page.evaluate(() => void (location.hash = '#/bench'));
    await expect.poll(() => shown(page)).toMatch(loaded);
  });
});
