import type { Page } from 'playwright';

/** Waits until the box editor shows its picture: an empty canvas has the default width of 300 pixels. */
export function pictureShown(page: Page): Promise<unknown> {
  return page.waitForFunction(() => (document.querySelector<HTMLCanvasElement>('canvas.picture')?.width ?? 0) > 300);
}
