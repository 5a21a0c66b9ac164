import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { servePlainly } from '../e2e/plain-server.ts';
import { expectFirstBoxes } from './bench.ts';
import { runOnCamera } from './camera.ts';
import type { EnginePage } from './engine-page.ts';
import { chromium, firefox, useEngine, webKit, webKitUnshared, type TestedEngine } from './engines.ts';
import { sendFromAnotherTab } from './sending.ts';
import { goBack, tuneThreshold } from './tuning.ts';
import { goThroughVideos, whereCars } from './videos.ts';
import { hasWebKit } from './webkit.ts';

interface Host {
  readonly name: string;
  readonly serve: () => Promise<RunningApp>;
}

// Cross-origin isolated by headers of the host, or by the service worker from the second load on.
const start: Host = { name: 'npm start', serve: serveBuiltApp };
const plain: Host = { name: 'a host that sends no headers', serve: () => servePlainly('/bench/') };
const dev: Host = { name: 'npm run dev', serve: serveSources };

async function serveSources(): Promise<RunningApp> {
  const server = await createServer({ server: { host: '127.0.0.1', port: 0, open: false }, logLevel: 'silent' });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

/** What is done on a visit, once there are boxes. */
type Act = (page: EnginePage, appUrl: string) => Promise<void>;

interface Journey {
  readonly host: Host;
  readonly does: string;
  /** one for each visit */
  readonly acts: readonly Act[];
}

const look: Act = async () => undefined;
const tune: Act = async (page) => {
  await tuneThreshold(page);
  await goBack(page);
};

// To open the bench takes an engine most of the time of a journey, so each visit is also used for something.
const tuned = 'tunes a threshold, goes back, sends captures';
const journey: Journey = {
  host: start,
  does: `${tuned}, and runs on a camera`,
  acts: [tune, sendFromAnotherTab, runOnCamera],
};
// Playwright's build of WebKit has no fake camera.
const withoutCamera: Journey = {
  host: start,
  does: `${tuned} (no camera: none is here)`,
  acts: [tune, sendFromAnotherTab, look],
};
const videos: Journey = {
  host: plain,
  does: `steps and jumps by whole frames in videos of even and uneven rate, and turned ones${whereCars}, and runs all of one`,
  acts: [look, look, goThroughVideos],
};
const only = (host: Host, visits: number): Journey => ({
  host,
  does: 'nothing else',
  acts: Array<Act>(visits).fill(look),
});

const tested: readonly (TestedEngine & { readonly journeys: readonly Journey[] })[] = [
  { ...chromium, journeys: [{ ...videos, host: start, acts: [goThroughVideos] }] },
  { ...firefox, journeys: [journey, videos] },
  // WebKit alone checks the embedder policy on answers of 304, of which a development server gives many, to a second visit.
  { ...webKit, journeys: [hasWebKit ? journey : withoutCamera, videos, only(dev, 2)] },
  { ...webKitUnshared, journeys: [only(start, 1)] },
];

describe.each(tested)('$name', ({ journeys, ...engine }) => {
  const { newPage } = useEngine(engine);

  for (const { host, does, acts } of journeys) {
    it.skipIf(!engine.isHere)(
      `shows boxes without a click on each visit (${acts.length}) from ${host.name}, and ${does}`,
      async () => {
        const app = await host.serve();
        const page = await newPage();
        for (const [visit, act] of acts.entries()) {
          if (visit === 0) await page.driver.goto(app.url);
          else await page.driver.reload();
          // Isolated by the service worker alone, the page loads itself again on the first visit, also after there were boxes.
          await expect.poll(() => page.evaluate(() => crossOriginIsolated)).toBe(true);
          await expectFirstBoxes(page);
          await act(page, app.url);
        }
        await app.close();
      },
    );
  }
});
