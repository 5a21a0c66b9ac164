import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { panel } from './bench-page.ts';

const app = useApp();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function openBench(options = {}): Promise<Page> {
  const { page } = await app.open(options);
  await panel(page, 'Model').getByText('machine-ready').waitFor();
  return page;
}

async function openFile(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(file);
}

/** The height available to the picture on the stage. */
const roomPx = async (page: Page): Promise<number> =>
  (await page.locator('main canvas[aria-hidden="true"]').boundingBox())!.height;

describe('a note on the stage of a phone', () => {
  it('is read again among earlier messages, the newest first, and where it stays is one line, which opens to all that it says and offers', async () => {
    const page = await openBench(phone);
    const earlier = page.getByRole('button', { name: /^Earlier messages/ });
    for (const [at, name] of ['first.json', 'second.json'].entries()) {
      await openFile(page, name, sampleConfigText);
      const note = page.getByRole('status').filter({ hasText: `Opened the configuration ${name}.` });
      await note.getByRole('button', { name: 'Dismiss' }).click();
      await note.waitFor({ state: 'detached' });
      await expect.poll(() => earlier.getAttribute('aria-label')).toBe(`Earlier messages (${at + 1})`);
    }
    const list = page.getByRole('group', { name: 'Earlier messages' });
    expect(await list.isVisible()).toBe(false);
    await earlier.click();
    const messages = await list.getByRole('listitem').allInnerTexts();
    expect(messages.map((text) => /^\d+:\d\d.* Opened the configuration (\w+\.json)\./.exec(text)?.[1])).toEqual([
      'second.json',
      'first.json',
    ]);
    const { width, height } = page.viewportSize()!;
    const box = (await list.boundingBox())!;
    expect([box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + box.height <= height]).not.toContain(false);
    expect(await violations(page, 'earlier messages')).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });

    const before = await roomPx(page);
    await openFile(page, 'machine.json', `// mine\n${sampleConfigText}`);
    const note = page.getByRole('region', { name: 'Stage' }).getByRole('alert');
    await note.getByText('machine.json cannot be read.').waitFor();
    await expect.poll(() => roomPx(page)).toBeLessThan(before);
    expect(await roomPx(page)).toBeGreaterThan(before - 50);
    const mend = note.getByRole('button', { name: 'Remove the comment' });
    expect(await mend.isVisible()).toBe(false);
    expect(await violations(page, 'a note on a phone')).toEqual([]);

    await page.getByRole('button', { name: 'Show the notes in full' }).click();
    await note.getByText('nothing can be tuned, exported or written').waitFor();
    await mend.click();
    await note.waitFor({ state: 'detached' });
    await expect.poll(() => roomPx(page)).toBe(before);
  });
});
