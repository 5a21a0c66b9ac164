import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect } from 'vitest';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a colour scheme can change. Every other rule has the same answer in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

export interface Looked {
  /** whether colours are looked at in dark ones, too: `src/app/theme.test.ts` names where they may differ from what the light ones say */
  readonly dark?: boolean;
  /** CSS selector of the part of the page that is looked at; default all of it */
  readonly within?: string;
}

/** The violations that axe-core finds in the page's current state. */
export async function violations(
  page: Page,
  state: string,
  { dark = false, within = 'html' }: Looked = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of dark ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The browser applies the emulated scheme asynchronously.
    await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
    await page.evaluate(async () => {
      await new Promise(requestAnimationFrame); // transitions start in the next frame
      await new Promise(requestAnimationFrame);
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
    const rules = colorScheme === 'dark' ? { runOnly: { type: 'rule', values: colourRules } } : {};
    const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
    const run = () =>
      page.evaluate<readonly Violation[]>(
        `axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => violations)`,
      );
    // Chromium may draw a <select> in the previous scheme for some frames, so only persistent violations count.
    let results = await run();
    for (let again = 0; again < 5 && results.length > 0; again++) results = await run();
    for (const { id, nodes } of results)
      for (const { target, failureSummary } of nodes)
        found.push(`${state}, ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`);
  }
  return found;
}

/** The page's horizontal overflow in px, which must be 0. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How much larger than its window the app is, in px: its parts scroll, it does not. A hidden text that no part contains makes it larger. */
export const spilled = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    return Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight);
  });

/** Requires that the page's current state has no faults of access, on a desktop and on a phone, where it must not be larger than the window. */
export async function checkAtBothSizes(page: Page, state: string): Promise<void> {
  expect(await violations(page, state)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => spilled(page)).toBe(0);
  expect(await violations(page, `${state} on a phone`)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
}
