import type { Page } from 'playwright';

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
