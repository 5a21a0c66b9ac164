import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient, uploadBytes, uploadSample } from './data-client.ts';
import { goWithin } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';
import { draw, stage } from './draw-box.ts';

const app = useApp();

/** A plain picture, read and drawn in no time. */
const [widthPx, heightPx] = [640, 427];
const plain = encode({
  width: widthPx,
  height: heightPx,
  channels: 3,
  data: new Uint8Array(3 * widthPx * heightPx).fill(90),
});

/** Uploads samples, and opens the editor on the first of them. */
async function openEditor(options: Parameters<typeof app.open>[0] = {}, samples = ['sample1.jpg']) {
  const { page } = await app.open({ path: '#/data/settings', ...options });
  await openDataClient(page);
  const ids: string[] = [];
  for (const sample of samples) ids.push(await uploadSample(page, sample));
  await goWithin(page, `#/data/images/${encodeURIComponent(ids[0]!)}/edit`);
  await pictureShown(page);
  return { page, id: ids[0]! };
}

const saved = (page: Page) =>
  page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();

/** The stored boxes of an image, read by the public operation. */
const boxesOf = (page: Page, id: string) =>
  page.evaluate(async (binaryDataId) => {
    const { data } = await pageData.client.data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
    return data[0]!.metadata!.annotations?.bboxes.map(({ label, confidence }) => ({ label, confidence })) ?? [];
  }, id);

const row = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Boxes on the image' }).getByRole('button', { name });

const rows = (page: Page) =>
  page
    .locator('[data-box] > button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')!.split(',')[0]));

describe('the box editor on a stored image', () => {
  it('draws, labels by digit, saves by itself, and has it all after a reload', async () => {
    const { page, id } = await openEditor();
    for (const label of ['cup', 'hat']) {
      await page.getByLabel('New label').fill(label);
      await page.getByLabel('New label').press('Enter');
    }
    await stage(page).focus();
    await page.keyboard.press('n');
    await draw(page, [0.3, 0.3], [0.5, 0.6]);
    await page.keyboard.press('2');
    await expect.poll(() => rows(page)).toEqual(['hat']);
    await saved(page);
    await expect.poll(() => boxesOf(page, id)).toEqual([{ label: 'hat', confidence: undefined }]);
    // A new label is that of the selected box, as one of the list is.
    await page.getByLabel('New label').fill('cap');
    await page.getByLabel('New label').press('Enter');
    await expect.poll(() => rows(page)).toEqual(['cap']);
    await stage(page).focus();
    await page.keyboard.press('2');
    await saved(page);

    await page.reload();
    await pictureShown(page);
    await expect.poll(() => rows(page)).toEqual(['hat']);
    await stage(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('1');
    await openDataClient(page);
    await expect.poll(() => boxesOf(page, id)).toEqual([{ label: 'cup', confidence: undefined }]);
  });

  it('loses nothing that was typed or drawn right before a reload, also without what pages over plain http lack', async () => {
    const { page, id } = await openEditor({
      prepare: (context) =>
        context.addInitScript(() => {
          delete (Crypto.prototype as { randomUUID?: unknown }).randomUUID;
          delete (Navigator.prototype as { storage?: unknown }).storage;
        }),
    });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // There is no label yet, so the label field has the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Label');
    await page.keyboard.type('teapot');
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(['teapot']);
    await openDataClient(page);
    await expect.poll(() => boxesOf(page, id)).toEqual([{ label: 'teapot', confidence: undefined }]);

    await row(page, /^teapot/).click();
    await page.getByLabel('Left edge in pixels').fill('7');
    await page.reload();
    await row(page, /^teapot, 7,/).waitFor();
    await row(page, /^teapot/).click();
    await stage(page).focus();
    await page.keyboard.press('Control+d');
    await expect.poll(() => rows(page)).toEqual(['teapot', 'teapot']);
    await saved(page);
  });

  it('goes from image to image, undoing on each alone, and asks where another window changed the same box', async () => {
    const { page, id } = await openEditor({}, ['sample2.jpg', 'sample1.jpg']);
    const shows = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    await shows('sample2.jpg');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Label', { exact: true }).fill('pot');
    await page.keyboard.press('Enter');
    await saved(page);
    await expect.poll(() => page.getByRole('button', { name: /^Previous image/ }).isEnabled()).toBe(true);
    await page.keyboard.press('d');
    await shows('sample1.jpg');
    await pictureShown(page);
    await expect.poll(() => rows(page)).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await page.keyboard.press('f');
    await shows('sample2.jpg');
    await expect.poll(() => rows(page)).toEqual(['pot']);

    const other = await page.context().newPage();
    await other.goto(page.url());
    await row(other, /^pot/).click();
    await other.getByLabel('Label', { exact: true }).fill('theirs');
    await other.keyboard.press('Enter');
    await saved(other);
    await other.close();

    await row(page, /^pot/).click();
    await page.getByLabel('Label', { exact: true }).fill('mine');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => boxesOf(page, id)).toEqual([{ label: 'mine', confidence: undefined }]);
  });
});

