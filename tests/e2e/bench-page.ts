import type { BrowserContext, Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** Helpers that read from the page what the bench shows. */

export interface ShownDetection {
  readonly label: string;
  /** rounded as in the table */
  readonly score: number;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Faces that the built-in detector finds in the first sample at a threshold of 0.5. */
export const facesOfFirstSample = [
  { xMin: 418, yMin: 408, xMax: 610, yMax: 599 },
  { xMin: 1494, yMin: 265, xMax: 1641, yMax: 412 },
  { xMin: 851, yMin: 470, xMax: 1023, yMax: 642 },
] as const;

export function panel(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

/** Opens a panel unless it is open. */
export async function openPanel(page: Page, title: string): Promise<Locator> {
  const toggle = panel(page, title).getByRole('button', { name: title, exact: true });
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
  return panel(page, title);
}

/** The kept detections of the frame on the stage, as the results list them. */
export async function shownDetections(page: Page): Promise<ShownDetection[]> {
  const rows = await panel(page, 'Results').locator('tbody tr').allInnerTexts();
  return rows.map((row) => {
    const match = /^(.*?)\s+(\d\.\d+)\s+(-?\d+), (-?\d+) – (-?\d+), (-?\d+)$/s.exec(row.trim());
    if (!match) throw new Error(`A row of the results reads "${row}".`);
    const [score, xMin, yMin, xMax, yMax] = match.slice(2).map(Number) as [number, number, number, number, number];
    return { label: match[1]!, score, xMin, yMin, xMax, yMax };
  });
}

/** Waits until the results list that many kept detections. */
export async function expectDetections(page: Page, count: number): Promise<ShownDetection[]> {
  await expect.poll(() => panel(page, 'Results').locator('tbody tr').count()).toBe(count);
  return shownDetections(page);
}

/** Waits for the boxes that a first visit shows without a click. */
export async function expectFirstBoxes(page: Page): Promise<ShownDetection[]> {
  return expectDetections(page, facesOfFirstSample.length);
}

/** Position of the stage's frame in the filmstrip, from 1. */
export async function shownPlace(page: Page): Promise<number> {
  const shown = page.getByRole('listbox', { name: 'Frames' }).getByRole('option', { selected: true });
  return Number(await shown.getAttribute('aria-posinset'));
}

/** Number of overlay pixels that boxes and labels cover. */
export function drawnPixels(page: Page): Promise<number> {
  return page.locator('main canvas[aria-hidden="true"]').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });
}

/** A value in the stage's corner ("inference", "source"); '' if it is not shown. */
export async function figure(page: Page, name: string): Promise<string> {
  const entry = page.locator('dl[aria-label="Figures of the running bench"] > div', {
    has: page.getByText(name, { exact: true }),
  });
  return (await entry.count()) ? entry.locator('dd').innerText() : '';
}

/** Waits until the page shows the model's speed, which is measured after its first frame. */
export async function modelMeasured(page: Page): Promise<void> {
  await openPanel(page, 'Model');
  const speeds = page.getByRole('tabpanel', { name: 'Backend' });
  await speeds
    .getByText(/^[\d.]+ ms/)
    .first()
    .waitFor();
}

/**
 * Counts the messages of the page to its workers, except repeated requests for a still picture, which the page sends when it
 * is idle. Call it before the page opens.
 */
export async function countWorkerMessages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const counted = globalThis as unknown as { sentToWorkers: number };
    counted.sentToWorkers = 0;
    for (const { prototype } of [Worker, MessagePort]) {
      const post = Reflect.get(prototype, 'postMessage') as (...args: unknown[]) => void;
      Reflect.set(prototype, 'postMessage', function (this: unknown, ...args: unknown[]) {
        const { path } = (args[0] ?? {}) as { path?: readonly string[] };
        if (path?.[0] !== 'redraw') counted.sentToWorkers += 1;
        post.apply(this, args);
      });
    }
  });
}

export function sentToWorkers(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { sentToWorkers: number }).sentToWorkers);
}

/** Opens the configuration drawer unless it is open, and waits for its editor. */
export async function openConfiguration(page: Page): Promise<Locator> {
  const drawer = page.getByRole('region', { name: 'Configuration' });
  const toggle = page.getByRole('button', { name: 'Configuration', exact: true });
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
  await drawer.locator('.cm-content').waitFor();
  return drawer;
}

/** Chooses an item of one of the menus behind three dots. */
export async function chooseFrom(page: Page, menu: 'Main menu' | 'Stage menu' | 'Recent', item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menu', { name: menu }).getByText(item, { exact: true }).click();
}

/** Waits until the menu of recent sources says this of the copies for a reload. */
export async function copiesSay(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Recent', exact: true }).click();
  await page.getByRole('menu', { name: 'Recent' }).getByText(text).waitFor();
  await page.keyboard.press('Escape');
}

/** Types the threshold of all labels. */
export async function setDefaultThreshold(page: Page, value: string): Promise<void> {
  const field = page.getByRole('spinbutton', { name: 'Default threshold, exact' });
  await field.fill(value);
  await field.press('Enter');
}

/** Clicks a copy button and returns the copied text. The clipboard is emptied first, so that an earlier text is not returned. */
export async function copied(page: Page, copy: Locator): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copy.click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}

/** Imports a machine configuration from a file, as its "Import" button does. */
export async function importConfiguration(page: Page, text: string): Promise<void> {
  const drawer = await openConfiguration(page);
  const buffer = Buffer.from(text);
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: 'machine.json', mimeType: 'application/json', buffer });
  await page.getByText('Opened the configuration machine.json.').first().waitFor(); // `first`, because the list of messages may repeat it
}

/** Picks a file in the model panel: a path, or bytes with a name. */
export async function pickModel(page: Page, file: string, bytes?: Uint8Array | string): Promise<void> {
  const model = await openPanel(page, 'Model');
  const input = model.locator('input[type=file]');
  const change = model.getByRole('button', { name: 'Change' });
  await change.or(input).first().waitFor({ state: 'attached' });
  if ((await input.count()) === 0) await change.click();
  await input.setInputFiles(bytes === undefined ? file : { name: file, mimeType: '', buffer: Buffer.from(bytes) });
}
