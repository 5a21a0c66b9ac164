import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';

const app = useApp();
const [widthPx, heightPx] = [160, 120];
const labels = ['cup', 'dog'];

interface Corners {
  readonly label: string;
  readonly px: readonly number[];
}

/** Different pictures by file name. The second one looks like the first. */
const pictures = Array.from({ length: 8 }, (_, at) => {
  const slope = at === 1 ? 0 : at;
  const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % widthPx, Math.floor(i / 3 / widthPx)];
    return (x * (1 + slope) + y * (7 - slope) * (slope % 3) + (at === 1 ? 3 : 0)) & 0xff;
  });
  const boxes: Corners[] = Array.from({ length: at % 3 }, (_, n) => ({
    label: labels[(at + n) % 2]!,
    px: [3.25 + 7 * n, 5.5, 33.75 + 20 * n, 41.1 + at],
  }));
  return { name: `p${at}.png`, bytes: encode({ width: widthPx, height: heightPx, data, channels: 3 }), boxes };
});

function cocoZip(): Buffer {
  const json = {
    info: { description: 'Kitchen' },
    images: pictures.map(({ name }, id) => ({ id, file_name: name, width: widthPx, height: heightPx })),
    annotations: pictures.flatMap(({ boxes }, image_id) =>
      boxes.map(({ label, px: [x0, y0, x1, y1] }, n) => ({
        id: image_id * 10 + n,
        image_id,
        category_id: labels.indexOf(label) + 1,
        iscrowd: 0,
        bbox: [x0!, y0!, x1! - x0!, y1! - y0!],
        area: 1,
      })),
    ),
    categories: labels.map((name, i) => ({ id: i + 1, name })),
  };
  const files = Object.fromEntries(pictures.map(({ name, bytes }) => [`train/${name}`, bytes]));
  return Buffer.from(
    zipSync({ ...files, 'train/_annotations.coco.json': strToU8(JSON.stringify(json)) }, { level: 0 }),
  );
}

const importedText = `8 images imported with ${pictures.flatMap(({ boxes }) => boxes).length} boxes.`;

