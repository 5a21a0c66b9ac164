import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedChromium } from './app.ts';
import { checkAtBothSizes, violations } from './axe.ts';
import { draw, drawLabelled, stage, taskCanBe, workBar } from './draw-box.ts';
import { openDataTab } from './open-data-tab.ts';
import { peopleOf } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';
import {
  complaintsOfApp,
  inviteAtProvider,
  logInAt,
  logInByProvider,
  serveWithProvider,
  visitWithProvider,
  type ServerWithProvider,
} from './provider-page.ts';

let served: ServerWithProvider;
let browser: Browser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveWithProvider(['Ada', 'Ann', 'Eve']), sharedChromium()]);
});
afterAll(async () => {
  await served?.close();
});

it('takes two people through the work: log in, assign, label, send back, mend, accept, remove one in the midst, and log in again by the provider', async () => {
  await inviteAtProvider(served, 'owner', 'Ada');
  await inviteAtProvider(served, 'annotator', 'Ann');
  const [ada, ann] = [
    await logInByProvider(browser, served, 'Ada', '#/data/images'),
    await logInByProvider(browser, served, 'Ann', '#/data/work'),
  ];
  await ann.page.getByText('Nothing is left to label. Images are assigned').waitFor();

  await openDataTab(ada.page, 'Images');
  await ada.page.getByLabel('Files to import').setInputFiles('public/builtin/frames/sample1.jpg');
  await ada.page.getByText('1 image').first().waitFor();
  await ada.page.getByRole('listbox', { name: 'Images' }).focus();
  await ada.page.keyboard.press('Control+a');
  await ada.page.getByRole('button', { name: 'Assign …' }).click();
  const dialog = ada.page.getByRole('dialog', { name: 'Assign 1 image' });
  await dialog.getByRole('checkbox', { name: 'Ada' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Ann' }).check();
  expect(await violations(ada.page, 'Assign to a member')).toEqual([]);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.getByText('1 task made.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await ann.page.reload();
  await ann.page.getByText('1 image to label.').waitFor();
  await ann.page.getByRole('button', { name: 'Start' }).click();
  await drawLabelled(ann.page, 'face');
  await taskCanBe('Done, next', ann.page);
  await ann.page.keyboard.press('Control+Enter');
  await ann.page.getByText('Nothing is left to label.').waitFor();

  await openDataTab(ada.page, 'Work');
  await ada.page.getByRole('button', { name: 'Review' }).click();
  await pictureShown(ada.page);
  await taskCanBe('Send back …', ada.page);
  await stage(ada.page).focus();
  await ada.page.keyboard.press('Shift+R');
  await ada.page.getByRole('textbox', { name: 'What to fix' }).fill('One is missing');
  await ada.page.keyboard.press('Enter');
  await ada.page.getByText('Nothing was handed in.').waitFor();

  await ann.page.reload();
  await ann.page.getByText('1 image to label, 1 of them sent back.').waitFor();
  await ann.page.getByRole('button', { name: 'Start' }).click();
  await workBar(ann.page).getByText('Ada: One is missing').waitFor();
  await drawLabelled(ann.page, 'face');
  const mended = ann.page.url();
  await workBar(ann.page).getByRole('button', { name: 'Done, next' }).click();
  await ann.page.getByText('Nothing is left to label.').waitFor();
  await ann.page.goto(mended);
  await workBar(ann.page).getByText('Done', { exact: true }).waitFor();
  await pictureShown(ann.page);

  await ada.page.reload();
  await ada.page.getByRole('button', { name: 'Review' }).click();
  await workBar(ada.page).getByText('Ann is on this image too').waitFor();
  await pictureShown(ada.page);
  await taskCanBe('Accept', ada.page);
  await stage(ada.page).focus();
  await ada.page.keyboard.press('Shift+A');
  await ada.page.getByText('Nothing was handed in.').waitFor();

  // What was accepted meanwhile is locked for whoever drew it, who is no reviewer.
  await stage(ann.page).focus();
  await ann.page.keyboard.press('n');
  await draw(ann.page, [0.2, 0.2], [0.3, 0.3]);
  await ann.page
    .locator('.notes')
    .getByText(/was accepted by Ada on/)
    .waitFor();
  await ann.page.reload();
  await workBar(ann.page)
    .getByText(/^This image was accepted by Ada on/)
    .waitFor();
  expect(await workBar(ann.page).getByRole('button', { name: 'Reopen' }).count()).toBe(0);

  await ada.page.goto(`${served.url}#/data/settings/people`);
  await ada.page.getByRole('button', { name: /^Ann/ }).click();
  await ada.page.getByRole('button', { name: 'Remove' }).click();
  await ada.page.getByText('Remove Ann from the organization?').waitFor();
  await ada.page.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => ada.page.getByRole('button', { name: /^Ann/ }).count()).toBe(0);
  await openDataTab(ann.page, 'Images');
  const ended = ann.page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.getByText('you are no longer a member').waitFor();

  // A task that comes back to somebody who was removed is shown as nobody's, until it is given to a member.
  await openDataTab(ada.page, 'Work');
  await ada.page.getByRole('list', { name: 'Tasks' }).getByRole('button').first().click();
  await workBar(ada.page).getByRole('button', { name: 'Reopen' }).click();
  await workBar(ada.page).getByText('Open', { exact: true }).waitFor();
  await ada.page.goto(`${served.url}#/data/work`);
  const nobodys = ada.page.getByText('1 task of people who are no longer here: nobody does it.');
  await nobodys.waitFor();
  await ada.page.getByRole('rowheader', { name: 'Ann no longer here' }).waitFor();
  expect(await violations(ada.page, 'Tasks of somebody who was removed')).toEqual([]);
  await ada.page.getByRole('button', { name: 'Open of Ann: 1' }).click();
  await ada.page.getByRole('checkbox', { name: /^Choose the task on .* of Ann$/ }).check();
  await ada.page.getByLabel('Give to').selectOption('Ada');
  await nobodys.waitFor({ state: 'detached' });
  await ada.page.getByText('1 image to label.').waitFor();

  // Whose session has ended logs in by the provider in another tab, and loses nothing that is typed.
  await openDataTab(ada.page, 'Datasets');
  await ada.page.getByRole('button', { name: 'New dataset' }).first().click();
  const typed = ada.page.getByRole('textbox', { name: 'Name' });
  await typed.fill('Half typed');
  expect(complaintsOfApp(ada.complaints)).toEqual([]);
  const people = await peopleOf(served.server);
  const { organizationId } = served.server;
  const { members } = await people.listMembers({ organizationId });
  await people.endSessions({ organizationId, id: members.find(({ personName }) => personName === 'Ada')!.id });
  await ada.page.getByRole('button', { name: 'Create', exact: true }).click();
  const over = ada.page.getByRole('dialog', { name: 'Your session has ended' });
  await over.waitFor();
  expect(await violations(ada.page, 'Ended, with a provider')).toEqual([]);
  const tab = ada.context.waitForEvent('page');
  await over.getByRole('link', { name: 'Log in with Acme (a new tab)' }).click();
  const other = await tab;
  // The provider still knows them, and may ask nothing.
  await other.waitForURL((address) => address.origin === new URL(served.url).origin && address.pathname === '/');
  await over.waitFor({ state: 'detached' });
  expect(await typed.inputValue()).toBe('Half typed');
  await ada.page.getByRole('button', { name: 'Create', exact: true }).click();
  await ada.page.getByRole('heading', { name: 'Half typed' }).waitFor();

  // Whom the provider knows and nobody invited is told why not.
  const eve = await visitWithProvider(browser, served, '#/data');
  await eve.page.getByRole('link', { name: 'Log in with Acme' }).click();
  await logInAt(eve.page, 'eve');
  await eve.page.getByRole('heading', { name: 'You are not invited yet' }).waitFor();
  await checkAtBothSizes(eve.page, 'Log-in refused');
  await eve.page.getByRole('link', { name: 'Back to Sightglass' }).press('Enter');
  await eve.page.getByRole('link', { name: 'Log in with Acme' }).waitFor();

  for (const { complaints } of [ada, ann])
    expect(complaintsOfApp(complaints).filter((complaint) => !complaint.includes('401'))).toEqual([]);
  for (const { context } of [ada, ann, eve]) await context.close();
});
