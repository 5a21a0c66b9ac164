import { writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { chromiumPath, quietFlags } from './chromium.ts';

/** Takes README's picture of the bench from the built app, as a first visit shows it. Needs `npm run build`. */
const picturePath = 'docs/bench.jpg';
const mostBytes = 250_000;

interface LoadingImage {
  readonly complete: boolean;
  readonly naturalWidth: number;
}

const server = await preview({ preview: { host: '127.0.0.1', port: 0, open: false }, logLevel: 'silent' });
const address = server.httpServer.address();
if (address === null || typeof address === 'string') throw new Error('The preview server has no port.');
const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...quietFlags] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await page.goto(`http://127.0.0.1:${address.port}/`);
  const results = page.getByRole('region', { name: 'Results', exact: true });
  await results.locator('tbody tr').nth(2).waitFor();
  await page.getByRole('switch', { name: 'Ghosts' }).first().press('Space');
  await results.locator('tbody tr').nth(3).waitFor();
  await page
    .getByRole('region', { name: 'Model', exact: true })
    .getByText(/^[\d.]+ ms$/)
    .first()
    .waitFor();
  const hints = page.getByRole('button', { name: 'Dismiss this hint' });
  while ((await hints.count()) > 0) await hints.first().click();
  await page.waitForFunction(() => {
    // Node's types know no document.
    const { document } = globalThis as unknown as { readonly document: { readonly images: Iterable<LoadingImage> } };
    return [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
  });
  for (let quality = 90; ; quality -= 5) {
    const picture = await page.screenshot({ type: 'jpeg', quality, animations: 'disabled' });
    if (picture.length > mostBytes && quality > 40) continue;
    await writeFile(picturePath, picture);
    console.log(`${picturePath}: ${picture.length.toLocaleString('en')} bytes at quality ${quality}.`);
    break;
  }
} finally {
  await browser.close();
  await server.close();
}
