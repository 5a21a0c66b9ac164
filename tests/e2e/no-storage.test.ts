import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes, panel } from './bench-page.ts';

const app = useApp();

it('works in memory where the browser gives no storage, and says so', async () => {
  const { page } = await app.open({
    prepare: (context) =>
      context.addInitScript(() => {
        const refuse = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        for (const name of ['indexedDB', 'localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, { get: refuse });
      }),
  });
  await expectFirstBoxes(page);
  await page.keyboard.press('k');
  const refused = page
    .getByRole('alert')
    .filter({ hasText: "The browser's storage broke off: The operation is insecure." });
  await refused.waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    refused.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.jpe?g$/);

  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles('dist/builtin/frames/sample2.jpg');
  await page.getByText('sample2.jpg').first().waitFor();
});
