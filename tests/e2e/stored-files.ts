import type { Page } from 'playwright';

/** All stored files, newest first, with the tags that a person added. Needs `openDataClient`. */
export const storedFiles = (page: Page) =>
  page.evaluate(async () => {
    const { data } = await pageData.client.data.binaryDataByFilter({ dataRequest: { limit: 100n } });
    return data.map(({ metadata }) => ({
      name: metadata!.fileName,
      mimeType: metadata!.captureMetadata!.mimeType,
      tags: metadata!.captureMetadata!.tags.filter((tag) => !tag.startsWith('SVC_')),
      datasetCount: metadata!.datasetIds.length,
    }));
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

/** Adds the selected rows to a new dataset. */
export async function addSelectedToNewDataset(page: Page, name: string): Promise<void> {
  const bar = page.getByRole('toolbar', { name: /^Selected / });
  await bar.getByRole('button', { name: 'Add to dataset …' }).click();
  await page.getByRole('textbox', { name: 'Name of the new dataset' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
}
