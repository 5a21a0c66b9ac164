import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { useApp } from './app.ts';
import { panel } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';

const app = useApp();

/** The tabs of the data area, and what tells that one is drawn. */
const dataTabs = {
  'point-clouds': 'No point clouds are stored here yet',
  sensors: 'No readings are stored here yet',
  files: 'No files are stored here yet',
  sequences: 'There are no sequences yet',
  query: 'No query was run yet',
  pipelines: 'There are no pipelines yet',
  datasets: 'There are no datasets yet',
  work: 'No image is assigned yet',
  outbox: 'Nothing is captured yet',
  settings: 'Which data is shown',
};

/** What a finger may want to hit and is smaller than 44 px, as "button Zoom in 36×26"; links within a text may be as high as its lines. */
async function smallTargets(page: Page): Promise<string[]> {
  const { small, targets } = await page.evaluate(() => {
    const leastPx = 44;
    const css = 'button, a[href], input, select, textarea, summary, [role="tab"], [role="option"], [role="menuitem"]';
    const isHit = (element: Element, x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) === true);
    };
    const small = new Set<string>();
    let targets = 0;
    for (const element of document.querySelectorAll<HTMLElement>(css)) {
      if (!element.checkVisibility({ opacityProperty: false, visibilityProperty: true })) continue;
      if (element.matches(':disabled, [type="file"], [tabindex="-1"]:not([role="tab"], [role="option"])')) continue;
      if (element.matches('a') && getComputedStyle(element).display === 'inline') continue;
      const label = element.closest('label');
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { x, y, width, height } = (label ?? element).getBoundingClientRect();
      targets++;
      if (width === 0 || (width >= leastPx && height >= leastPx)) continue;
      const [acrossPx, downPx] = [x + width / 2, y + height / 2];
      if (!isHit(element, acrossPx, downPx)) continue; // under a dialog, or scrolled away
      // What is drawn smaller may answer around itself.
      const reach = leastPx / 2 - 0.5;
      const isWide =
        width >= leastPx || (isHit(element, acrossPx - reach, downPx) && isHit(element, acrossPx + reach, downPx));
      const isHigh =
        height >= leastPx || (isHit(element, acrossPx, downPx - reach) && isHit(element, acrossPx, downPx + reach));
      if (isWide && isHigh) continue;
      const name = (element.getAttribute('aria-label') ?? element.textContent.trim() ?? '').slice(0, 40);
      small.add(
        `${element.localName} ${element.getAttribute('role') ?? element.getAttribute('type') ?? ''} ${name} ${Math.round(width)}×${Math.round(height)}`,
      );
    }
    return { small: [...small], targets };
  });
  expect(targets).toBeGreaterThan(3);
  return small;
}

it('gives fingers targets of 44 px on a phone, on every screen', async () => {
  const { page } = await app.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const found: Record<string, string[]> = {};
  const look = async (screen: string) => void (found[screen] = await smallTargets(page));
  await page.getByText('3 kept').waitFor();
  for (const name of ['Source', 'Steps', 'Tune', 'Results', 'Keep', 'Config']) {
    await page.getByRole('tab', { name, exact: true }).tap();
    await look(`bench: ${name}`);
  }
  await page.getByRole('button', { name: 'About and attribution' }).tap();
  await page.getByRole('dialog').waitFor();
  await look('about');
  await page.keyboard.press('Escape');
  // The dialog goes back from its entry in the history, which would take the next address away, too.
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
  await page.goto(`${app.url}#/data/images`);
  await openDataClient(page);
  await uploadSample(page, 'sample1.jpg');
  await page.reload();
  await page.locator('[role="option"]').first().waitFor();
  await look('data: images');
  await page.getByRole('button', { name: 'Filter' }).tap();
  await look('data: filter of images');
  await page.getByRole('button', { name: 'Filter' }).tap();
  await page.locator('[role="option"]').first().tap();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit boxes' }).waitFor();
  await look('data: an image');
  await page.getByRole('button', { name: 'Edit boxes' }).tap();
  await page.getByLabel('New label').waitFor();
  await look('box editor');
  for (const [tab, text] of Object.entries(dataTabs)) {
    await page.goto(`${app.url}#/data/${tab}`);
    await page.getByText(text).waitFor();
    await look(`data: ${tab}`);
  }
  await page.goto(`${app.url}#/evaluate`);
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await look('evaluate');
  await page.goto(`${app.url}#/evaluate/replay`);
  await page.getByText('Nothing to replay is stored here yet').waitFor();
  await look('evaluate: replay');
  expect(Object.fromEntries(Object.entries(found).filter(([, small]) => small.length > 0))).toEqual({});
});

it('keeps the bar of the stage in one row, and the areas within the header, and writes words in full and in the middle', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await app.open({ viewport, hasTouch: true, isMobile: true });
  const file = { name: 'machine.json', mimeType: 'application/json', buffer: Buffer.from(sampleConfigText) };
  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(file);
  const note = page.getByRole('status').filter({ hasText: 'Opened the configuration machine.json.' });
  await note.getByRole('button', { name: 'Dismiss' }).tap();
  await page.getByRole('button', { name: 'Earlier messages (1)' }).waitFor();
  await page.getByText('3 kept').first().waitFor();
  await page.getByRole('tab', { name: 'Tune', exact: true }).tap();
  await page.getByRole('tab', { name: 'By label' }).tap();
  const words = panel(page, 'Thresholds').getByRole('button', { name: 'Add', exact: true }).locator('span');
  expect(await words.evaluate((span) => span.scrollWidth - span.clientWidth)).toBe(0);
  const tab = page.getByRole('tab', { name: 'By label' });
  const offMiddlePx = await tab.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return (text.top + text.bottom - box.top - box.bottom) / 2;
  });
  expect(Math.abs(offMiddlePx)).toBeLessThan(0.3);

  // a phone, a phone on its side, a tablet on its side, a large tablet
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1180, 820],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    const bar = page.getByRole('toolbar', { name: 'Stage' });
    await expect.poll(async () => (await bar.boundingBox())!.height, { message: `${width} px` }).toBeLessThan(2 * 44);
    const header = (await page.getByRole('banner').boundingBox())!;
    const areas = (await page.getByRole('navigation', { name: 'Areas' }).boundingBox())!;
    expect(areas.y).toBeGreaterThan(header.y);
    expect(areas.y + areas.height).toBeLessThan(header.y + header.height);
  }
});
