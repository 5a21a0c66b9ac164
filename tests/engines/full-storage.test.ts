import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { firstSample } from '../e2e/test-media.ts';
import type { EnginePage } from './engine-page.ts';
import { useEngine } from './engines.ts';
import { firefoxPath, startFirefox } from './firefox.ts';

const where = firefoxPath === undefined ? ' (skipped: Firefox is not installed here)' : '';

const folder = mkdtempSync(join(tmpdir(), 'sightglass-engines-'));
let app: RunningApp;
beforeAll(async () => void (app = await serveBuiltApp()));
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true });
});

const shown = (page: EnginePage) => page.evaluate(() => document.body.innerText);
const importFiles = (page: EnginePage, ...paths: readonly string[]) =>
  page.chooseFiles({ css: 'input[type="file"][aria-label="Files to import"]' }, ...paths);

/** Images that differ, of 1 MB each. */
function images(name: string, count: number): string[] {
  const image = readFileSync(firstSample);
  return Array.from({ length: count }, (_, at) => {
    const path = join(folder, `${name}-${at}.jpg`);
    writeFileSync(path, Buffer.concat([image, Buffer.alloc(1_000_000, at), Buffer.from(name)]));
    return path;
  });
}

// WebKitGTK's MiniBrowser has no option, and WebKitWebDriver no capability, that limits storage: there a full one is not tested.
describe(`Firefox whose storage is full${where}`, () => {
  // The share of one site is a fifth of it, here 40 MB, of which the page's own files take some 25 MB.
  const engine = useEngine({
    name: 'Firefox',
    isHere: firefoxPath !== undefined,
    start: () => startFirefox({ 'dom.quotaManager.temporaryStorage.fixedLimit': 200_000 }),
  });

  it.skipIf(!firefoxPath)('keeps what has room, says what has none and why, and goes on', async () => {
    const page = await engine.newPage();
    await page.driver.goto(`${app.url}#/data/images`);
    await importFiles(page, ...images('first', 45));
    const imported = /Import: (\d+) stored, (\d+) failed/;
    await expect.poll(() => shown(page)).toMatch(imported);
    const [, stored, failed] = imported.exec(await shown(page))!.map(Number);
    expect(stored! + failed!).toBe(45);
    expect(await shown(page)).toContain('Delete what is no longer needed');
    // In Firefox the transaction after a full disk can only delete, and says another reason.
    expect(await shown(page)).not.toMatch(/broke off|defect/);
    await page.driver.reload();
    await expect.poll(() => shown(page)).toContain(`${stored} images`);
  });
});
