import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes } from './bench-page.ts';

const app = useApp();

/** What a visitor sees before the first touch: its words, its controls, and the sizes of its type in px. */
function seenAtFirst() {
  const isInSight = (box: DOMRect): boolean =>
    box.width > 1 &&
    box.height > 1 &&
    box.bottom > 0 &&
    box.right > 0 &&
    box.top < innerHeight &&
    box.left < innerWidth;
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && isInSight(element.getBoundingClientRect());
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="listbox"]')]
    .filter(isShown)
    .filter((control) => !control.closest('tbody')) // the rows of a table are one list, which Tab enters once
    .map((control) => control.getAttribute('aria-label') ?? control.textContent.trim());
  const words: string[] = [];
  const sizes = new Set<string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const around = text.parentElement!;
    if (!around.checkVisibility({ visibilityProperty: true }) || !isInSight(range.getBoundingClientRect())) continue;
    if (around.closest('.visually-hidden, option')) continue;
    const found = text.textContent!.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    if (found.length > 0) sizes.add(getComputedStyle(around).fontSize);
    words.push(...found);
  }
  return { controls, words, sizes: [...sizes].sort() };
}

describe('the first screen', () => {
  it('has at most 110 words and 36 controls on a laptop, in three sizes of type, the export behind one button, and the rest in menus for keys', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await page.getByText('machine-ready').waitFor();
    await page.getByText('Find out why').waitFor();
    const { controls, words, sizes } = await page.evaluate(seenAtFirst);
    expect(controls).toContain('Export configuration');
    expect(controls).toContain('Default threshold');
    expect(words).toContain('Thresholds');
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(110);
    expect(controls.length, controls.join(', ')).toBeLessThanOrEqual(36);
    expect(sizes.filter((size) => !['13px', '15px', '20px'].includes(size))).toEqual([]);

    const button = page.getByRole('button', { name: 'Export configuration' });
    const text = page.getByRole('region', { name: 'Exported text' });
    await button.click();
    await text.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await button.click();
    await text.waitFor({ state: 'detached' });

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
});
