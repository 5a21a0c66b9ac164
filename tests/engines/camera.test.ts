import { describe, expect, it } from 'vitest';
import { serveBuiltApp } from '../e2e/app.ts';
import { captured, expectFirstBoxes } from './bench.ts';
import { firefox, useEngine, webKit } from './engines.ts';
import { hasWebKit } from './webkit.ts';

// Each engine's own fake camera. Playwright's build of WebKit has none.
const webKitWithCamera = hasWebKit
  ? webKit
  : { ...webKit, isHere: false, name: 'WebKit (skipped: no fake camera is here)' };

describe.each([firefox, webKitWithCamera])('$name', (tested) => {
  const engine = useEngine(tested);

  it.skipIf(!tested.isHere)('runs the model on a camera from a click until a click', async () => {
    const app = await serveBuiltApp();
    const page = await engine.newPage();
    const shown = () => page.evaluate(() => document.body.innerText);
    await page.driver.goto(app.url);
    await expectFirstBoxes(page);
    await page.click({ css: '[role="tab"]', name: 'Webcam' });
    await page.click({ css: 'button', name: 'Start', within: 'Source' });
    await expect.poll(shown).toContain('webcam live');
    const indices = new Set<number>();
    const capturedFrames = async () => indices.add((await captured(page, {})).source.index).size;
    await expect.poll(capturedFrames).toBeGreaterThan(2);
    await page.click({ css: 'button', name: 'Stop', within: 'Source' });
    await expect.poll(shown).toContain('webcam stopped');
    await app.close();
  });
});
