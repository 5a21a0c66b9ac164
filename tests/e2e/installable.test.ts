import { chromium } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { chromiumPath, quietFlags } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';

const app = useApp();

it('can be installed, with its icon', async () => {
  // a context of its own would be incognito, which installs nothing
  const context = await chromium.launchPersistentContext('', { executablePath: chromiumPath(), args: [...quietFlags] });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(app.url);
  const session = await page.context().newCDPSession(page);
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data!) as {
    readonly icons: readonly { readonly src: string; readonly sizes: string }[];
  };
  for (const sizes of ['192x192', '512x512']) {
    const { src } = icons.find((icon) => icon.sizes === sizes)!;
    const shown = await page.evaluate(async (url) => {
      const { width, height } = await createImageBitmap(await (await fetch(url)).blob());
      return `${width}x${height}`;
    }, src);
    expect(shown).toBe(sizes);
  }
});
