import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes, violations } from './axe.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { draw, drawLabelled, stage, taskCanBe, workBar } from './draw-box.ts';
import { openDataTab } from './open-data-tab.ts';
import { goWithin } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';

const app = useApp();

const states = (page: Page) => page.getByRole('table', { name: 'Tasks by person' }).getByRole('row');

/** Opens the page with two stored images. */
async function openImages() {
  const { page } = await app.open({ path: '#/data/settings' });
  await openDataClient(page);
  await uploadSample(page, 'sample1.jpg');
  await uploadSample(page, 'sample2.jpg');
  await goWithin(page, '#/data/images');
  return page;
}

it('assigns, labels, sends back with a comment, mends, accepts and locks, all by keys', async () => {
  const page = await openImages();
  await page.getByRole('listbox', { name: 'Images' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Assign …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign 2 images' });
  await dialog.getByText('This browser gets 2 images.').waitFor();
  expect(await violations(page, 'assign')).toEqual([]);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.getByText('2 tasks made.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await openDataTab(page, 'Work');
  await page.getByText('2 images to label.').waitFor();
  await checkAtBothSizes(page, 'work');
  await page.getByRole('button', { name: 'Start' }).click();
  await workBar(page).getByText('Open', { exact: true }).waitFor();
  await drawLabelled(page, 'face');
  await checkAtBothSizes(page, 'a task in the editor');
  await taskCanBe('Done, next', page);
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await drawLabelled(page, 'face');
  await taskCanBe('Done, next', page);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Nothing is left to label.').waitFor();
  await expect.poll(() => states(page).nth(1).innerText()).toMatch(/This browser\s+you\s+0\s+0\s+2\s+0/);

  // Checked one after the other: the first is sent back, the second is accepted.
  await page.getByRole('button', { name: 'Review' }).click();
  await workBar(page).getByText('Done', { exact: true }).waitFor();
  await pictureShown(page);
  await stage(page).focus();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Comment' }).fill('The other face, too');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Comment 1 of This browser: The other face, too' }).waitFor();
  await checkAtBothSizes(page, 'a comment on the image');
  await stage(page).focus();
  await page.keyboard.press('Shift+R');
  const reject = page.getByRole('dialog', { name: /^Send the task back/ });
  await reject.getByRole('textbox', { name: 'What to fix' }).fill('One is missing');
  expect(await violations(page, 'send back')).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await pictureShown(page);
  await taskCanBe('Accept', page);
  await stage(page).focus();
  await page.keyboard.press('Shift+A');
  await page.getByText('1 image to label, 1 of them sent back.').waitFor();

  await page.getByRole('button', { name: 'Start' }).click();
  await workBar(page).getByText('This browser: One is missing').waitFor();
  await drawLabelled(page, 'face');
  await page.getByRole('button', { name: 'Resolve: The other face, too' }).click();
  await page.getByText('Show 1 resolved').waitFor();
  await workBar(page).getByRole('button', { name: 'Done, next' }).click();
  await page.getByText('Nothing is left to label.').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await workBar(page).getByRole('button', { name: 'Accept' }).click();
  await page.getByText('Nothing was handed in.').waitFor();

  // An accepted image is locked, and says why.
  await page.getByRole('list', { name: 'Tasks' }).getByRole('button').first().click();
  await workBar(page)
    .getByText(/^This image was accepted on/)
    .waitFor();
  await pictureShown(page);
  await stage(page).focus();
  await page.keyboard.press('n');
  await draw(page, [0.2, 0.2], [0.3, 0.3]);
  await page
    .locator('.notes')
    .getByText(/^This image was accepted on/)
    .waitFor();
  await checkAtBothSizes(page, 'a locked image');
  await workBar(page).getByRole('button', { name: 'Reopen' }).click();
  await workBar(page).getByText('Open', { exact: true }).waitFor();
  await draw(page, [0.2, 0.2], [0.3, 0.3]);
  await expect.poll(() => page.locator('[data-box]').count()).toBeGreaterThan(1);
});

it('keeps a label scheme for a dataset, which the box editor follows', async () => {
  const page = await openImages();
  const datasetId = await page.evaluate(async () => {
    const { client, home } = pageData;
    const { organizationId } = home;
    const { id } = await client.datasets.createDataset({ organizationId, name: 'faces' });
    const { data } = await client.data.binaryDataByFilter({ dataRequest: { limit: 10n } });
    const binaryDataIds = data.map(({ metadata }) => metadata!.binaryDataId);
    await client.data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId: id });
    const corners = { xMinNormalized: 0.4, yMinNormalized: 0.4, xMaxNormalized: 0.6, yMaxNormalized: 0.6 };
    await client.data.addBoundingBoxToImageByID({ binaryDataId: binaryDataIds[0]!, label: 'visage', ...corners });
    return id;
  });
  await page.goto(`${app.url}#/data/datasets/${datasetId}/labels`);
  await page.reload();
  const labels = page.getByRole('list', { name: 'Labels of the scheme' });
  await page.getByLabel('New label').fill('hand, face');
  await page.keyboard.press('Enter');
  await labels.getByRole('button', { name: 'Move face up' }).click();
  await labels.getByRole('button', { name: 'More of face' }).click();
  await labels.getByLabel('Description of face').fill('From chin to hairline.');
  await labels.getByLabel('Colour of face').fill('#123456');
  await labels.getByRole('button', { name: 'Add an attribute' }).click();
  await labels.getByLabel('Attribute 1 of face', { exact: true }).fill('turned');
  await labels.getByLabel('Values of attribute 1 of face').fill('left, right');
  await page.getByRole('tab', { name: 'Images' }).click();
  await page.getByRole('tab', { name: 'Labels' }).click(); // what is not saved is still there
  await page.getByRole('button', { name: 'Save the scheme' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Save the scheme' }).isDisabled()).toBe(true);
  await checkAtBothSizes(page, 'a label scheme');

  await page.getByRole('tab', { name: 'Images' }).click();
  await page.getByRole('listbox', { name: 'Images of the dataset' }).getByRole('option').first().dblclick();
  await pictureShown(page);
  await page.getByText('From chin to hairline.').waitFor();
  await page.getByText('turned: left, right').waitFor();
  await stage(page).focus();
  await page.keyboard.press('n');
  await draw(page, [0.35, 0.35], [0.6, 0.6]);
  await page.keyboard.press('2');
  const rows = () =>
    page
      .locator('[data-box] > button')
      .evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute('aria-label')!.replace(/, \d.*?(?=(, not|$))/, '')),
      );
  await expect.poll(rows).toContain('hand');
  await checkAtBothSizes(page, 'the box editor with a label scheme');
  if (!(await rows()).includes('visage, not in the label scheme')) await page.keyboard.press('f');
  await expect.poll(rows).toContain('visage, not in the label scheme');
});
