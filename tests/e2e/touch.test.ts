import type { Locator, Page, ViewportSize } from 'playwright';
import { describe, expect, it } from 'vitest';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { useApp } from './app.ts';
import { panel } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { stage } from './draw-box.ts';
import { pictureShown } from './picture-shown.ts';

const app = useApp();

type Finger = readonly [x: number, y: number];

/** Moves fingers over the screen, from the first places to the last, as the browser's own touch input. */
async function drag(page: Page, ...path: readonly (readonly Finger[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: readonly Finger[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ id, x, y })) });
  for (const [index, at] of path.entries()) await send(index === 0 ? 'touchStart' : 'touchMove', at);
  await send('touchEnd', []);
  await session.detach();
}

/** Whether the whole of an element is on the screen. */
async function isWhole(element: Locator, { width, height }: ViewportSize): Promise<boolean> {
  const box = (await element.boundingBox())!;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

const phone = { width: 390, height: 844 };
const touching = (viewport: ViewportSize) => ({ viewport, hasTouch: true, isMobile: true });

describe('fingers', () => {
  it.each([
    ['a phone', phone],
    ['a tablet', { width: 820, height: 1180 }],
  ])(
    'on %s open and close what lies over the page, which is whole, drag a threshold, and pinch the picture',
    async (_, viewport) => {
      const { page } = await app.open(touching(viewport));
      await page.getByText('3 kept').waitFor();
      const file = { name: 'machine.json', mimeType: 'application/json', buffer: Buffer.from(sampleConfigText) };
      await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(file);
      const note = page.getByRole('status').filter({ hasText: 'Opened the configuration machine.json.' });
      await note.getByRole('button', { name: 'Dismiss' }).tap();
      const earlier = page.getByRole('button', { name: 'Earlier messages (1)' });
      const messages = page.getByRole('group', { name: 'Earlier messages' });
      await earlier.tap();
      await messages.waitFor();
      expect(await isWhole(messages, viewport)).toBe(true);
      await page.touchscreen.tap(20, viewport.height - 20);
      await messages.waitFor({ state: 'hidden' });
      await earlier.tap();
      await messages.waitFor();
      await earlier.tap();
      await messages.waitFor({ state: 'hidden' });

      await page.getByRole('button', { name: 'About and attribution' }).tap();
      const about = page.getByRole('dialog');
      await about.waitFor();
      expect(await isWhole(about, viewport)).toBe(true);
      await page.touchscreen.tap(4, 4);
      await about.waitFor({ state: 'hidden' });

      await page.getByRole('tab', { name: 'Tune', exact: true }).tap();
      const slider = panel(page, 'Thresholds').getByRole('slider').first();
      const track = (await slider.boundingBox())!;
      const [from, high] = [track.x + track.width * Number(await slider.inputValue()), track.y + track.height / 2];
      await drag(page, [[from, high]], [[from + 12, high]], [[track.x + track.width - 1, high]]);
      await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(0.97);
      await page.getByText('0 kept').waitFor();

      const fit = page.getByRole('button', { name: 'Fit the frame' });
      expect(await fit.getAttribute('aria-pressed')).toBe('true');
      const { x, y, width, height } = (await page.locator('main canvas[aria-hidden="true"]').boundingBox())!;
      const [left, middle] = [x + width / 2, y + height / 2];
      const apart = (px: number): Finger[] => [
        [left - px, middle],
        [left + px, middle],
      ];
      await drag(page, apart(20), apart(40), apart(80));
      await expect.poll(() => fit.getAttribute('aria-pressed')).toBe('false');
      expect(await page.evaluate(() => visualViewport!.scale)).toBe(1); // the picture is larger, not the page

      // One finger pans it: what was under the finger comes along.
      const leftOfPicture = () =>
        page.evaluate(() => document.querySelector('main canvas:not([aria-hidden])')!.getBoundingClientRect().left);
      const before = await leftOfPicture();
      await drag(page, [[left, middle]], [[left - 10, middle]], [[left - 40, middle]]);
      await expect.poll(leftOfPicture).toBeCloseTo(before - 40, 0);
    },
  );

  it('find without hovering what marks a picture as chosen, draw a box and move it', async () => {
    const { page } = await app.open({ path: '#/data/images', ...touching(phone) });
    await openDataClient(page);
    const id = await uploadSample(page, 'sample1.jpg');
    await page.locator('[role="option"]').first().waitFor();
    const unseen = await page
      .locator('[role="option"] *')
      .evaluateAll((all) =>
        all
          .filter((element) => getComputedStyle(element).opacity === '0' && !(element instanceof HTMLInputElement))
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
    expect(unseen).toEqual([]);
    await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}/edit`);
    await page.reload();
    await openDataClient(page);
    await pictureShown(page);
    await page.getByLabel('New label').fill('cup');
    await page.getByLabel('New label').press('Enter');
    await page.getByRole('button', { name: 'Keep drawing, box after box, until Esc' }).tap();
    await page.getByRole('button', { name: /^Draw/ }).tap();
    const { x, y, width, height } = (await stage(page).boundingBox())!;
    const at = (across: number, down: number): Finger => [x + across * width, y + down * height];
    await drag(page, [at(0.3, 0.4)], [at(0.4, 0.45)], [at(0.6, 0.6)]);
    const name = () => page.locator('[data-box] > button').first().getAttribute('aria-label');
    await expect.poll(name).toMatch(/^cup/);
    const drawn = await name();
    await drag(page, [at(0.45, 0.5)], [at(0.5, 0.5)], [at(0.55, 0.55)]);
    await expect.poll(name).not.toBe(drawn);
    await page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();
  });
});
