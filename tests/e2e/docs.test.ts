import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, importConfiguration } from './bench-page.ts';
import { servePlainly } from './plain-server.ts';

/** Waits until files with these endings are in the offline cache. */
const keeps = (page: Page, ...endings: readonly string[]) =>
  expect
    .poll(() =>
      page.evaluate(async (wanted) => {
        const kept = await (await caches.open('sightglass-large')).keys();
        const paths = kept.map(({ url }) => new URL(url).pathname);
        return wanted.filter((ending) => !paths.some((path) => path.endsWith(ending)));
      }, endings),
    )
    .toEqual([]);

// Served from a subfolder of a plain file host: no index.html for folders, no custom headers.
describe('the documentation', () => {
  const app = useApp(() => servePlainly('/tools/sightglass/'));

  it('opens from the question mark, leads on, is read and searched without a network, and has the section that a finding leads to', async () => {
    const { context, page } = await app.open({ serviceWorker: true });
    await expectFirstBoxes(page);
    await keeps(page, '/docs/index.html', '/docs/recipes/robot-ci.html', '/docs/search.json');
    await page.keyboard.press('?');
    const [docs] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('dialog', { name: 'Shortcuts' }).getByRole('link', { name: 'Documentation' }).click(),
    ]);
    await docs.getByRole('heading', { level: 1, name: 'Sightglass' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help and shortcuts' }).click();
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('label file');
    const [answer] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await answer.getByRole('region', { name: 'Found' }).getByRole('link').first().waitFor();
    expect(await answer.getByRole('searchbox').inputValue()).toBe('label file');
    await answer.close();
    expect(new URL(docs.url()).pathname).toBe('/tools/sightglass/docs/index.html');
    await docs.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'A robot’s CI' }).click();
    await docs.getByRole('heading', { level: 1, name: "A robot's CI" }).waitFor();
    await keeps(docs, '/docs/pictures/bench.webp', '/docs/pictures/solver-dark.webp');

    await context.setOffline(true);
    await docs.reload();
    await docs.getByRole('link', { name: 'The command line', exact: true }).first().click();
    await docs.getByText('Usage: sightglass <command> [options]').waitFor();
    await docs.keyboard.press('/');
    await docs.keyboard.type('top-left pixel');
    await docs
      .getByRole('region', { name: 'Found' })
      .getByRole('link', { name: 'Lint rules › crop-corner-pixel' })
      .waitFor();
    await docs.keyboard.press('Enter');
    await expect.poll(() => new URL(docs.url()).hash).toBe('#crop-corner-pixel');
    await docs.goto(`${app.url}docs/`);
    const picture = docs.getByRole('img', { name: /^The bench/ });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1440);
    await docs.getByRole('link', { name: 'Open the bench' }).click();
    await expectFirstBoxes(docs);

    const camera = { name: 'a', api: 'rdk:component:camera', model: 'transform', attributes: { pipeline: [] } };
    await importConfiguration(docs, JSON.stringify({ components: [camera] }));
    const [rule] = await Promise.all([
      context.waitForEvent('page'),
      docs.getByRole('list', { name: 'Findings' }).getByRole('link', { name: 'pipeline-empty' }).click(),
    ]);
    await rule.getByRole('heading', { level: 3, name: 'pipeline-empty' }).waitFor();
    expect(new URL(rule.url()).hash).toBe('#pipeline-empty');
  });

  it.for([
    ['a desktop', { width: 1440, height: 900 }, ['architecture'], 'index'],
    ['a phone', { width: 390, height: 844 }, ['machine', 'data-service', 'contributing', 'index'], 'lint-rules'],
  ] as const)('passes axe on %s, and never scrolls sideways', async ([, viewport, pages, looked]) => {
    const { page } = await app.open({ viewport, path: `docs/${pages[0]}.html` });
    const found: string[] = [];
    for (const name of [...pages, looked]) {
      if (name !== pages[0]) await page.goto(`${app.url}docs/${name}.html`);
      if ((await sideways(page)) > 0) found.push(`${name} scrolls sideways`);
    }
    found.push(...(await violations(page, looked, { dark: true })));
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('searchbox').fill('threshold');
    await page.getByRole('region', { name: 'Found' }).getByRole('link').first().waitFor();
    found.push(...(await violations(page, 'the search')));
    expect(found).toEqual([]);
  });
});
