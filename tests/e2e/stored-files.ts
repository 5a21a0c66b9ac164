import type { Page } from 'playwright';

/** All stored files, newest first. Needs `openDataClient`. */
export const storedFiles = (page: Page) =>
  page.evaluate(async () => {
    const { data } = await pageData.client.data.binaryDataByFilter({ dataRequest: { limit: 100n } });
    return data.map(({ metadata }) => ({ name: metadata!.fileName, mimeType: metadata!.captureMetadata!.mimeType }));
  });

export const storedNames = async (page: Page): Promise<string[]> => (await storedFiles(page)).map(({ name }) => name);

/** Tags the selected rows of a tab's list. */
export async function tagSelected(page: Page, tag: string): Promise<void> {
  const bar = page.getByRole('toolbar', { name: /^Selected / });
  await bar.getByRole('button', { name: 'Tag …', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill(tag);
  await page.keyboard.press('Enter');
}
