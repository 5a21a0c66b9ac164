import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { EnginePage, type Engine, type EngineDriver } from './engine-page.ts';
import { firefoxPath, startFirefox } from './firefox.ts';
import { hasOwnBuild, startPlaywright } from './playwright.ts';
import { hasWebKit, startWebKit } from './webkit.ts';

export interface TestedEngine {
  readonly name: string;
  /** whether it is installed here; where not, its tests are skipped by name */
  readonly isHere: boolean;
  readonly start: () => Promise<Engine>;
}

const named = (name: string, isHere: boolean, start: () => Promise<Engine>): TestedEngine => ({
  name: isHere ? name : `${name} (skipped: it is not installed here)`,
  isHere,
  start,
});

/** the installed Firefox, or Playwright's own build */
export const firefox = firefoxPath
  ? named('Firefox', true, startFirefox)
  : named('Firefox', hasOwnBuild('firefox'), () => startPlaywright('firefox'));
/** what the others are held to */
export const chromium = named('Chromium', true, () => startPlaywright('chromium'));
/** with SharedArrayBuffer, as in Safari, or Playwright's own build */
export const webKit = hasWebKit
  ? named('WebKit', true, () => startWebKit(true))
  : named('WebKit', hasOwnBuild('webkit'), () => startPlaywright('webkit'));
/** isolated without SharedArrayBuffer, as WebKitGTK is by default */
export const webKitUnshared = named('WebKit without shared memory', hasWebKit, () => startWebKit(false));

/** Provides pages of an engine to the tests of a `describe`. Every test fails if its pages have complaints. */
export function useEngine({ isHere, start }: TestedEngine): {
  newPage: () => Promise<EnginePage>;
  /** may have complaints; the caller closes it */
  newDriver: () => Promise<EngineDriver>;
} {
  let engine: Engine | undefined;
  const pages: EnginePage[] = [];
  beforeAll(async () => void (engine = isHere ? await start() : undefined));
  afterEach(async () => {
    const ended = pages.splice(0);
    for (const { driver } of ended) await driver.close();
    expect(ended.flatMap(({ driver }) => driver.complaints())).toEqual([]);
  });
  afterAll(() => engine?.close());
  return {
    newDriver: () => engine!.newPage(),
    async newPage() {
      const page = new EnginePage(await engine!.newPage());
      pages.push(page);
      return page;
    },
  };
}
