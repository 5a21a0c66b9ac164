import { readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../src/evidence/datasets/files/parse-csv.ts';
import { parquetOf } from '../../src/base/row-files/test-rows.ts';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient } from './data-client.ts';
import { dropFiles, importEnded, type DroppedFile } from './dropped-files.ts';
import { shownTime } from './shown-time.ts';

const app = useApp();
const startMs = Date.UTC(2026, 4, 28, 12);

/** Rows a minute apart; the third one has no weight. */
const scaleRows = Array.from({ length: 6 }, (_, at) => ({
  time: new Date(startMs + at * 60_000).toISOString(),
  grams: at === 2 ? '' : 10 + at * 2.5,
  note: at === 4 ? 'wet, "really"' : 'dry',
}));
const scale: DroppedFile = {
  name: 'scale.csv',
  mimeType: 'text/csv',
  bytes: [
    'time,grams,note',
    ...scaleRows.map(({ time, grams, note }) => `${time},${grams},"${note.replaceAll('"', '""')}"`),
  ].join('\r\n'),
};
/** Rows with nested readings, lists, and no values. */
const armRows = Array.from({ length: 4 }, (_, at) => ({
  time: new Date(startMs + 30_000 + at * 60_000).toISOString(),
  pose: { x: at / 4, y: 1 - at, frame: at === 1 ? null : 'base' },
  joints: [at, 2 * at],
  moving: at % 2 === 0,
}));
const arm: DroppedFile = { name: 'arm.json', mimeType: 'application/json', bytes: JSON.stringify(armRows) };

/** Whole seconds have no fraction in files. */
const seconds = (time: string): string => time.replace('.000Z', 'Z');

const table = (page: Page) => page.getByRole('table', { name: 'Readings' });
const count = (page: Page) => page.getByRole('status', { name: 'Count' });
const source = (page: Page) => page.getByRole('combobox', { name: 'Source' });

/** The columns and rows of the table, without row numbers. */
async function shown(page: Page): Promise<{ columns: string[]; rows: string[][] }> {
  const headers = await table(page).getByRole('columnheader').allInnerTexts();
  const rows = table(page).locator('tbody tr:not([aria-hidden])');
  const cells = await rows.evaluateAll((lines) =>
    lines.map((line) => Array.from(line.querySelectorAll('td:not(.index)'), (cell) => cell.textContent ?? '')),
  );
  return { columns: headers.slice(1).map((header) => header.split(/\s/)[0]!), rows: cells };
}

async function importTables(page: Page, files: readonly DroppedFile[]): Promise<void> {
  await dropFiles(page, files);
  for (const { name } of files) {
    const dialog = page.getByRole('dialog', { name: `Import ${name}` });
    await dialog.getByRole('combobox', { name: 'Time column' }).waitFor();
    await dialog.getByRole('button', { name: /^Import [\d,]+ readings?$/ }).click();
  }
  await importEnded(page, files.length);
}

async function openSensors(options: Parameters<typeof app.open>[0] = {}): Promise<Page> {
  const { page } = await app.open({ path: '#/data/sensors', acceptDownloads: true, ...options });
  await page.getByText('No readings are stored here yet').waitFor();
  await importTables(page, [scale, arm]);
  await expect.poll(() => count(page).innerText()).toMatch(/^10 readings · /);
  return page;
}

