import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds in the page as it is, in both colour schemes. */
export async function violations(page: Page, state: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The browser hands the scheme on when it finds the time.
    await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
    await page.evaluate(async () => {
      await new Promise(requestAnimationFrame); // fades begin with the styles of the next frame
      await new Promise(requestAnimationFrame);
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
    const run = () =>
      page.evaluate<readonly Violation[]>(
        'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
      );
    // Chromium may keep a select in the colours of the other scheme for some frames: only what stays is a violation.
    let results = await run();
    for (let again = 0; again < 5 && results.length > 0; again++) results = await run();
    for (const { id, nodes } of results)
      for (const { target, failureSummary } of nodes)
        found.push(`${state}, ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`);
  }
  return found;
}

/** How far the page scrolls sideways, in px: it never should. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
