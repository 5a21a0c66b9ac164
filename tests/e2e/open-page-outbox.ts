import type { Page } from 'playwright';
import { build } from 'vite';
import './page-outbox.ts';

let script: Promise<string> | undefined;

/** Builds the app's captures and outbox as a script, so that tests can use them in the page independently of the views. */
async function buildScript(): Promise<string> {
  const lib = { entry: 'tests/e2e/page-outbox.ts', formats: ['iife' as const], name: 'ignored' };
  const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: { write: false, lib } });
  return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
}

/** Adds the functions of `page-outbox.ts` to the page. Call it again after every page load. */
export async function openPageOutbox(page: Page): Promise<void> {
  await page.evaluate(await (script ??= buildScript()));
}
