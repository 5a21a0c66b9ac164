import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes, violations } from './axe.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { goWithin } from './people-server.ts';

const app = useApp();

it('shows who changed an image, and all changes in a list with filters, and saves them', async () => {
  const { page } = await app.open({ path: '#/data/images' });
  await openDataClient(page);
  const id = await uploadSample(page);
  await page.evaluate(async (binaryDataId) => {
    const { client, home } = pageData;
    const { id: datasetId } = await client.datasets.createDataset({
      organizationId: home.organizationId,
      name: 'cups',
    });
    await client.data.addTagsToBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: ['seen'] });
    await client.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [binaryDataId], datasetId });
  }, id);

  await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}`);
  await page.getByText('Who changed it').click();
  const ofImage = page.getByRole('list', { name: 'Changes of this file' });
  await ofImage.getByText('tags + seen').waitFor();
  await ofImage.getByText('tags + dataset “cups”').waitFor();
  await ofImage.getByText('This browser').first().waitFor();
  // what is changed here is there at once
  await page.getByLabel('Tags', { exact: true }).fill('dusk');
  await page.keyboard.press('Enter');
  await ofImage.getByText('tags + dusk').waitFor();
  expect(await ofImage.getByRole('listitem').count()).toBe(3);
  expect(await violations(page, 'who changed an image')).toEqual([]);
  await page.getByRole('link', { name: 'In the list of all changes' }).click();

  const list = page.getByRole('list', { name: 'Changes', exact: true });
  await list.getByText('tags + dusk').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  await page.getByRole('button', { name: 'All changes', exact: true }).click();
  await list.getByText('dataset “cups” made').waitFor();
  await list.getByText('part “main” made').waitFor();
  expect(await violations(page, 'all changes')).toEqual([]);

  await page.getByLabel('What').selectOption({ label: 'Datasets' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await page.getByLabel('Who').selectOption({ label: 'The service' });
  await page.getByText('No change meets the filter').waitFor();
  await page.getByLabel('Who').selectOption({ label: 'This browser' });
  await page.getByLabel('Until (UTC)').fill('2001-01-01T00:00:00');
  await page.getByText('No change meets the filter').waitFor();
  await page.getByRole('button', { name: 'All changes', exact: true }).click();

  // by the keyboard: a row opens beside the list
  await list.getByRole('button', { name: /tags \+ seen/ }).focus();
  await page.keyboard.press('Enter');
  const opened = page.getByRole('complementary', { name: 'The change' });
  await opened.getByText('"seen"').waitFor();
  await checkAtBothSizes(page, 'an opened change');
  await opened.getByRole('button', { name: 'All changes of it' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(3);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSONL' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  const lines = saved
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ what, objectId }) => [what, objectId])).toEqual([
    ['tags', id],
    ['tags', id],
    ['tags', id],
  ]);
  expect(lines[0]).toMatchObject({ actor: { kind: 'browser' }, before: { tags: [] }, after: { tags: ['dusk'] } });

  await page.getByRole('complementary', { name: 'The change' }).getByRole('button', { name: 'Close' }).click();
  await page.locator('.back', { hasText: 'Settings' }).click();
  await page.getByRole('link', { name: 'Show the changes' }).click();
  await list.getByText('dataset “cups” made').waitFor();
});

it('lists what one call changed as one row, which says how many, and shows each of it when asked', async () => {
  const { page } = await app.open({ path: '#/data/settings/changes' });
  await openDataClient(page);
  for (let n = 0; n < 3; n++) await uploadSample(page);
  await page.evaluate(async () => {
    const { client, home } = pageData;
    const filter = { organizationIds: [home.organizationId] };
    await client.data.addTagsToBinaryDataByFilter({ filter, tags: ['lot'] });
    await client.data.deleteBinaryDataByFilter({ filter });
  });
  await page.getByRole('button', { name: 'Read again' }).click();
  const list = page.getByRole('list', { name: 'Changes', exact: true });
  await list.getByText(/^3 files .*deleted/).waitFor();
  await list.getByText('tags of 3 files + lot').click();
  const opened = page.getByRole('complementary', { name: 'The change' });
  await opened.getByText('How many').waitFor();
  await checkAtBothSizes(page, 'an opened sum of changes');
  await opened.getByRole('button', { name: 'Show each change' }).click();
  await expect.poll(() => list.getByText('tags + lot').count()).toBe(3);
  expect(await page.getByRole('switch', { name: 'Each by itself' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'All changes', exact: true }).click();
  await list.getByText('tags of 3 files + lot').waitFor();
  expect(await page.getByRole('switch', { name: 'Each by itself' }).isChecked()).toBe(false);
});

it('keeps changes for ever until somebody chooses how long, and deletes older ones from then on', async () => {
  const { page } = await app.open({ path: '#/data/settings' });
  const kept = page.getByLabel('How long changes are kept');
  await expect.poll(() => kept.isEnabled()).toBe(true);
  expect(await kept.inputValue()).toBe('');
  await openDataClient(page);
  await page.evaluate(() =>
    pageData.client.datasets.createDataset({ organizationId: pageData.home.organizationId, name: 'now' }),
  );
  // rows from before this test: no operation makes them
  await page.evaluate(
    async (ages) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('sightglass-data');
        opening.onsuccess = () => resolve(opening.result);
      });
      const rows = database.transaction('auditRows', 'readwrite').objectStore('auditRows');
      for (const days of ages) {
        const time = (Date.now() - days * 86_400_000) * 1000;
        const actor = { kind: 'browser', id: '', name: '' };
        const [before, after] = [null, { name: `${days} days` }];
        const row = {
          organizationId: pageData.home.organizationId,
          what: 'dataset',
          objectId: `d${days}`,
          objectName: `${days} days`,
        };
        rows.add({ ...row, id: `old${days}`, time, actor, before, after });
      }
      await new Promise((resolve) => (rows.transaction.oncomplete = resolve));
      database.close();
    },
    [31, 89, 91, 4000],
  );

  const shown = async (): Promise<string[]> => {
    await goWithin(page, '#/data/settings'); // the list is read when it is opened
    await page.getByLabel('How long changes are kept').waitFor(); // so that it was left, and is opened anew
    await goWithin(page, '#/data/settings/changes?what=dataset');
    const list = page.getByRole('list', { name: 'Changes', exact: true });
    await list.getByText('dataset “now” made').waitFor();
    return (await list.getByText(/dataset “\d+ days” made/).allTextContents()).map((text) => /\d+/.exec(text)![0]);
  };
  await page.reload();
  expect(await shown()).toEqual(['31', '89', '91', '4000']);
  await goWithin(page, '#/data/settings');
  await kept.selectOption({ label: '90 days' });
  await page.getByText('Older ones are deleted within the hour').waitFor();
  expect(await violations(page, 'how long changes are kept')).toEqual([]);
  await page.reload(); // the worker looks when it starts
  await expect.poll(() => kept.inputValue()).toBe('90');
  await expect.poll(shown, { timeout: 20_000 }).toEqual(['31', '89']);
});
