import { decode } from 'fast-png';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { softwareGpuFlags } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient } from './data-client.ts';
import { dropFiles, importEnded, type DroppedFile } from './dropped-files.ts';
import { storedFiles } from './stored-files.ts';
import { asciiPcd, binaryPcd, block } from './test-point-clouds.ts';

const app = useApp(undefined, () => softwareGpuFlags);
const startMs = 1_780_000_000_000;

/** A red block to the right of a green one, in the initial view. */
const colored = [...block([1, 0, 0], [255, 0, 0]), ...block([-1, 0, 0], [0, 255, 0])];
const clouds: readonly DroppedFile[] = [
  { name: 'colored.pcd', bytes: binaryPcd(colored) },
  { name: 'plain.pcd', bytes: asciiPcd([...block([0, 0, 0]), ...block([0, 0, 1])]) },
  { name: 'broken.pcd', bytes: 'no point cloud at all' },
  { name: 'cut-off.pcd', bytes: binaryPcd(colored).subarray(0, 900) },
].map((file, at) => ({ ...file, changedMs: startMs - at * 1000 }));

const list = (page: Page) => page.getByRole('listbox', { name: 'Point clouds' });
const row = (page: Page, name: string) => list(page).getByRole('option', { name: new RegExp(`^${name} `) });
const count = (page: Page) => page.getByRole('status', { name: 'Count' });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected point clouds' });

async function openClouds(options: Parameters<typeof app.open>[0] = {}): Promise<Page> {
  const { page } = await app.open({ path: '#/data/point-clouds', ...options });
  await page.getByText('No point clouds are stored here yet').waitFor();
  await openDataClient(page);
  await dropFiles(page, clouds);
  await importEnded(page, clouds.length);
  await row(page, 'cut-off.pcd').waitFor();
  return page;
}

interface Seen {
  /** number of mostly red pixels */
  readonly red: number;
  readonly green: number;
  /** number of pixels that differ from the background */
  readonly drawn: number;
  /** mean horizontal position of the red pixels, 0 = left, 1 = right; NaN if there are none */
  readonly redAcross: number;
}

/** Counts the pixels in a screenshot of the cloud's canvas. */
async function seen(page: Page): Promise<Seen> {
  const box = (await page.locator('canvas').boundingBox())!;
  const clip = { x: box.x + 6, y: box.y + 6, width: box.width - 12, height: box.height - 60 }; // without frame and hint
  const { data, width, height, channels } = decode(await page.screenshot({ clip }));
  let [red, green, drawn, across] = [0, 0, 0, 0];
  for (let at = 0; at < width * height; at++) {
    const [r, g, b] = [data[at * channels]!, data[at * channels + 1]!, data[at * channels + 2]!];
    if (Math.max(r, g, b) > 60) drawn += 1;
    if (g > 2 * r && g > 2 * b && g > 100) green += 1;
    if (r < 2 * g || r < 2 * b || r < 100) continue;
    red += 1;
    across += (at % width) / width;
  }
  return { red, green, drawn, redAcross: across / red };
}

async function openCloud(page: Page, name: string): Promise<void> {
  await row(page, name).dblclick();
  await page.getByRole('heading', { name }).waitFor();
}

describe('a point cloud', () => {
  it('is drawn in its colours and turned by the mouse and by keys', async () => {
    const page = await openClouds();
    await expect.poll(() => count(page).innerText()).toMatch(/^4 point clouds · /);
    expect(new Set((await storedFiles(page)).map(({ mimeType }) => mimeType))).toEqual(new Set(['pointcloud/pcd']));
    await openCloud(page, 'colored.pcd');
    await page.getByText('3,456 points').waitFor();
    await expect.poll(async () => (await seen(page)).red).toBeGreaterThan(500);
    const first = await seen(page);
    expect(first.green).toBeGreaterThan(500);
    expect(first.redAcross).toBeGreaterThan(0.5);

    const box = (await page.locator('canvas').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + box.height / 2, y, { steps: 5 }); // a whole turn is as long as the canvas is high
    await page.mouse.up();
    await expect.poll(async () => (await seen(page)).redAcross).toBeLessThan(0.5);

    const stage = page.getByRole('application', { name: /^The point cloud of 3,456 points/ });
    await stage.focus();
    await page.keyboard.press('0');
    await expect.poll(async () => (await seen(page)).redAcross).toBeCloseTo(first.redAcross, 2);
    for (let turns = 0; turns < 26; turns++) await page.keyboard.press('ArrowLeft'); // 26 × 0.12 rad: half a turn
    await expect.poll(async () => (await seen(page)).redAcross).toBeLessThan(0.4);
    await page.keyboard.press('0');
    await expect.poll(async () => (await seen(page)).redAcross).toBeCloseTo(first.redAcross, 2);
    const { drawn } = await seen(page);
    await page.getByRole('slider', { name: 'Point size' }).fill('8');
    await expect.poll(async () => (await seen(page)).drawn).toBeGreaterThan(drawn * 1.5);

    await page.getByRole('combobox', { name: 'Colour by' }).selectOption('Height');
    // Also check `drawn`, because a canvas that is not redrawn yet has no red pixels either.
    await expect.poll(() => seen(page)).toSatisfy(({ red, drawn }: Seen) => red === 0 && drawn > 500);
  });
});

describe('the tab of point clouds', () => {
  it('passes axe on a desktop and a phone, draws a cloud without colours by height, and says why one cannot be read', async () => {
    const page = await openClouds();
    await row(page, 'plain.pcd').click();
    await bar(page).getByText('1 selected').waitFor();
    await checkAtBothSizes(page, 'Point clouds');
    await openCloud(page, 'colored.pcd');
    await page.getByText('3,456 points').waitFor();
    await checkAtBothSizes(page, 'Point cloud');
    await page.getByRole('button', { name: 'Point clouds' }).click();
    await openCloud(page, 'plain.pcd');
    await expect.poll(async () => (await seen(page)).drawn).toBeGreaterThan(500);
    const colours = page.getByRole('combobox', { name: 'Colour by' });
    await expect.poll(() => colours.getByRole('option').allInnerTexts()).toEqual(['Height']);
    await page.getByRole('button', { name: 'Point clouds' }).click();
    await row(page, 'plain.pcd').waitFor();

    for (const [name, words] of [
      ['broken.pcd', 'The file does not begin as a PCD file does.'],
      ['cut-off.pcd', 'The file ends too soon: 3,456 points need 55,296 bytes'],
    ] as const) {
      await openCloud(page, name);
      await page.getByRole('alert').getByText(words).waitFor();
      expect(await page.locator('canvas').count()).toBe(0);
      if (name === 'broken.pcd') await checkAtBothSizes(page, 'broken point cloud');
      await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Point clouds' }).click();
    }
  });
});
