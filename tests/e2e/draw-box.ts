import type { Page } from 'playwright';
import { pictureShown } from './picture-shown.ts';

/** The bar of the box editor that says whose task the image is. */
export const workBar = (page: Page) => page.getByRole('region', { name: 'Work on this image' });

/** Waits until the task of the shown image, which may come after its picture, can be handed on in this way: until then its key does nothing. */
export const taskCanBe = (way: 'Done, next' | 'Send back …' | 'Accept', page: Page): Promise<void> =>
  workBar(page).getByRole('button', { name: way }).waitFor();

/** The picture in the box editor. */
export const stage = (page: Page) => page.getByRole('application');

/** Draws a box on the picture between two corners, in fractions of the stage. */
export async function draw(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const { x, y, width, height } = (await stage(page).boundingBox())!;
  await page.mouse.move(x + from[0] * width, y + from[1] * height);
  await page.mouse.down();
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 3 });
  await page.mouse.up();
}

/** Draws a box, in the middle of the picture unless corners are given, labels it, and waits until it is saved. */
export async function drawLabelled(
  page: Page,
  label: string,
  from: readonly [number, number] = [0.35, 0.35],
  to: readonly [number, number] = [0.6, 0.6],
): Promise<void> {
  await pictureShown(page);
  await stage(page).focus();
  await page.keyboard.press('n');
  await draw(page, from, to);
  await page.getByLabel('Label', { exact: true }).fill(label);
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();
  await stage(page).focus();
}
