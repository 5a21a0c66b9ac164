import { describe } from 'vitest';
import { serveBuiltApp } from '../e2e/app.ts';
import { servePlainly } from '../e2e/plain-server.ts';
import { chromium, firefox, useEngine, webKit, type TestedEngine } from './engines.ts';
import { goThroughVideos, whereCars } from './videos.ts';
import { itVisits, look, type Journey } from './visits.ts';

// Cross-origin isolated by the service worker, from the second load on.
const plain: Journey = {
  host: { name: 'a host that sends no headers', serve: () => servePlainly('/bench/') },
  does: `steps and jumps by whole frames in videos of even and uneven rate, and turned ones${whereCars}, and runs all of one`,
  acts: [look, look, goThroughVideos],
};

const tested: readonly (TestedEngine & Pick<Journey, 'host' | 'acts'>)[] = [
  { ...chromium, host: { name: 'npm start', serve: serveBuiltApp }, acts: [goThroughVideos] },
  { ...firefox, ...plain },
  { ...webKit, ...plain },
];

describe.each(tested)('$name', ({ host, acts, ...engine }) => {
  const { newPage } = useEngine(engine);
  itVisits(newPage, engine.isHere, { ...plain, host, acts });
});
