import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes } from './bench-page.ts';

const app = useApp();

describe('the bars of the bench', () => {
  it('have what is used less behind a menu, which keys alone open, walk through and leave', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const opener = page.getByRole('button', { name: 'Stage menu' });
    const menu = page.getByRole('menu', { name: 'Stage menu' });
    await opener.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement!.textContent.trim().replaceAll(/\s+/g, ' '));
    await expect.poll(focused).toBe('Captures');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toMatch(/^Show at 100 %/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('f'); // no fit of the frame: a letter goes to the item that begins with it
    expect(await focused()).toBe('Figures below the stage I');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);

    await opener.press('Enter');
    await expect.poll(focused).toBe('Captures');
    await page.keyboard.press('f');
    await page.keyboard.press('Enter');
    await page.getByLabel('Figures of the running bench').waitFor({ state: 'detached' });
    await menu.waitFor({ state: 'hidden' });
  });

  it('lead to the export by one button, which closes it again', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const button = page.getByRole('button', { name: 'Export configuration' });
    const text = page.getByRole('region', { name: 'Exported text' });
    await button.click();
    await text.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await button.click();
    await text.waitFor({ state: 'detached' });
  });
});
