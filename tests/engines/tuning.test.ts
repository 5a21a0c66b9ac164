import { describe, expect, it } from 'vitest';
import { serveBuiltApp } from '../e2e/app.ts';
import { expectFirstBoxes, shownBoxes } from './bench.ts';
import { firefox, useEngine, webKit } from './engines.ts';

describe.each([firefox, webKit])('$name', (tested) => {
  const engine = useEngine(tested);

  it.skipIf(!tested.isHere)(
    'filters by a threshold that is dragged, moved by keys and typed, and exports it',
    async () => {
      const app = await serveBuiltApp();
      const page = await engine.newPage();
      await page.driver.goto(app.url);
      await expectFirstBoxes(page);
      const count = async () => (await shownBoxes(page)).length;

      const { x, y, width, height } = await page.box({
        css: '[role="slider"], input[type="range"]',
        name: 'Default threshold',
      });
      const at = (share: number) => ({ x: x + share * width, y: y + height / 2 });
      await page.driver.pointer([
        { ...at(0.5), does: 'move' },
        { ...at(0.5), does: 'press' },
        { ...at(0.75), does: 'move' },
        { ...at(0.99), does: 'move' },
        { ...at(0.99), does: 'release' },
      ]);
      await expect.poll(count).toBe(0);
      await page.driver.press('Home');
      await expect.poll(count).toBeGreaterThan(2);
      await page.driver.press('End');
      await expect.poll(count).toBe(0);
      await page.fill({ css: 'input', name: 'Default threshold, exact' }, '0.5');
      await expect.poll(count).toBe(3);
      await page.fill({ css: 'input', name: 'Default threshold, exact' }, '0.875');

      await page.click({ css: 'button', name: 'Configuration' });
      await page.click({ css: '[role="tab"]', name: 'Export' });
      const exported = () => page.texts('[aria-label="Exported text"]');
      await expect.poll(async () => (await exported()).join('')).toContain('"default_minimum_confidence": 0.875');
      await app.close();
    },
  );
});
