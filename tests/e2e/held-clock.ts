import type { Page } from 'playwright';

/** Stops the page's clock: its timers then run only by `page.clock.runFor`, so that the computer's speed does not matter. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000); // must still be in the future when the page receives it
}
