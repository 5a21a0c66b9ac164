import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient } from './data-client.ts';
import { dropFiles, importEnded, type DroppedFile } from './dropped-files.ts';
import { holdClock } from './held-clock.ts';
import { storedFiles, storedNames, tagSelected } from './stored-files.ts';

const app = useApp();
const startMs = Date.UTC(2026, 4, 28, 12);

/** All byte values, repeated: treating them as text at any point would change them. */
const allBytes = Buffer.from(Uint8Array.from({ length: 700_001 }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
const files: readonly DroppedFile[] = [
  { name: 'recording.bag', bytes: allBytes },
  { name: 'notes.txt', mimeType: 'text/plain', bytes: 'The lens was wiped at noon.\r\n' },
  { name: 'größte Höhe (Kopie).tar.gz', mimeType: 'application/gzip', bytes: allBytes.subarray(0, 300) },
  { name: 'empty.log', mimeType: 'text/x-log', bytes: '' },
  { name: 'calibration.yaml', bytes: 'fx: 612.5\n' },
].map((file, at) => ({ ...file, changedMs: startMs - at * 1000 }));

/** A WAV file of 8,000 quiet samples a second. */
function silence(seconds: number): Buffer {
  const samples = 8000 * seconds;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

const list = (page: Page) => page.getByRole('listbox', { name: 'Files' });
const row = (page: Page, name: string) => list(page).getByRole('option').filter({ hasText: name });
const count = (page: Page) => page.getByRole('status', { name: 'Count' });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected files' });

async function openFiles(options: Parameters<typeof app.open>[0] = {}): Promise<Page> {
  const { page } = await app.open({ path: '#/data/files', acceptDownloads: true, ...options });
  await page.getByText('No files are stored here yet').waitFor();
  await openDataClient(page);
  await dropFiles(page, files);
  await importEnded(page, files.length);
  await row(page, 'calibration.yaml').waitFor();
  return page;
}

describe('stored files', () => {
  it('come back byte by byte, are shown or played where they can be, and opened by a link that needs no key', async () => {
    const page = await openFiles({ serviceWorker: true });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    for (const { name, bytes } of files) {
      await row(page, name).dblclick();
      await page.getByRole('heading', { name }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path()).equals(Buffer.from(bytes)), name).toBe(true);
      await page.getByRole('button', { name: 'Files', exact: true }).click();
    }

    await row(page, 'notes.txt').dblclick();
    await page.getByRole('button', { name: 'Link to notes.txt' }).click();
    const url = await page.getByRole('link', { name: 'Open notes.txt' }).getAttribute('href');
    const text = await page.evaluate(async (address) => (await fetch(address)).text(), url!);
    expect(text).toBe('The lens was wiped at noon.\r\n');
    await page.getByRole('button', { name: 'Files', exact: true }).click();

    await row(page, 'calibration.yaml').dblclick();
    const content = page.getByRole('region', { name: 'What is in calibration.yaml' });
    await expect.poll(() => content.innerText()).toBe('fx: 612.5\n');
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await row(page, 'recording.bag').dblclick();
    await page.getByRole('heading', { name: 'recording.bag' }).waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: /^What is in/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await dropFiles(page, [
      { name: 'silence.wav', mimeType: 'audio/wav', bytes: silence(0.5), changedMs: startMs },
      { name: 'torn.mp4', mimeType: 'video/mp4', bytes: 'no film', changedMs: startMs },
    ]);
    await importEnded(page, 2);
    await row(page, 'silence.wav').dblclick();
    const audio = page.getByLabel('silence.wav', { exact: true });
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration)).toBe(0.5);
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await row(page, 'torn.mp4').dblclick();
    await page.getByText('This browser cannot show this file.').waitFor();
  });

  it('are those that no other tab shows, the newest first, and the oldest first when asked, and are deleted after ten seconds unless that is undone', async () => {
    const page = await openFiles();
    const names = () => list(page).getByRole('option').locator('.name').allTextContents();
    await expect.poll(names).toEqual(files.map(({ name }) => name));
    await dropFiles(page, [{ name: 'cloud.pcd', bytes: 'VERSION .7', changedMs: startMs }]);
    await importEnded(page, 1);
    expect(await storedFiles(page)).toHaveLength(files.length + 1);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
    await expect.poll(names).toEqual(files.map(({ name }) => name).toReversed());
    await expect.poll(() => count(page).innerText()).toMatch(/^5 files · /);

    await holdClock(page);
    const note = page.getByRole('group', { name: 'Delete' });
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await note.getByText('5 files').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await note.waitFor({ state: 'hidden' });
    await row(page, 'notes.txt').dblclick();
    await page.getByRole('heading', { name: 'notes.txt' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await note.getByText('1 file').waitFor();
    await row(page, 'notes.txt').getByText('will be deleted').waitFor();
    await page.clock.runFor(9_000);
    expect(await storedFiles(page)).toHaveLength(6);
    await page.clock.runFor(1_500);
    await page.clock.resume();
    await expect
      .poll(async () => (await storedNames(page)).toSorted())
      .toEqual(['cloud.pcd', ...files.map(({ name }) => name).filter((name) => name !== 'notes.txt')].toSorted());
    await expect.poll(() => count(page).innerText()).toMatch(/^4 files/);
  });
});

describe('the tab of files', () => {
  it('on a touch screen opens by a tap on a row, and selects by its mark', async () => {
    const page = await openFiles({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await row(page, 'notes.txt').locator('[data-mark]').tap();
    await row(page, 'empty.log').locator('[data-mark]').tap();
    await bar(page).getByText('2 selected').waitFor();
    await row(page, 'notes.txt').tap();
    await page.getByRole('heading', { name: 'notes.txt' }).waitFor();
  });

  it('passes axe on a desktop and a phone, in light and dark', async () => {
    const page = await openFiles();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await row(page, 'notes.txt').click();
    await tagSelected(page, 'noon');
    await row(page, 'notes.txt').locator('.selected').waitFor();
    await page.getByText('1 file tagged “noon”').first().waitFor();
    await checkAtBothSizes(page, 'Files');
    await row(page, 'größte').dblclick();
    await page.getByText('application/gzip').waitFor();
    await checkAtBothSizes(page, 'File');
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await row(page, 'notes.txt').dblclick();
    await page.getByText('The lens was wiped at noon.').waitFor();
    await checkAtBothSizes(page, 'text');
  });
});
