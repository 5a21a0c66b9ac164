import type { Page } from 'playwright';
import type { SightglassServer } from '../clients/sightglass-server.ts';

type Added = Pick<SightglassServer, 'origin' | 'partId' | 'keyId' | 'key'>;

/** Adds a server with a key to the page, which shows Settings; its data is shown then. */
export async function addServer(page: Page, { origin, partId, keyId, key }: Added, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(origin);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Part id').fill(partId);
  await dialog.getByLabel('Key id').fill(keyId);
  await dialog.getByLabel('Key', { exact: true }).fill(key);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
