import type { DescMethod } from '@bufbuild/protobuf';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { refusalOf } from '../../src/app/data/context/rights.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { sharedChromium, visit } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { draw, drawLabelled, stage, workBar } from './draw-box.ts';
import { goWithin, namedUrl, peopleOf, userMenu } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';
import { labelsAll, placesOf } from './roles-places.ts';
import { seedServer, type SeededServer } from './roles-seed.ts';
import { addAuthenticator } from './virtual-authenticator.ts';

// Every page as every role: a control is off, and says why, exactly where the table of roles has the service refuse its operation.

let server: SightglassServer;
let browser: Browser;
let seeded: SeededServer;
beforeAll(async () => {
  [server, browser] = await Promise.all([serveSightglass(), sharedChromium()]);
  seeded = await seedServer(server);
});
afterAll(async () => {
  await server?.close();
});

/** The member who looks. `locationId` '': of the whole organization. */
interface Caller {
  readonly role: string;
  readonly locationId: string;
  /** absent or '': of all parts */
  readonly partId?: string;
}

const firstPart = 'First machine / main';
const notAssigned = 'This image is not assigned to you; a reviewer may assign it.';
const notYours = 'Some of these images are not yours to label; a reviewer may assign them.';
/** The page's reason on images, instead of the table's: it is no role that keeps an annotator from labelling them. */
const wordsOfImages = (hash: string): string | undefined =>
  hash === '#/data/images' ? notYours : hash.startsWith('#/data/images/') ? notAssigned : undefined;
/** Every reason that the page gives where the table of roles, or who an image is assigned to, forbids something. */
const anyReason =
  /^Only (?:an?|members) .* may do this|^This image is not assigned|^Some of these images are not yours/;

/** The reason for which a control is off, which stands at it or beside it; '': it is on, or off for another reason. */
async function offBecause(page: Page, control: Locator): Promise<string> {
  if (!(await control.isDisabled())) return '';
  const own = await control.evaluate((element) => element.closest('[title]')?.getAttribute('title') ?? '');
  if (anyReason.test(own)) return own;
  const beside = page.getByText(anyReason).first();
  return (await beside.count()) > 0 ? (await beside.innerText()).trim() : '';
}

/** Goes through all pages as one caller. */
async function walk(page: Page, caller: Caller): Promise<void> {
  const refusal = (method: DescMethod): string => refusalOf(caller, method, 'membership');
  for (const { hash, needs, there, open, controls } of placesOf(seeded)) {
    await goWithin(page, '#/data/outbox');
    await page.locator('a[aria-current=page]', { hasText: 'Outbox' }).waitFor();
    await goWithin(page, hash);
    if (needs && refusal(needs)) {
      if (hash === '#/data/settings') await page.getByRole('heading', { name: 'API keys' }).waitFor();
      else await page.getByText(/ is not for you$/).waitFor();
      await expect.poll(() => there(page).count(), { message: hash }).toBe(0);
      continue;
    }
    await there(page).first().waitFor();
    await open?.(page);
    for (const [find, method] of controls) {
      const control = find(page).first();
      await control.waitFor();
      const words = refusal(method);
      const expected = method === labelsAll && words !== '' ? (wordsOfImages(hash) ?? words) : words;
      const message = `${caller.role} on ${hash}: ${String(find(page))}, ${method.name}`;
      await expect.poll(() => offBecause(page, control), { message }).toBe(expected);
    }
  }
}

/** A browser of a new member, who is logged in by a passkey. */
async function openAs(name: string, role: string, locationId = '', partId = '') {
  const url = namedUrl(server);
  const people = await peopleOf(server);
  const { organizationId } = server;
  const { token } = await people.inviteMember({ organizationId, locationId, partId, role, name });
  const visited = await visit(browser, url, { path: '#/data' });
  onTestFinished(() => visited.context.close());
  const { page, context } = visited;
  await addAuthenticator(context, page);
  await goWithin(page, `#/invitation/${token}`);
  if (partId) await page.getByText(`You are invited as an ${role} of ${firstPart}, one of its parts.`).waitFor();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await userMenu(page, name).waitFor();
  const { members } = await people.listMembers({ organizationId });
  return { ...visited, personId: members.find(({ personName }) => personName === name)!.personId };
}

// A member of a part is refused by the part and by the role; much of the rest is on for them.
it('shows to a member who is an operator of one part what they may do', async () => {
  const { locationId, partId } = server;
  const { page, complaints } = await openAs('Wanda', 'operator', locationId, partId);
  await userMenu(page, 'Wanda').click();
  await page.getByText(`, only ${firstPart}`).first().waitFor();
  await page.keyboard.press('Escape');
  await goWithin(page, '#/data/settings');
  await page.getByText(/stored by your part:/).waitFor();
  await walk(page, { role: 'operator', locationId, partId });
  expect(complaints).toEqual([]);
});

it('shows to an annotator what they may do, and opens the editor read-only until the image is assigned, by mouse and by keys', async () => {
  const { page, personId, complaints } = await openAs('Ann', 'annotator');
  await walk(page, { role: 'annotator', locationId: '' });

  const boxes = (): Promise<number> => page.locator('[data-box]').count();
  await goWithin(page, `#/data/images/${encodeURIComponent(seeded.imageId)}/edit`);
  await pictureShown(page);
  await workBar(page).getByText(notAssigned).waitFor();
  await stage(page).focus();
  for (const key of ['n', '1', 'Control+v', 'm', 't']) await page.keyboard.press(key);
  await draw(page, [0.35, 0.35], [0.6, 0.6]);
  await page.locator('.notes').getByText(notAssigned).waitFor();
  expect(await boxes()).toBe(0);
  await checkAtBothSizes(page, 'An editor in which nothing may be drawn');

  const { organizationId } = server;
  const assignees = [{ kind: 'person', id: personId, name: 'Ann' }];
  await seeded.clients.labels.assignImages({
    organizationId,
    binaryDataIds: [seeded.imageId],
    assignees,
    mode: 'split',
  });
  await workBar(page).getByText('yours').waitFor();
  await workBar(page).getByText(notAssigned).waitFor({ state: 'detached' });
  await drawLabelled(page, 'face');
  expect(await boxes()).toBe(1);

  await goWithin(page, `#/data/images/${encodeURIComponent(seeded.imageId)}`);
  await page.getByRole('combobox', { name: 'Tags' }).fill('seen');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove seen' }).waitFor();
  expect(complaints).toEqual([]);
});
