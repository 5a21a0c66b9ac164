import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes, openPanel } from './bench-page.ts';

const app = useApp();

const keptFigure = async (page: Page): Promise<number> =>
  Number.parseInt((await page.getByText(/\d+ kept · \d+ dropped/).textContent()) ?? '', 10);

async function openConfig(page: Page): Promise<void> {
  await page.locator('h1').click();
  await page.keyboard.press('c');
  await page.locator('.cm-content').waitFor();
}

/** The stored JSON of the configuration. */
const configText = async (page: Page): Promise<string> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('sightglass.config') ?? '{}') as { text?: string }).text ?? '');

describe('tuning', () => {
  it('filters at once when a threshold moves, undoes the whole drag, and runs the last good configuration while the JSON is broken; cuts, turns and reorders by mouse and keyboard', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const slider = page.getByRole('slider', { name: 'Default threshold' });
    const before = await keptFigure(page);
    const { x, y, width } = (await slider.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.75, y + 10, { steps: 6 });
    await page.mouse.move(x + width, y + 10, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => keptFigure(page)).toBe(0);
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => keptFigure(page)).toBe(before);
    await expect.poll(() => page.getByLabel('Default threshold, exact').inputValue()).toBe('0.5');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => keptFigure(page)).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => keptFigure(page)).toBe(before);

    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Jump to the threshold of a label').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' });
    await page.keyboard.press('1');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Threshold of face');
    await page.getByLabel('Default threshold, exact').focus();
    await page.keyboard.press('c');
    expect(await page.locator('.cm-content').count()).toBe(0);

    await openConfig(page);
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Home');
    await page.keyboard.type('!');
    await page.getByText('The previous configuration keeps running.').waitFor();
    expect(await keptFigure(page)).toBe(before);
    const exact = page.getByLabel('Default threshold, exact');
    expect(await exact.isDisabled()).toBe(true);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.getByText('The previous configuration keeps running.').count()).toBe(0);
    expect(await exact.isDisabled()).toBe(false);

    // Steps are cut, turned and reordered, by mouse and by keyboard, and switched off without being lost.
    await page.locator('h1').click();
    await openPanel(page, 'Transforms');
    await page.getByRole('button', { name: 'crop', exact: true }).click();
    await page.getByRole('button', { name: 'rotate', exact: true }).click();
    await page.getByTitle('Show the frame: rotate').waitFor();
    await page.locator('[data-step="0"]').click();
    await page.getByRole('button', { name: 'Draw on the stage' }).click();
    const handle = page.getByRole('button', { name: /^Lower right corner/ });
    await handle.focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.getByTitle('Show the frame: crop').textContent()).toContain('1526×1023');
    await page.keyboard.press('Escape');
    await page.locator('[data-step="1"]').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('rotate is now step 1 of 2').waitFor({ state: 'attached' });
    await expect
      .poll(() => page.locator('[data-step]').allTextContents())
      .toEqual([expect.stringContaining('rotate'), expect.stringContaining('crop')]);
    const grip = page.getByTitle('Drag to move, or Alt with ↑ ↓').first();
    await grip.hover();
    await page.mouse.down();
    const below = (await page.locator('[data-step="1"]').boundingBox())!;
    await page.mouse.move(below.x, below.y + below.height + 4, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => page.locator('[data-step="0"]').textContent()).toContain('crop');

    await page.getByRole('switch', { name: 'rotate step on' }).press('Space');
    await expect.poll(() => configText(page)).not.toContain('rotate');
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByText('1 step is switched off and left out.').waitFor();
    await page.getByRole('switch', { name: 'rotate step on' }).press('Space');
    await page.getByRole('tab', { name: 'JSON', exact: true }).click();
    await expect.poll(() => configText(page)).toContain('rotate');
  });
});
