import { expect, it, onTestFinished } from 'vitest';
import type { RunningApp } from '../e2e/app.ts';
import { expectFirstBoxes } from './bench.ts';
import type { EnginePage } from './engine-page.ts';

interface Host {
  readonly name: string;
  readonly serve: () => Promise<RunningApp>;
}

/** The actions of a visit, once there are boxes. */
type Act = (page: EnginePage, appUrl: string) => Promise<void>;

export const look: Act = async () => undefined;

/** To open the bench takes an engine most of the time of a journey, so each visit is also used for something. */
export interface Journey {
  readonly host: Host;
  readonly does: string;
  /** one for each visit */
  readonly acts: readonly Act[];
}

/** In a `describe` of an engine: a test that opens the bench once for each act. */
export function itVisits(newPage: () => Promise<EnginePage>, isHere: boolean, { host, does, acts }: Journey): void {
  it.skipIf(!isHere)(
    `shows boxes without a click on each visit (${acts.length}) from ${host.name}, and ${does}`,
    async () => {
      const app = await host.serve();
      onTestFinished(() => app.close()); // after its page: what that fetches meanwhile would fail
      const page = await newPage();
      for (const [visit, act] of acts.entries()) {
        if (visit === 0) await page.driver.goto(app.url);
        else await page.driver.reload();
        // Isolated by the service worker alone, the page loads itself again on the first visit, also after there were boxes.
        await expect.poll(() => page.evaluate(() => crossOriginIsolated)).toBe(true);
        await expectFirstBoxes(page);
        await act(page, app.url);
      }
    },
  );
}
