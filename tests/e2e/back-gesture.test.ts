import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { copiesSay, panel } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { draw } from './draw-box.ts';
import { pictureShown } from './picture-shown.ts';

const app = useApp();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const hashOf = (page: Page) => new URL(page.url()).hash;
const dialog = (page: Page) => page.getByRole('dialog');
/** What the bench says of the picture that was opened there. */
const shown = (page: Page) => panel(page, 'Source').getByText('1 frame', { exact: true });
/** Goes where the gesture goes, which may be the same address. */
const travel = (page: Page, by: -1 | 1) => page.evaluate((by) => history.go(by), by);

it('closes what is open by going back, and comes to where it was, losing nothing', async () => {
  const { page } = await app.open(phone);
  await page.getByText('3 kept').waitFor();
  const about = page.getByRole('button', { name: 'About and attribution' });
  await about.tap();
  await dialog(page).waitFor();
  await travel(page, -1);
  await expect.poll(() => dialog(page).count()).toBe(0);
  await page.getByText('3 kept').waitFor();

  // A picture of one's own on the stage stays while one goes to the data and back.
  const file = 'dist/builtin/frames/sample2.jpg';
  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(file);
  await shown(page).waitFor();
  await page.getByRole('link', { name: 'Data' }).tap();
  await openDataClient(page);
  await uploadSample(page, 'sample1.jpg');
  await page.locator('[role="option"]').first().waitFor();
  const listed = hashOf(page);
  await travel(page, -1);
  await shown(page).waitFor();
  await travel(page, 1);
  await page.locator('[role="option"]').first().waitFor();
  expect(hashOf(page)).toBe(listed);

  // A box without a label is not saved: it is still there after the gesture, the way forward and another load.
  await page.locator('[role="option"]').first().tap();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit boxes' }).tap();
  await page.getByLabel('New label').waitFor();
  await pictureShown(page);
  const editor = hashOf(page);
  await page.getByRole('application').focus();
  await page.keyboard.press('n');
  await draw(page, [0.35, 0.35], [0.6, 0.6]);
  const unsaved = page.getByText('1 without a label, not saved').first();
  await unsaved.waitFor();
  await travel(page, -1);
  await page.getByRole('button', { name: 'Edit boxes' }).waitFor();
  await travel(page, 1);
  await unsaved.waitFor();
  expect(hashOf(page)).toBe(editor);
  await page.reload();
  await unsaved.waitFor();
  await travel(page, -1);
  await page.getByRole('button', { name: 'Edit boxes' }).waitFor();

  // What is typed into a dialog is asked about, as by its own button.
  await page.goto(`${app.url}#/data/datasets`);
  await page.getByRole('button', { name: 'New dataset' }).first().tap();
  const name = dialog(page).getByLabel('Name');
  await name.fill('cups');
  await travel(page, -1);
  const asked = page.getByRole('alertdialog', { name: 'Leave?' });
  await asked.getByRole('button', { name: 'Go on' }).tap();
  expect(await name.inputValue()).toBe('cups');
  await dialog(page).getByRole('button', { name: 'Create' }).tap();
  const remove = page.getByRole('button', { name: 'Delete the dataset' });
  await remove.waitFor();
  const dataset = hashOf(page);

  // A question is left unanswered.
  await remove.tap();
  await dialog(page).waitFor();
  await travel(page, -1);
  await expect.poll(() => dialog(page).count()).toBe(0);
  await remove.waitFor();
  expect(hashOf(page)).toBe(dataset);
  await travel(page, -1);
  await page.getByRole('button', { name: 'New dataset' }).first().waitFor();
  await page.getByText('cups').first().waitFor();
  await travel(page, 1);
  await remove.waitFor();

  // A dialog that was open when the page was loaded again leaves nothing to go back through.
  await about.tap();
  await dialog(page).waitFor();
  await page.reload();
  await remove.waitFor();
  await travel(page, -1);
  await page.getByRole('button', { name: 'New dataset' }).first().waitFor();

  // Every entry before is passed one by one, down to the bench with the picture that was opened there.
  await page.getByRole('link', { name: 'Bench' }).tap();
  await shown(page).waitFor();
});

it('comes back to the bench as it was from another site', async () => {
  const { page } = await app.open({ ...phone, path: 'docs/index.html' });
  await page.goto(app.url);
  await page.getByText('3 kept').waitFor();
  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles('dist/builtin/frames/sample2.jpg');
  await shown(page).waitFor();
  await copiesSay(page, '1 file is kept in this browser');
  await page.goBack();
  expect(page.url()).toContain('docs/index.html');
  await page.goForward();
  await shown(page).waitFor();
});