describe('images of three boxes', () => {
  const places = Array.from({ length: 3 }, (_, at) => [0.3 + 0.08 * at, 0.35 + 0.08 * at] as const);
  const names = Array.from({ length: 4 }, (_, at) => `picture ${at}.png`);
  const shown = async (page: Page, name: string) => {
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await pictureShown(page);
  };

  /** Opens the editor with the first of four images and two labels. Key presses and mouse actions are counted. */
  async function openFour() {
    const { page } = await app.open({ path: '#/data/images' });
    await openDataClient(page);
    let id = '';
    // Upload in reverse order, because the list shows the newest image first.
    for (const name of names.toReversed()) id = await uploadBytes(page, name, 'image/png', plain);
    await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}/edit`);
    await page.reload();
    await openDataClient(page);
    await shown(page, names[0]!);
    for (const label of ['cup', 'hat']) {
      await page.getByLabel('New label').fill(label);
      await page.getByLabel('New label').press('Enter');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'cup', exact: false }).first().click();
    await stage(page).focus();
    const hands = { count: 0 };
    return {
      page,
      hands,
      press: (key: string) => (hands.count++, page.keyboard.press(key)),
      drawOne: (at: number) => (hands.count++, draw(page, [places[at]![0], 0.3], [places[at]![1], 0.6])),
    };
  }

  const labelCounts = (page: Page) =>
    page.evaluate(async () => {
      const { client, home } = pageData;
      const filter = { organizationIds: [home.organizationId] };
      const { data } = await client.data.binaryDataByFilter({ dataRequest: { filter, limit: 100n } });
      return data.map(({ metadata }) => metadata!.annotations?.bboxes.map(({ label }) => label).join(' '));
    });

  it('take two actions a box with another label for each, as the next box is drawn at once, and one an image where they are at the same places', async () => {
    const { page, hands, press, drawOne } = await openFour();
    await press('n');
    for (const [image, name] of names.slice(0, 2).entries()) {
      if (image > 0) await press('f');
      await shown(page, name);
      for (const [at] of places.entries()) {
        await drawOne(at);
        await press(String((at % 2) + 1));
      }
      await expect.poll(() => rows(page)).toEqual(['cup', 'hat', 'cup']);
    }
    expect(hands.count).toBe(1 + 1 + 2 * 3 * 2); // the drawing tool, the next image, two for each box

    hands.count = 0;
    await press('f');
    await shown(page, names[2]!);
    for (const [at] of places.entries()) await drawOne(at);
    await press('Control+b');
    await shown(page, names[3]!);
    await expect.poll(() => rows(page)).toEqual(['cup', 'cup', 'cup']);
    expect(hands.count).toBe(1 + 3 + 1); // the next image, three boxes, the copy
    const [mixed, same] = ['cup hat cup', 'cup cup cup'];
    await expect.poll(() => labelCounts(page)).toEqual([mixed, mixed, same, same]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page)).toEqual([]);
    await expect.poll(() => labelCounts(page)).toEqual([mixed, mixed, same, '']);
  });
});

/** Opens the editor with the first of these video frames, with the label cup. */
async function openFrames(upload: readonly ((page: Page) => Promise<string>)[]) {
  const { page } = await app.open({ path: '#/data/images' });
  await openDataClient(page);
  const ids: string[] = [];
  for (const uploadOne of upload) ids.push(await uploadOne(page));
  await page.evaluate(
    (binaryDataIds) => pageData.client.data.addTagsToBinaryDataByIDs({ binaryDataIds, tags: ['sequence:walk'] }),
    ids,
  );
  await page.goto(`${app.url}#/data/images/${encodeURIComponent(ids[0]!)}/edit`);
  await page.reload();
  await openDataClient(page);
  await pictureShown(page);
  await page.getByLabel('New label').fill('cup');
  await page.getByLabel('New label').press('Enter');
  return { page, ids };
}

describe('tracks over the frames of a video', () => {
  const sixFrames = Array.from(
    { length: 6 },
    (_, frame) => (page: Page) => uploadBytes(page, `walk-${frame}.png`, 'image/png', plain),
  );
  const shows = async (page: Page, frame: number) => {
    await page.getByRole('heading', { name: `walk-${frame}.png`, exact: true }).waitFor();
    await pictureShown(page);
  };
  /** The left edge and the track of each box. */
  const places = (page: Page) =>
    page
      .locator('[data-box] > button')
      .evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute('aria-label')!.replace(/^cup, (\d+), [^,]*/, '$1')),
      );
  const keptBoxes = (page: Page, ids: readonly string[]) =>
    page.evaluate(async (binaryDataIds) => {
      const { data } = await pageData.client.data.binaryDataByIDs({ binaryDataIds: [...binaryDataIds] });
      return data.map(({ metadata }) => metadata!.annotations?.bboxes.length ?? 0);
    }, ids);

  it('are made, changed, ended and taken back by the keyboard alone, and stay', async () => {
    const { page, ids } = await openFrames(sixFrames);
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await page.getByLabel('Left edge in pixels').fill('100');
    await page.getByLabel('Left edge in pixels').press('Enter');
    await stage(page).focus();
    await page.keyboard.press('t');
    await expect.poll(() => places(page)).toEqual(['100, track 1']);
    for (let frame = 1; frame <= 4; frame++) {
      await page.keyboard.press('.');
      await shows(page, frame);
      await expect.poll(() => places(page)).toEqual(['100, track 1 between key frames']);
    }
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => places(page)).toEqual(['120, track 1']);
    await page.keyboard.press('e');
    await saved(page);
    await page.keyboard.press('.');
    await shows(page, 5);
    await expect.poll(() => page.getByRole('list', { name: 'Tracks' }).getByRole('button').getAttribute('aria-label')).toBe('1 cup, a track on frames 1 to 5, key frames 1, 5'); // prettier-ignore
    await expect.poll(() => places(page)).toEqual([]);
    await page.getByRole('list', { name: 'Tracks' }).getByRole('button').press('Enter');
    await shows(page, 4);
    await stage(page).focus();
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await shows(page, 2);
    await expect.poll(() => places(page)).toEqual(['110, track 1 between key frames']);
    await expect.poll(() => keptBoxes(page, ids)).toEqual([1, 0, 0, 0, 1, 0]);

    await page.reload();
    await shows(page, 2);
    await expect.poll(() => places(page)).toEqual(['110, track 1 between key frames']);
    await stage(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => places(page)).toEqual(['111, track 1']);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => places(page)).toEqual(['110, track 1 between key frames']);
    await openDataClient(page);
    await saved(page);
    await expect.poll(() => keptBoxes(page, ids)).toEqual([1, 0, 0, 0, 1, 0]);
  });
});

