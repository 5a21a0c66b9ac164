import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright';
import type { Capture } from '../../src/evidence/capture/capture.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { chooseFrom, expectFirstBoxes, panel } from './bench-page.ts';
import { openDataTab } from './open-data-tab.ts';
import { firstSample, temporaryFolder } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The stored captures, oldest first, read directly from the database. */
function keptCaptures(page: Page): Promise<Capture[]> {
  return page.evaluate(async () => {
    const answered = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    const database = await answered(indexedDB.open('sightglass-captures'));
    const captures: unknown = await answered(database.transaction('captures').objectStore('captures').getAll());
    database.close();
    return captures as never;
  });
}

const confirmation = (page: Page, count: number) =>
  page.getByText(`${count} ${count === 1 ? 'capture' : 'captures'} in this browser`);
const openTray = (page: Page) => chooseFrom(page, 'Stage menu', 'Captures');
const shownCaptures = (page: Page) => page.getByRole('listbox', { name: 'Captures' }).getByRole('option');

describe('captures of stills', () => {
  const app = useApp();

  it('keep the file’s own bytes by a key, survive a reload, and can be deleted and kept after all', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await page.keyboard.press('k');
    await confirmation(page, 1).waitFor();
    const [capture] = await keptCaptures(page);
    expect(capture!.image).toMatchObject({ sha256: sha256(readFileSync(firstSample)), encoding: 'original' });
    expect(capture!.boxes).toHaveLength(3);

    await page.reload();
    await expectFirstBoxes(page);
    await openTray(page);
    await shownCaptures(page).first().waitFor();
    expect(await shownCaptures(page).count()).toBe(1);
    expect(await violations(page, 'captures below the stage')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Capture this frame (K)' }).waitFor();
    await page.getByRole('tab', { name: 'Keep' }).click();
    await shownCaptures(page).first().waitFor();
    await expect.poll(() => sideways(page)).toBe(0);
    expect(await violations(page, 'captures on a phone')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing is captured yet').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await shownCaptures(page).first().waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect.poll(() => keptCaptures(page)).toEqual([]);
  });

  it('have rows of measurements beside them, which the sensors list, and are made by rules until the budget is spent', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await openTray(page);
    const rows = page.getByRole('switch', { name: /^Keep scores as sensor readings/ });
    await rows.check({ force: true });
    for (const frame of [1, 2]) {
      await page.getByRole('listbox', { name: 'Frames' }).getByRole('option').nth(frame).click();
      await page.getByRole('switch', { name: `Keep scores as sensor readings · ${frame}` }).waitFor();
    }
    await rows.uncheck({ force: true });
    await page.goto(`${app.url}#/data/sensors`);
    await page.getByText('2 readings').waitFor();
    await page.getByRole('cell', { name: 'builtin/sample2.jpg' }).first().waitFor();

    await openDataTab(page, 'Outbox');
    await page.getByRole('button', { name: 'sent 2' }).waitFor();
    await page.getByRole('button', { name: 'Clear sent rows' }).click();
    await page.getByText('Nothing waits to be sent').waitFor();

    await page.goto(`${app.url}#/bench`);
    const rules = panel(page, 'Capture rules');
    await rules.getByRole('switch', { name: 'Every' }).uncheck({ force: true });
    await rules.getByRole('switch', { name: 'Frame differs' }).check({ force: true });
    await rules.getByLabel('Most frames', { exact: true }).fill('2');
    await rules.getByRole('button', { name: 'Start the rules' }).click();
    for (let frame = 0; frame < 3; frame++) {
      const title = page.getByTitle('Frame source');
      await page
        .getByRole('listbox', { name: 'Frames' })
        .getByRole('option')
        .nth(frame + 1)
        .click();
      await title.getByText(`sample${frame + 2}.jpg`).waitFor();
      await expect.poll(() => page.getByLabel('Results').locator('tbody tr').count()).toBeGreaterThan(0);
      if (frame < 2) await expect.poll(async () => (await keptCaptures(page)).length).toBe(frame + 1);
    }
    await rules.getByText('Stopped: 2 frames were kept.').waitFor();
    const kept = await keptCaptures(page);
    expect(kept.map(({ reason }) => reason.kind)).toEqual(['rules', 'rules']);
  });
});

describe('a bench as one file', () => {
  const app = useApp();
  const run = promisify(execFile);
  const node = createRequire(import.meta.url).resolve('node/bin/node');

  it('opens elsewhere with the same results, and the terminal says the same', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await chooseFrom(page, 'Main menu', 'Save or open a bench');
    const dialog = page.getByRole('dialog');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save the bench' }).click(),
    ]);
    const path = join(folder, 'bench.zip');
    await download.saveAs(path);

    const { page: other } = await app.open();
    await expectFirstBoxes(other);
    await chooseFrom(other, 'Main menu', 'Save or open a bench');
    await other.locator('input[type=file][accept=".zip"]').setInputFiles(path);
    await other.getByText('The frame gives exactly the same results here.').waitFor();
    expect(await violations(other, 'a bench that was opened')).toEqual([]);
    const row = await other.getByRole('table', { name: 'Frames' }).locator('tbody tr').first().innerText();

    const { stdout } = await run(node, ['bin/sightglass.js', 'replay', path]);
    const [head, frame] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(head!['verdict']).toBe('same');
    expect(row.split(/\t/).map((cell) => cell.trim())).toEqual([
      frame!['frame'],
      'the same',
      String(frame!['rows']),
      String(frame!['largestScoreDifference']),
      `${String(frame!['largestBoxDifferencePx'])} px`,
    ]);
  });
});

describe('captures of a webcam', () => {
  const app = useApp(undefined, () => ['--use-fake-device-for-media-stream=fps=30']);

  it('lose no frame of a burst, which ends by itself after ten seconds', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await expectFirstBoxes(page);
    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
    await panel(page, 'Source').getByText('webcam live').waitFor();
    await openTray(page);
    await page.clock.install();
    await page.getByRole('button', { name: 'Burst 10 s' }).click();
    await page.getByRole('button', { name: /Stop the burst.* \d\d/ }).waitFor();
    await page.clock.fastForward(10_000);
    await page.getByRole('button', { name: 'Burst 10 s' }).waitFor();
    await page.getByText('being written').waitFor({ state: 'detached' });
    const kept = (await keptCaptures(page)).filter(({ reason }) => reason.kind === 'burst');
    const indices = kept.map(({ source }) => source.index).toSorted((a, b) => a - b);
    // The indices are consecutive, so no frame is missing.
    expect(indices).toEqual(indices.map((_, at) => indices[0]! + at));
    expect(kept.length).toBeGreaterThan(9);
  });
});
