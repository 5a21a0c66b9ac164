import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { runOnCamera } from './camera.ts';
import { firefox, useEngine, webKit, webKitUnshared, type TestedEngine } from './engines.ts';
import { sendFromAnotherTab } from './sending.ts';
import { goBack, tuneThreshold } from './tuning.ts';
import { itVisits, look, type Journey } from './visits.ts';
import { hasWebKit } from './webkit.ts';

// Cross-origin isolated by headers of the host.
const start: Journey['host'] = { name: 'npm start', serve: serveBuiltApp };
const dev: Journey['host'] = { name: 'npm run dev', serve: serveSources };

async function serveSources(): Promise<RunningApp> {
  const server = await createServer({
    configLoader: 'native', // a few seconds faster than bundled
    server: { host: '127.0.0.1', port: 0, open: false },
    logLevel: 'silent',
  });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

const tuneAndSend: Journey['acts'][number] = async (page, appUrl) => {
  await tuneThreshold(page);
  await goBack(page);
  await sendFromAnotherTab(page, appUrl);
};
const tuned = 'tunes a threshold, goes back, sends captures';
const journey: Journey = { host: start, does: `${tuned}, and runs on a camera`, acts: [tuneAndSend, runOnCamera] };
// Playwright's build of WebKit has no fake camera.
const withoutCamera: Journey = { host: start, does: `${tuned} (no camera: none is here)`, acts: [tuneAndSend, look] };
const only = (host: Journey['host'], visits: number): Journey => ({
  host,
  does: 'nothing else',
  acts: Array.from({ length: visits }, () => look),
});

const tested: readonly (TestedEngine & { readonly journeys: readonly Journey[] })[] = [
  { ...firefox, journeys: [journey] },
  // WebKit alone checks the embedder policy on answers of 304, of which a development server gives many, to a second visit.
  { ...webKit, journeys: [hasWebKit ? journey : withoutCamera, only(dev, 2)] },
  { ...webKitUnshared, journeys: [only(start, 1)] },
];

describe.each(tested)('$name', ({ journeys, ...engine }) => {
  const { newPage, newDriver } = useEngine(engine);

  if (engine.name !== webKitUnshared.name)
    it.skipIf(!engine.isHere)('hears what a page complains of, also before it is loaded anew', async () => {
      const app = await serveBuiltApp();
      const driver = await newDriver();
      const text = `${app.url}builtin/LICENCES.txt`;
      await driver.goto(text);
      await driver.evaluate(`console.error('an error', 1), console.warn('a warning')`);
      await driver.reload();
      await driver.evaluate(
        `setTimeout(() => { throw new Error('thrown') }), new Promise((done) => setTimeout(done, 50))`,
      );
      await driver.evaluate(`console.error('the last')`);
      await driver.close();
      await app.close();
      const heard = driver.complaints().map((words) => words.replace(/^.*: /, ''));
      expect(heard).toEqual(['an error 1', 'a warning', 'thrown', 'the last']);
    });

  for (const journey of journeys) itVisits(newPage, engine.isHere, journey);
});
