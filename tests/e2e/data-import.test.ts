import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { openDataClient } from './data-client.ts';

const app = useApp();

const wanted = 400;
/** Small pictures with different bytes. */
const pictures = Array.from({ length: wanted }, (_, at) => ({
  name: `frame-${at}.png`,
  mimeType: 'image/png',
  buffer: Buffer.from(encode({ width: 1, height: 2, channels: 3, data: Uint8Array.of(at >> 8, at & 255, 7, 1, 2, 3) })),
}));

const tray = (page: Page) => page.getByRole('region', { name: 'Import' });
const storedCount = (page: Page) =>
  page.evaluate(async () =>
    Number((await pageData.client.data.binaryDataByFilter({ dataRequest: {}, countOnly: true })).count),
  );

it('tells what is stored once it is cancelled, and stores the rest once, after a reload midway too', async () => {
  const { page, complaints } = await app.open({ path: '#/data/images' });
  page.on('dialog', (dialog) => void dialog.accept()); // the question whether to leave during an upload
  await openDataClient(page);
  await page.getByLabel('Files to import').setInputFiles(pictures);
  await tray(page).getByText(`of ${wanted}`).waitFor();
  await tray(page).getByRole('button', { name: 'Cancel' }).click();
  const summary = await tray(page)
    .getByText(/^Import: [\d,]+ stored, [\d,]+ cancelled\.$/)
    .innerText();
  const [stored, cancelled] = [...summary.matchAll(/\d+/g)].map(Number);
  expect(await storedCount(page)).toBe(stored);
  expect(stored! + cancelled!).toBe(wanted);

  await tray(page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => storedCount(page)).toBeGreaterThan(stored!);
  await page.reload();
  await openDataClient(page);
  const storedThen = await storedCount(page);
  expect(storedThen).toBeLessThan(wanted);
  await page.getByLabel('Files to import').setInputFiles(pictures);
  await tray(page)
    .getByText(/^Import: [\d,]+ stored, [\d,]+ here already\.$/)
    .waitFor();
  expect(await storedCount(page)).toBe(wanted);
  expect(complaints).toEqual([]);
});