async function downloaded(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save as ${format}`, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const scaleTexts = scaleRows.map(({ time, grams, note }) => [shownTime(time), String(grams), note]);

describe('readings', () => {
  /** Number of coloured pixels in the chart. */
  async function colored(page: Page): Promise<number> {
    const { data, channels, width, height } = decode(await page.locator('.u-over').screenshot());
    let found = 0;
    for (let at = 0; at < width * height; at++) {
      const [r, g, b] = [data[at * channels]!, data[at * channels + 1]!, data[at * channels + 2]!];
      if (Math.max(r, g, b) - Math.min(r, g, b) > 60) found += 1;
    }
    return found;
  }

  /** The newest row is the first. */
  async function seeTable(page: Page): Promise<void> {
    await expect.poll(async () => (await shown(page)).rows).toHaveLength(10);
    const { columns, rows } = await shown(page);
    expect(columns.slice(0, 2)).toEqual(['time', 'component']);
    expect(columns.slice(2).toSorted()).toEqual([
      'grams',
      'joints',
      'moving',
      'note',
      'pose.frame',
      'pose.x',
      'pose.y',
    ]);
    expect(rows.map(([time]) => time)).toEqual(
      [...scaleRows, ...armRows]
        .map(({ time }) => shownTime(time))
        .toSorted()
        .toReversed(),
    );
    await source(page).selectOption({ label: 'arm · Readings (4)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^4 readings/);
    await expect
      .poll(() => shown(page))
      .toEqual({
        columns: ['time', 'pose.x', 'pose.y', 'pose.frame', 'joints', 'moving'],
        rows: armRows
          .map(({ time, pose: { x, y, frame }, joints, moving }) =>
            [shownTime(time), x, y, frame, JSON.stringify(joints), moving].map(String),
          )
          .toReversed(),
      });
    const latest = page.getByLabel('Latest value');
    await latest.getByText('pose.x 0.75').waitFor();
    await latest.locator('time').getByText(shownTime(armRows[3]!.time)).waitFor();
  }

  /** The lines that are chosen, over the column that is chosen. */
  async function chart(page: Page): Promise<void> {
    await source(page).selectOption({ label: 'arm · Readings (4)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^4 readings/);
    await checkAtBothSizes(page, 'table');
    await page.getByRole('tab', { name: 'Chart' }).click();
    const chart = page.getByRole('img', { name: /^Readings over time: / });
    const legend = page.locator('.u-legend');
    const says = (words: string) =>
      expect.poll(() => chart.getAttribute('aria-label')).toBe(`Readings over time: ${words}`);
    await says('pose.x, pose.y over time, 4 points');
    await legend.getByText('pose.y').waitFor();
    await expect.poll(() => legend.innerText()).toBe('UTC2026-05-28 12:03:30pose.x0.75pose.y-2');
    await expect.poll(() => colored(page)).toBeGreaterThan(200);
    const two = await colored(page);
    await page.getByRole('checkbox', { name: 'pose.y' }).uncheck();
    await expect.poll(() => legend.innerText()).not.toContain('pose.y');
    await expect.poll(() => colored(page)).toBeLessThan(two);
    await page.getByRole('checkbox', { name: 'moving' }).check();
    await says('pose.x, moving over time, 4 points');
    await page.getByRole('combobox', { name: 'Horizontal axis' }).selectOption('pose.frame');
    await page.getByRole('combobox', { name: 'Kind of chart' }).selectOption('Bars');
    await says('pose.x, moving over pose.frame, 4 points');
    await expect.poll(() => colored(page)).toBeGreaterThan(two);
    await page.getByRole('checkbox', { name: 'pose.x' }).uncheck();
    await page.getByRole('checkbox', { name: 'moving' }).uncheck();
    await expect.poll(() => colored(page)).toBe(0);

    await page.getByRole('checkbox', { name: 'pose.x' }).check();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.locator('.u-legend').waitFor();
    await checkAtBothSizes(page, 'chart and filter');
  }

  /** By component and time, from an open filter. */
  async function filter(page: Page): Promise<void> {
    await page.getByRole('tab', { name: 'Table' }).click();
    await source(page).selectOption({ label: 'scale · Readings (6)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^6 readings/);
    await page.getByLabel('From, in UTC (this moment included)').fill('2026-05-28T12:01:00');
    await page.getByLabel('Until, in UTC (this moment left out)').fill('2026-05-28T12:04:00');
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page).innerText()).toMatch(/^3 readings/);
    const rows = scaleTexts.slice(1, 4).toReversed();
    await expect.poll(async () => (await shown(page)).rows).toEqual(rows);
    const { hash } = new URL(page.url());
    expect(hash).toContain('component=scale');
    expect(hash).toContain('from=2026-05-28T12:01');
    expect(hash).toContain('until=2026-05-28T12:04');
    await page.reload();
    await expect.poll(() => count(page).innerText()).toMatch(/^3 readings/);
    await expect.poll(async () => (await shown(page)).rows).toEqual(rows);
    await page.getByRole('button', { name: /^Remove From/ }).click();
    await expect.poll(() => count(page).innerText()).toMatch(/^4 readings/);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => count(page).innerText()).toMatch(/^10 readings/);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('textbox', { name: 'Component', exact: true }).fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No reading matches').waitFor();
    await page.getByRole('button', { name: 'Show all readings' }).click();
    await expect.poll(() => count(page).innerText()).toMatch(/^10 readings/);
  }

  /** All that match and nothing else. */
  async function save(page: Page): Promise<void> {
    await source(page).selectOption({ label: 'scale · Readings (6)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^6 readings/);
    const csv = await downloaded(page, 'CSV');
    expect(csv.name).toBe('scale.csv');
    const [names, ...lines] = parseCsv(csv.bytes.toString());
    const columns = ['time_captured', 'resource_name', 'payload.readings.grams', 'payload.readings.note'];
    const valuesOf = (line: readonly string[]) => columns.map((column) => line[names!.indexOf(column)]);
    expect(lines.map(valuesOf)).toEqual(
      scaleRows.map(({ time, grams, note }) => [seconds(time), 'scale', String(grams), note]),
    );
    const { rows, types } = await parquetOf((await downloaded(page, 'Parquet')).bytes);
    expect(types).toMatchObject({ time_captured: 'TIMESTAMP_MICROS', 'payload.readings.grams': 'DOUBLE' });
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual(
      scaleRows.map(({ time, grams, note }) => [
        BigInt(Date.parse(time)) * 1000n,
        'scale',
        grams === '' ? null : grams,
        note,
      ]),
    );
    await source(page).selectOption({ label: 'arm · Readings (4)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^4 readings/);
    const jsonl = await downloaded(page, 'JSONL');
    expect(jsonl.name).toBe('arm.jsonl');
    const documents = jsonl.bytes.toString().trimEnd().split('\n');
    expect(documents.map((line) => JSON.parse(line) as unknown)).toEqual(
      armRows.map(({ time, ...readings }) =>
        expect.objectContaining({ time_captured: seconds(time), resource_name: 'arm', payload: { readings } }),
      ),
    );

    await source(page).selectOption({ index: 0 });
    await expect.poll(() => count(page).innerText()).toMatch(/^10 readings/);
    await openDataClient(page);
    await page.evaluate(async (seconds) => {
      const { client, home } = pageData;
      await client.sync.dataCaptureUpload({
        metadata: {
          partId: home.partId,
          type: 2,
          componentType: 'rdk:component:sensor',
          componentName: 'battery',
          methodName: 'Readings',
        },
        sensorContents: [
          {
            metadata: { timeRequested: { seconds: BigInt(seconds), nanos: 0 } },
            data: { case: 'struct', value: { readings: { volts: 12.5 } } },
          },
        ],
      });
    }, startMs / 1000);
    const all = await downloaded(page, 'CSV');
    expect(all.name).toBe('readings.csv');
    const written = all.bytes.toString().split('\r\n');
    expect(written.filter((line) => line.includes('battery'))).toHaveLength(1);
    await source(page).selectOption({ label: 'battery · Readings (1)' });
    await expect.poll(() => count(page).innerText()).toMatch(/^1 reading ·/);
  }

  it('come from CSV and JSON, stand in a table and in a chart of the lines that are chosen, and are filtered by component and time as the address says; files have all that match, also of a component that came since', async () => {
    const page = await openSensors({ timezoneId: 'Asia/Tokyo' });
    await seeTable(page);
    await chart(page);
    await filter(page);
    await save(page);
  });
});

describe('the tab of sensors', () => {
  it('reads 10,000 rows, draws those in sight, and goes on when asked', async () => {
    const { page } = await app.open({ path: '#/data/sensors', acceptDownloads: true });
    await page.getByText('No readings are stored here yet').waitFor();
    const lines = Array.from({ length: 10_000 }, (_, at) => `${new Date(startMs + at * 1000).toISOString()},${at}`);
    await importTables(page, [{ name: 'many.csv', bytes: ['time,n', ...lines].join('\n') }]);
    await expect.poll(() => count(page).innerText()).toMatch(/^5,000 of 10,000 readings/);
    await expect.poll(async () => (await shown(page)).rows[0]?.[1]).toBe('9999');
    expect((await shown(page)).rows.length).toBeLessThan(80);
    const view = page.getByRole('region', { name: 'Readings' });
    await view.focus();
    await page.keyboard.press('End');
    await table(page).getByRole('cell', { name: '5000', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Read 5,000 more' }).click();
    await expect.poll(() => count(page).innerText()).toMatch(/^10,000 readings/);
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('img', { name: 'Readings over time: n over time, 10000 points' }).waitFor();
    const [, ...saved] = parseCsv((await downloaded(page, 'CSV')).bytes.toString());
    expect(saved.map((line) => line.at(-1))).toEqual(Array.from({ length: 10_000 }, (_, at) => String(at)));
  });
});