describe('every state of the editor', () => {
  it('passes axe on a desktop and a phone, and what the bench’s model finds is kept with its confidence once accepted', async () => {
    const { page, ids } = await openFrames([uploadSample, (page) => uploadSample(page, 'sample2.jpg')]);
    const id = ids[0]!;
    await checkAtBothSizes(page, 'no boxes');
    await stage(page).focus();
    await page.keyboard.press('m');
    await expect.poll(async () => (await rows(page)).length).toBe(3);
    await page.locator('[data-box] > button').first().click();
    await checkAtBothSizes(page, 'predictions, one selected');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys of the box editor' }).waitFor();
    await checkAtBothSizes(page, 'keys');
    await page.keyboard.press('Escape');
    expect(await boxesOf(page, id)).toEqual([]);
    await page.getByRole('button', { name: /^Accept 3 from/ }).click();
    await expect.poll(async () => (await boxesOf(page, id)).length).toBe(3);
    for (const { label, confidence } of await boxesOf(page, id)) {
      expect(label).toBe('face');
      expect(confidence).toBeGreaterThan(0.5);
    }
    await row(page, /^face/).nth(1).click();
    await stage(page).focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(async () => (await boxesOf(page, id)).filter((box) => box.confidence === undefined).length)
      .toBe(1);
    await saved(page);
    expect(await boxesOf(page, id)).toHaveLength(3);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Track', exact: true }).click();
    await page.getByRole('list', { name: 'Tracks' }).waitFor();
    await checkAtBothSizes(page, 'a track');
  });
});
