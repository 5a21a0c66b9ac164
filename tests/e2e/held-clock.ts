import type { Page } from 'playwright';

/** Stops the clock of the page: from now on its timers run by `page.clock.runFor` alone, however slow the machine is. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000); // later than now, whenever it gets there
}
