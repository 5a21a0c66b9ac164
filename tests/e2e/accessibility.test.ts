import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations, type Looked } from './axe.ts';
import {
  expectDetections,
  expectFirstBoxes,
  openConfiguration,
  openPanel,
  panel,
  shownDetections,
} from './bench-page.ts';

const app = useApp();

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };
const smallDesktop = { width: 1280, height: 800 };

/** Parts of the bench, as selectors. */
const left = 'section[aria-label="Source, model and transforms"]';
const right = 'section[aria-label="Thresholds and results"]';
const drawerBelow = 'section[aria-label="Configuration"]';

describe('every state of the bench', () => {
  it('passes axe on a desktop, in light and dark', async () => {
    const { page } = await app.open({ viewport: desktop });
    const found: string[] = [];
    const check = async (state: string, looked?: Looked) => found.push(...(await violations(page, state, looked)));
    await expectFirstBoxes(page);
    await check('first visit', { dark: true });

    await page.getByRole('switch', { name: 'Ghosts' }).first().press('Space');
    await panel(page, 'Results').locator('tbody button').first().press('Enter');
    await page.getByRole('region', { name: 'Selected detection' }).waitFor();
    await page.getByRole('tab', { name: 'By label' }).click();
    await check('ghosts, a selected box, thresholds by label', { within: right });

    const model = await openPanel(page, 'Model');
    await model.getByRole('button', { name: 'Change' }).click();
    for (const part of await model.locator('summary').all()) await part.click();
    await check('the model panel, all open', { within: left });

    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
    await panel(page, 'Source').getByRole('alert').waitFor();
    await check('the webcam that is not there', { within: left });
    await page.getByRole('tab', { name: 'URL' }).click();

    await openPanel(page, 'Transforms');
    for (const step of ['crop', 'resize', 'rotate', 'detections', 'classifications']) {
      await page.getByRole('group', { name: 'Add a step' }).getByRole('button', { name: step }).click();
      await page.locator('[data-step][aria-expanded=true]', { hasText: step }).waitFor();
      await check(`the form of a ${step} step`, { within: left });
    }
    await page.locator('[data-step="0"]').click();
    await page.getByRole('button', { name: 'Draw on the stage' }).click();
    await page.getByRole('group', { name: 'Crop window on the frame' }).waitFor();
    await check('the crop window');
    await page.keyboard.press('Escape');

    const drawer = await openConfiguration(page);
    await drawer.getByRole('listitem').first().waitFor();
    await check('the configuration with findings');
    await drawer.getByRole('tab', { name: 'Export' }).click();
    for (const form of ['Whole', 'Changed entries', 'JSON Patch']) {
      await drawer.getByRole('tab', { name: form }).click();
      await check(`the export: ${form}`, { within: drawerBelow, dark: form === 'Changed entries' });
    }
    for (const [opener, dialog] of [
      ['Shortcuts', 'Shortcuts'],
      ['About and attribution', 'About Sightglass'],
    ] as const) {
      await page.getByRole('button', { name: 'Main menu' }).click();
      const item = page.getByRole('menuitem', { name: opener });
      await item.waitFor();
      await check(`the main menu, before ${dialog}`, { within: '[role=menu]' });
      await item.click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      await check(dialog, { within: 'dialog' });
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize(smallDesktop);
    await check('1280 px');
    expect(found).toEqual([]);
    await expect.poll(() => sideways(page)).toBe(0);
  });

  it('passes axe on a phone, and never scrolls sideways', async () => {
    const { page } = await app.open({ viewport: phone, hasTouch: true });
    const found: string[] = [];
    const overflowing: string[] = [];
    await page.getByText('3 kept').waitFor();
    for (const tab of ['Source', 'Steps', 'Tune', 'Results', 'Config']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      if (tab === 'Steps') await page.getByRole('button', { name: 'crop', exact: true }).click();
      if (tab === 'Config') await page.locator('.cm-content').waitFor();
      found.push(...(await violations(page, tab)));
      if ((await sideways(page)) > 0) overflowing.push(tab);
    }
    await page.getByRole('button', { name: 'About and attribution' }).click();
    await page.getByRole('dialog').waitFor();
    found.push(...(await violations(page, 'About')));
    expect(found).toEqual([]);
    expect(overflowing).toEqual([]);
  });
});

it('leaves most of a narrow window to the stage, and all of one whose panels are put away', async () => {
  const laptopAt125 = { width: 1024, height: 700 };
  const { page } = await app.open({ viewport: laptopAt125 });
  await expectFirstBoxes(page);
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  const share = async (): Promise<number> => (await stage.boundingBox())!.width / laptopAt125.width;
  expect(await share()).toBeGreaterThan(0.6);

  const drawer = await openConfiguration(page);
  await drawer.getByRole('tab', { name: 'Export' }).click();
  const text = drawer.getByRole('region', { name: 'Exported text' });
  const picture = page.locator('.desk canvas').first();
  await expect.poll(async () => (await picture.boundingBox())!.height).toBeGreaterThan(140);
  expect((await text.boundingBox())!.height).toBeGreaterThan(140);
  expect(await violations(page, 'a narrow window')).toEqual([]);
  await page.getByRole('button', { name: 'Configuration', exact: true }).click();

  // Hide each side alone by button and by key, then both.
  await page.getByRole('button', { name: 'Show source, model and transforms' }).click();
  await panel(page, 'Model').waitFor();
  await openPanel(page, 'Transforms');
  await page.getByRole('button', { name: 'crop', exact: true }).click();
  expect((await page.getByLabel('Picture on the stage').boundingBox())!.width).toBeGreaterThan(120);
  await expect.poll(() => panel(page, 'Results').count()).toBe(0);
  expect(await share()).toBeGreaterThan(0.6);
  await page.keyboard.press('q');
  await expect.poll(share).toBe(1);
  await page.reload();
  await page.locator('.desk canvas').first().waitFor();
  await expect.poll(share).toBe(1);

  // Nothing covers the picture, and the panels below it can be hidden.
  const [{ y, height }, figures] = [
    (await picture.boundingBox())!,
    page.getByLabel('Figures of the running bench', { exact: true }),
  ];
  await figures.waitFor();
  expect((await figures.boundingBox())!.y).toBeGreaterThanOrEqual(y + height);
  await page.keyboard.press('i');
  await figures.waitFor({ state: 'detached' });
  await expect.poll(() => sideways(page)).toBe(0);

  await page.setViewportSize({ width: 1280, height: 700 });
  await panel(page, 'Model').waitFor();
  await panel(page, 'Results').waitFor();
});

it('shows the panels of a side in a narrow window, and those of a phone in one that is low, too', async () => {
  const { page } = await app.open({ viewport: smallDesktop });
  await expectFirstBoxes(page);
  await page.getByRole('separator', { name: 'Width of the right panels' }).focus();
  for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowLeft');
  const results = page.getByRole('region', { name: 'Thresholds and results' });
  const right = async () => {
    const { x, width } = (await results.boundingBox())!;
    return x + width;
  };
  await expect.poll(async () => (await results.boundingBox())!.width).toBe(480);
  const zoomedTo150 = { width: 853, height: 533 };
  await page.setViewportSize(zoomedTo150);
  await expect.poll(right).toBe(zoomedTo150.width);

  const lyingPhone = { width: 932, height: 430 };
  await page.setViewportSize(lyingPhone);
  await page.getByRole('tab', { name: 'Tune', exact: true }).click();
  const stage = (await page.getByRole('region', { name: 'Stage' }).boundingBox())!;
  expect(stage.width * stage.height).toBeGreaterThan(0.4 * lyingPhone.width * lyingPhone.height);
  await expect.poll(() => sideways(page)).toBe(0);
});

describe('the keyboard alone', () => {
  it('reaches every control by Tab, and does the main job: look, tune, export', async () => {
    const { page } = await app.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await expectFirstBoxes(page);
    const reached: string[] = [];
    for (;;) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const { innerText: text } = (focused.closest('label') ?? focused) as HTMLElement;
        return { name: (focused.getAttribute('aria-label') ?? text).trim().replace(/\s+/g, ' ') };
      });
      if (here === null) break;
      expect(here.name, `a control after ${reached.at(-1)}`).not.toBe('');
      reached.push(here.name);
    }
    for (const name of ['Configuration', 'Open files', 'Default threshold', 'Frames', 'Ghosts', 'Stage menu'])
      expect(reached.join('\n')).toContain(name);

    await page.locator('h1').click();
    await page.keyboard.press('1'); // the first label's threshold
    const slider = page.getByRole('slider', { name: 'Threshold of face' });
    await expect.poll(() => slider.evaluate((element) => element === document.activeElement)).toBe(true);
    for (let value = 51; value <= 88; value++) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => slider.inputValue()).toBe(String(value / 100));
    }
    const [best, ...others] = await expectDetections(page, 1);
    expect([best!.score >= 0.88, others]).toEqual([true, []]);

    await panel(page, 'Transforms').getByRole('button', { name: 'Transforms' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Add a step' }).getByRole('button', { name: 'rotate' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '180°' }).focus();
    await page.keyboard.press('Enter');
    await page.getByTitle('Show the frame: rotate').getByText('1920×1280').waitFor();
    await page.locator('[data-step="0"]').focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('[data-step]').count()).toBe(0);
    await expect.poll(async () => (await shownDetections(page)).length).toBe(1);

    await page.keyboard.press('c');
    const drawer = page.getByRole('region', { name: 'Configuration' });
    await drawer.locator('.cm-content').waitFor();
    await drawer.getByRole('tab', { name: 'JSON' }).focus();
    await page.keyboard.press('ArrowRight');
    await drawer.getByRole('button', { name: 'Copy', exact: true }).focus();
    await page.keyboard.press('Enter');
    await drawer.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"face": 0.88');
  });
});
