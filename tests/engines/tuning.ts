import { expect } from 'vitest';
import { expectFirstBoxes, shownBoxes } from './bench.ts';
import type { EnginePage } from './engine-page.ts';

/** On the bench with its first boxes: filters by a threshold that is dragged, moved by keys and typed, exports it, and sets it back. */
export async function tuneThreshold(page: EnginePage): Promise<void> {
  const count = async () => (await shownBoxes(page)).length;
  const sideways = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
      .map(({ className }) => className),
  );
  expect(sideways).toEqual([]);

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
  await page.fill({ css: 'input', name: 'Default threshold, exact' }, '0.5');
  await expect.poll(count).toBe(3);
}

/** On the bench with its first boxes: a dialog is closed by going back; another time that comes to the area before it. */
export async function goBack(page: EnginePage): Promise<void> {
  const openDialogs = () => page.evaluate(() => document.querySelectorAll('dialog[open]').length);
  const hash = () => page.evaluate(() => location.hash);
  const openAbout = async () => {
    await page.click({ css: 'button', name: 'Main menu' });
    await page.click({ css: '[role="menuitem"]', name: 'About and attribution' });
    await expect.poll(openDialogs).toBe(1);
  };
  await page.click({ css: 'a', name: 'Data' });
  await expect.poll(hash).toMatch(/^#\/data/);
  const data = await hash();
  await openAbout();
  await page.evaluate(() => history.back());
  await expect.poll(openDialogs).toBe(0);
  expect(await hash()).toBe(data);
  // One that is closed by its button leaves nothing to go back through.
  await openAbout();
  await page.click({ css: 'dialog button', name: 'Close' });
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
  expect(await hash()).toBe(data);
  await page.evaluate(() => history.back());
  await expect.poll(hash).toBe('');
  await expectFirstBoxes(page);
}
