import { describe, expect, it } from 'vitest';
import { featuresOffFlag } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { expectFirstBoxes } from './bench-page.ts';
import { openPageOutbox } from './open-page-outbox.ts';

// Lets the page see the quota that the test sets, as in storage.test.ts.
const app = useApp(undefined, () => [featuresOffFlag('StaticStorageQuota')]);

describe('captures', () => {
  it('stay in hand while the disk is full, are written when there is room, and survive a reload', async () => {
    const { page, context } = await app.open();
    // Set the quota before the storage is used, because the browser caches it for a while.
    const browser = await context.newCDPSession(page);
    const { origin } = new URL(app.url);
    await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5_000_000 });
    await openPageOutbox(page);
    const keep = (...sizesBytes: number[]) => page.evaluate((sizes) => keepNoise(sizes), sizesBytes);
    expect(await keep(1_000_000, 20_000_000)).toEqual(['kept', 'full']);
    expect(await page.evaluate(() => retryUnsaved())).toBe(1);
    expect(await page.evaluate(() => keptSizes())).toEqual([1_000_000]);

    await browser.send('Storage.overrideQuotaForOrigin', { origin });
    expect(await page.evaluate(() => retryUnsaved())).toBe(0);
    await page.reload();
    await openPageOutbox(page);
    expect(await page.evaluate(() => keptSizes())).toEqual([20_000_000, 1_000_000]);
  });

  it('of which the very first finds the disk full are not left without a question', async () => {
    const { page, context } = await app.open();
    const browser = await context.newCDPSession(page);
    const { origin } = new URL(app.url);
    await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await expectFirstBoxes(page);
    await page.getByRole('button', { name: 'Capture this frame (K)' }).click();
    await page.getByText('The storage that this browser gives the page is full.').waitFor();

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    await browser.send('Storage.overrideQuotaForOrigin', { origin });
    await page.getByRole('button', { name: 'Try 1 capture again' }).click();
    await page.getByRole('button', { name: 'Try 1 capture again' }).waitFor({ state: 'detached' });
    await openPageOutbox(page);
    expect(await page.evaluate(() => keptSizes())).toHaveLength(1);
  });
});