/** The stored pictures by file name, with their boxes in pixels and their datasets. */
const storedPictures = (page: Page) =>
  page.evaluate(
    async ([w, h]) => {
      const { data } = await pageData.client.data.binaryDataByFilter({
        dataRequest: { filter: { organizationIds: [pageData.home.organizationId] }, limit: 100n },
      });
      return data
        .map(({ metadata }) => ({
          name: metadata!.fileName,
          datasetCount: metadata!.datasetIds.length,
          boxes: metadata!.annotations!.bboxes.map((box) => ({
            label: box.label,
            px: [box.xMinNormalized * w, box.yMinNormalized * h, box.xMaxNormalized * w, box.yMaxNormalized * h],
          })),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    [widthPx, heightPx] as const,
  );

function expectBoxes(stored: Awaited<ReturnType<typeof storedPictures>>): void {
  expect(stored.map(({ name }) => name)).toEqual(pictures.map(({ name }) => name));
  for (const [at, { boxes }] of stored.entries()) {
    expect(boxes.map(({ label }) => label)).toEqual(pictures[at]!.boxes.map(({ label }) => label));
    for (const [n, { px }] of boxes.entries())
      for (const [i, value] of px.entries())
        expect(Math.abs(value - pictures[at]!.boxes[n]!.px[i]!), `${at}.${n}`).toBeLessThanOrEqual(0.5 + 1e-9);
  }
}

async function openDatasets(options: Parameters<typeof app.open>[0] = {}) {
  const { page } = await app.open({
    path: '#/data/datasets',
    acceptDownloads: true,
    // A test cannot use the system's save dialog, so the export is a download, as in browsers without that dialog.
    prepare: (context) =>
      context.addInitScript(() => delete (globalThis as { showSaveFilePicker?: unknown }).showSaveFilePicker),
    ...options,
  });
  await page.getByText('There are no datasets yet').waitFor();
  await openDataClient(page);
  return page;
}

declare global {
  var pickedFolder: { name: string };
}

/** Replaces the system's folder dialog, which a test cannot use, by a folder of the origin private file system. */
function pickPrivateFolder(): void {
  globalThis.pickedFolder = { name: 'exported' };
  const showDirectoryPicker = async (): Promise<FileSystemDirectoryHandle> => {
    if (pickedFolder.name === '') throw new DOMException('The user aborted a request.', 'AbortError');
    const root = await navigator.storage.getDirectory();
    return root.getDirectoryHandle(pickedFolder.name, { create: true });
  };
  Object.assign(globalThis, { showDirectoryPicker });
}

/** The files of that folder in base64, by path. */
const privateFiles = (page: Page, name: string): Promise<Record<string, string>> =>
  page.evaluate(async (folderName) => {
    const files: Record<string, string> = {};
    const walk = async (folder: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
      const entries = folder as unknown as AsyncIterable<[string, FileSystemDirectoryHandle | FileSystemFileHandle]>;
      for await (const [entry, handle] of entries) {
        if (handle.kind === 'directory') await walk(handle, `${prefix}${entry}/`);
        else {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
          files[prefix + entry] = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        }
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName), '');
    return files;
  }, name);

/** Writes files to a temporary folder on the disk while `use` runs. */
async function inFolder(files: Record<string, string>, use: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-dataset-'));
  try {
    for (const [path, base64] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), Buffer.from(base64, 'base64'));
    }
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chooseZip = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'application/zip', buffer });

async function importZip(page: Page, name: string, buffer: Buffer, datasetName?: string): Promise<string> {
  await page.getByRole('button', { name: 'Import …' }).first().click();
  await chooseZip(page, name, buffer);
  await page.getByText('8 images', { exact: true }).waitFor();
  if (datasetName !== undefined) await page.getByLabel('Name of the new dataset').fill(datasetName);
  await page.getByRole('button', { name: 'Import 8 images' }).click();
  const report = page.getByRole('heading', { name: /imported/ });
  await report.waitFor();
  return report.innerText();
}

async function exportYolo(page: Page): Promise<Buffer> {
  await page.getByRole('tab', { name: 'Export' }).click();
  await page.getByText('YOLO (Ultralytics)').click();
  // All images are tagged train, so the page warns that val is empty.
  await page.getByRole('alert').getByText('val has no images').waitFor();
  expect(await page.getByRole('button', { name: 'Export as zip' }).isDisabled()).toBe(true);
  await page.getByLabel('Validate on the images of train').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as zip' }).click(),
  ]);
  await page.getByRole('heading', { name: '8 images with 7 boxes exported as YOLO' }).waitFor();
  return readFileSync(await download.path());
}

/** A CVAT for video export with one track over the pictures. It moves, and ends before the last picture. */
function cvatVideoZip(): Buffer {
  const boxAt = (frame: number, x: number, more: string): string =>
    `<box frame="${frame}" ${more} xtl="${x}" ytl="10" xbr="${x + 40}" ybr="50"/>`;
  const rows = Array.from({ length: 7 }, (_, at) =>
    boxAt(at, 10 * at, `keyframe="${at % 6 === 0 ? 1 : 0}" outside="0"`),
  );
  const track = `<track id="4" label="cup">${rows.join('')}${boxAt(7, 60, 'keyframe="1" outside="1"')}</track>`;
  const xml = `<annotations><meta><task><name>walk</name></task></meta>${track}</annotations>`;
  const files = pictures.map(({ bytes }, at) => [`images/frame_00000${at}.png`, bytes]);
  return Buffer.from(zipSync({ ...Object.fromEntries(files), 'annotations.xml': strToU8(xml) }, { level: 0 }));
}

