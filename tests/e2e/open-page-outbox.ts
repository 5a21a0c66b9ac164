import type { Page } from 'playwright';
import { build } from 'vite';
import './page-outbox.ts';

let script: Promise<string> | undefined;

/** The app's own captures and outbox as a script: tests use them in the built app's page, whatever the views look like. */
async function buildScript(): Promise<string> {
  const lib = { entry: 'tests/e2e/page-outbox.ts', formats: ['iife' as const], name: 'ignored' };
  const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: { write: false, lib } });
  return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
}

/** Puts the functions of `page-outbox.ts` into the page; again after every load of it. */
export async function openPageOutbox(page: Page): Promise<void> {
  await page.evaluate(await (script ??= buildScript()));
}
