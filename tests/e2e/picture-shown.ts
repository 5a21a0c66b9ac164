import type { Page } from 'playwright';

/** Waits until the editor of boxes shows its picture; a canvas that nothing was drawn on is 300 pixels wide. */
export function pictureShown(page: Page): Promise<unknown> {
  return page.waitForFunction(() => (document.querySelector<HTMLCanvasElement>('canvas.picture')?.width ?? 0) > 300);
}