describe('datasets', () => {
  it('come from CVAT for video with their tracks, keep the key frames, and go with all boxes', async () => {
    const page = await openDatasets();
    expect(await importZip(page, 'walk.zip', cvatVideoZip(), 'walk')).toBe('8 images imported with 7 boxes.');
    const stored = await storedPictures(page);
    expect(Object.values(stored).reduce((sum, { boxes }) => sum + boxes.length, 0)).toBe(2);
    await page.getByRole('button', { name: 'Open the dataset' }).click();
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByText('CVAT for video', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as zip' }).click(),
    ]);
    await page.getByRole('heading', { name: '8 images with 7 boxes exported as CVAT for video' }).waitFor();
    const xml = strFromU8(unzipSync(readFileSync(await download.path()))['walk/annotations.xml']!);
    const rows = [...xml.matchAll(/frame="(\d)" keyframe="(\d)" outside="(\d)" occluded="0" xtl="([\d.]+)"/g)];
    expect(rows.map(([, ...row]) => row.join(' '))).toEqual([
      '0 1 0 0',
      '1 0 0 10',
      '2 0 0 20',
      '3 0 0 30',
      '4 0 0 40',
      '5 0 0 50',
      '6 1 0 60',
      '7 1 1 60',
    ]);
    expect(xml).toContain('<track id="4" label="cup"');
  });

  it('come from COCO, show their health and splits, go as YOLO and come again, with the same boxes and nothing twice, on a desktop and a phone', async () => {
    const page = await openDatasets();
    await checkAtBothSizes(page, 'no datasets');
    await page.getByRole('button', { name: 'Import …' }).first().click();
    await chooseZip(page, 'kitchen.zip', cocoZip());
    await page.getByRole('button', { name: 'Import 8 images' }).waitFor();
    await checkAtBothSizes(page, 'preview');
    await page.getByRole('button', { name: 'Import 8 images' }).click();
    await page.getByRole('heading', { name: importedText }).waitFor();
    expectBoxes(await storedPictures(page));

    await page.getByRole('button', { name: 'Open the dataset' }).click();
    await page.getByRole('heading', { name: 'Kitchen' }).waitFor();
    await page.getByRole('option', { name: 'p2.png, 2 boxes' }).waitFor();
    await checkAtBothSizes(page, 'images');
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Export as zip' }).waitFor();
    await checkAtBothSizes(page, 'export');
    const yolo = await exportYolo(page);
    expect(Object.keys(unzipSync(yolo))).toContain('data.yaml');
    await page.getByRole('tab', { name: 'Health' }).click();
    await page.getByRole('button', { name: 'Scan the images' }).click();
    await page.getByRole('heading', { name: 'Near duplicates' }).waitFor();
    await checkAtBothSizes(page, 'health');
    await page.getByRole('link', { name: 'Images without boxes' }).click();
    await page.getByRole('option', { name: 'p3.png, 0 boxes' }).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(3);
    await page.getByRole('tab', { name: 'Split' }).click();
    await page.getByRole('list', { name: 'Images in each split' }).waitFor();
    await checkAtBothSizes(page, 'split');

    await page.getByRole('button', { name: 'All datasets' }).click();
    expect(await importZip(page, 'again.zip', yolo, 'Again')).toBe('0 images imported, 8 were here already.');
    const known = await storedPictures(page);
    expect(known.map(({ datasetCount }) => datasetCount)).toEqual(pictures.map(() => 2));
    expectBoxes(known);

    await page.evaluate(() =>
      pageData.client.data.deleteBinaryDataByFilter({ filter: { organizationIds: [pageData.home.organizationId] } }),
    );
    await page.getByRole('button', { name: 'All datasets' }).click();
    expect(await importZip(page, 'anew.zip', yolo, 'Anew')).toBe(importedText);
    expectBoxes(await storedPictures(page));
  });

  it('go into a folder as Viam JSONL and come from it, with the same pictures and boxes', async () => {
    const page = await openDatasets({ prepare: (context) => context.addInitScript(pickPrivateFolder) });
    await importZip(page, 'kitchen.zip', cocoZip());
    await page.getByRole('button', { name: 'Open the dataset' }).click();
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByText('Viam JSONL', { exact: true }).click();
    await page.getByText('val and test have no images.').waitFor(); // all are tagged train: a warning that prevents nothing
    const intoFolder = page.getByRole('button', { name: 'Export into a folder …' });
    await page.evaluate(() => (pickedFolder.name = '')); // the person cancels the dialog
    await intoFolder.click();
    await page.evaluate(() => (pickedFolder.name = 'exported'));
    await intoFolder.click();
    await page.getByRole('heading', { name: /^8 images with 7 boxes exported as / }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    const written = await privateFiles(page, 'exported');
    expect(Object.keys(written).some((path) => path.endsWith('dataset.jsonl'))).toBe(true);
    for (const { name, bytes } of pictures) {
      const path = Object.keys(written).find((one) => one.endsWith(`/${name}`))!;
      expect(Buffer.from(written[path]!, 'base64').equals(Buffer.from(bytes)), name).toBe(true);
    }
    await intoFolder.click();
    await page.getByRole('alert').getByText('“exported” is not empty.').waitFor();
    expect(await privateFiles(page, 'exported')).toEqual(written);

    await page.evaluate(() =>
      pageData.client.data.deleteBinaryDataByFilter({ filter: { organizationIds: [pageData.home.organizationId] } }),
    );
    await page.getByRole('button', { name: 'All datasets' }).click();
    await page.getByRole('button', { name: 'Import …' }).first().click();
    await inFolder(written, async (folder) => {
      await page.locator('input[webkitdirectory]').setInputFiles(folder);
      await page.getByText('8 images', { exact: true }).waitFor();
      await page.getByLabel('Name of the new dataset').fill('From a folder');
      await page.getByRole('button', { name: 'Import 8 images' }).click();
      await page.getByRole('heading', { name: importedText }).waitFor();
    });
    expectBoxes(await storedPictures(page));
  });

  it('are created, renamed, merged and deleted, and say which name is taken, and why nothing can be imported', async () => {
    const page = await openDatasets();
    const create = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'New dataset' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
    };
    await create('Cups');
    await page.getByRole('heading', { name: 'Cups' }).waitFor();
    await page.getByRole('button', { name: 'All datasets' }).click();
    await create('Cups');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Dogs');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Rename …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cats');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { name: 'Cats' }).waitFor();
    await page.getByRole('button', { name: 'All datasets' }).click();
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Merge …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Pets and cups');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Pets and cups' }).waitFor();
    await page.getByRole('button', { name: 'Delete the dataset' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Cups', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);

    await page.getByRole('button', { name: 'Import …' }).first().click();
    await chooseZip(page, 'holiday.zip', Buffer.from(zipSync({ 'notes/readme.md': strToU8('no boxes here') })));
    await page.getByRole('alert').getByText('Nothing can be imported.').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/COCO: .*YOLO/s);
    await page.getByRole('button', { name: 'Choose another' }).click();
    await chooseZip(page, 'broken.zip', Buffer.from('not a zip'));
    await page.getByRole('alert').getByText('cannot be read as a zip').waitFor();
  });

  it('come with their pictures, and from annotations without any, shown before and undone after', async () => {
    const page = await openDatasets();
    await openDataTab(page, 'Images');
    const kitchen = Object.entries(unzipSync(cocoZip())).map(([path, bytes]) => ({
      name: path.split('/').at(-1)!,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    }));
    await page.getByLabel('Files to import').setInputFiles(kitchen);
    await page.getByRole('button', { name: 'Import 8 images' }).click();
    await page.getByRole('heading', { name: /^8 images imported/ }).waitFor();
    expectBoxes(await storedPictures(page));
    const csv =
      'filename,class,xmin,ymin,xmax,ymax\np1.png,sun,0,0,80,60\np3.png,sun,0,0,80,60\nnone.png,sun,0,0,9,9\n';
    await openDataTab(page, 'Images');
    await page
      .getByLabel('Files to import')
      .setInputFiles({ name: 'boxes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const matches = page.getByRole('region', { name: 'Matches' });
    await matches.getByText('2 of 3').waitFor();
    await matches.getByText('1 of the found ones has boxes already').waitFor();
    await page.getByLabel('Images that have boxes already').selectOption('replace');
    const labelsOf = async (name: string) =>
      (await storedPictures(page)).find((one) => one.name === name)!.boxes.map(({ label }) => label);
    await page.getByRole('button', { name: 'Annotate 2 images' }).click();
    await page.getByRole('heading', { name: '2 images annotated.' }).waitFor();
    expect([await labelsOf('p1.png'), await labelsOf('p3.png')]).toEqual([['sun'], ['sun']]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Undone: the images are as they were.' }).waitFor();
    expect([await labelsOf('p1.png'), await labelsOf('p3.png')]).toEqual([['dog'], []]);
  });
});
