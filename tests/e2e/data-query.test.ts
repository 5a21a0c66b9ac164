import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { parquetOf } from '../../src/base/row-files/test-rows.ts';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { copied } from './bench-page.ts';
import { openDataClient } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';
import { shownTime } from './shown-time.ts';

const app = useApp();
const hourMs = 3_600_000;
/** start of an hour three hours ago, so that the two hours of readings are over */
const startMs = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs;
const minute = (at: number): string => new Date(startMs + at * 60_000).toISOString();

/** Uploads 120 readings of a scale, one a minute: 0 kg, 1 kg, and so on. */
async function uploadReadings(page: Page): Promise<void> {
  await openDataClient(page);
  await page.evaluate(async (startMs) => {
    const { client, home } = pageData;
    const at = (minute: number) => ({ seconds: BigInt(startMs / 1000 + minute * 60), nanos: 0 });
    await client.sync.dataCaptureUpload({
      metadata: {
        partId: home.partId,
        type: 2, // TABULAR_SENSOR
        componentType: 'rdk:component:sensor',
        componentName: 'scale',
        methodName: 'Readings',
      },
      sensorContents: Array.from({ length: 120 }, (_, minute) => ({
        metadata: { timeRequested: at(minute), timeReceived: at(minute) },
        data: { case: 'struct' as const, value: { readings: { kg: minute, door: { open: minute % 2 === 0 } } } },
      })),
    });
  }, startMs);
}

const editor = (page: Page, name: RegExp) => page.getByRole('textbox', { name });

async function write(page: Page, name: RegExp, text: string): Promise<void> {
  await editor(page, name).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

const rowCount = (page: Page, text: string) => page.getByText(text, { exact: true });

describe('the query console', () => {
  it('completes the columns that are stored, answers as table, chart and file, and shows where an error is', async () => {
    const { page } = await app.open({ path: '#/data/query' });
    await uploadReadings(page);
    await page.reload();
    await write(page, /^SQL/, 'SELECT data.readings.k');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: 'data.readings.kg' }).click();
    await page.keyboard.insertText(', time_requested FROM readings WHERE data.readings.door.open ORDER BY 2');
    await page.keyboard.press('Control+Enter');
    await rowCount(page, '60 rows').waitFor();
    const table = page.getByRole('table', { name: 'Rows of the query' });
    await expect
      .poll(() => table.getByRole('columnheader').allInnerTexts())
      .toEqual([
        expect.stringMatching(/Row/),
        expect.stringMatching(/kg\s+number/),
        expect.stringMatching(/time_requested\s+date/),
      ]);
    const secondRow = table.getByRole('row').nth(2).getByRole('cell');
    await expect.poll(() => secondRow.allInnerTexts()).toEqual(['2', '2', shownTime(minute(2))]);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv.split('\r\n').slice(0, 3)).toEqual(['kg,time_requested', `0,${minute(0)}`, `2,${minute(2)}`]);
    const [parquet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as Parquet' }).click(),
    ]);
    expect(parquet.suggestedFilename()).toBe('query.parquet');
    const { rows, types } = await parquetOf(await readFile(await parquet.path()));
    expect(types).toEqual({ kg: 'INT64', time_requested: 'TIMESTAMP_MICROS' });
    const even = Array.from({ length: 60 }, (_, at) => 2 * at);
    expect(rows).toEqual(even.map((at) => ({ kg: BigInt(at), time_requested: BigInt(startMs + at * 60_000) * 1000n })));
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('img', { name: /kg over time_requested, 60 points/ }).waitFor();

    await write(page, /^SQL/, 'SELECT kg\nFROM things');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Go to line 2, column 6' }).click();
    await page.keyboard.insertText('readings');
    await expect.poll(() => editor(page, /^SQL/).innerText()).toMatch(/SELECT kg\s+FROM readings/);
  });

  it('ends a query that is cancelled, and saves the rows of an answer that is too large to be shown, which can be stopped', async () => {
    const { page } = await app.open({ path: '#/data/query', acceptDownloads: true });
    await uploadReadings(page);
    await page.getByRole('tab', { name: 'MQL' }).click();
    // The pattern backtracks exponentially, so the query runs until its deadline.
    const endless = { $regexMatch: { input: `${'a'.repeat(60)}!`, regex: '^(a+)+$' } };
    await write(page, /^MQL/, JSON.stringify([{ $project: { x: endless } }]));
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await write(page, /^MQL/, '[{"$count": "n"}]');
    await page.keyboard.press('Control+Enter');
    await rowCount(page, '1 row').waitFor();

    const many = { $range: [0, 1000] };
    await write(page, /^MQL/, JSON.stringify([{ $project: { n: many } }, { $unwind: '$n' }]));
    await page.keyboard.press('Control+Enter');
    await page.getByText('The answer has more than 100000 rows').waitFor();
    const save = page.getByRole('button', { name: 'Save as Parquet' });
    await save.focus();
    await page.keyboard.press('Enter');
    const stop = page.getByRole('group', { name: 'Export' }).getByRole('button', { name: 'Stop' });
    await stop.click();
    await expect.poll(() => stop.count()).toBe(0);
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const { rows } = await parquetOf(await readFile(await file.path()));
    expect([rows.length, rows[0]!['n'], rows.at(-1)!['n']]).toEqual([120_000, 0n, 999n]);
    await write(page, /^MQL/, '[{"$limit": 0}]');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: /^Go to line 1/ }).waitFor();
    expect(await save.count()).toBe(0);
  });

  it('saves a query, runs it before another, and keeps what is written for a reload and a link', async () => {
    const { page, context } = await app.open({ path: '#/data/query' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await uploadReadings(page);
    await page.getByRole('tab', { name: 'MQL' }).click();
    await write(page, /^MQL/, '[{"$match": {"data.readings.kg": {"$gte": 100}}}]');
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByRole('textbox', { name: 'Name to save the query under' }).fill('heavy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Rename heavy' }).waitFor();
    await checkAtBothSizes(page, 'Saved queries');
    await page.getByRole('button', { name: 'Run heavy before what is written' }).click();
    await write(page, /^MQL/, '[{"$limit": 5}, {"$project": {"data.readings.kg": 1}}]');
    await page.reload();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await rowCount(page, '5 rows').waitFor();
    await page.getByRole('cell', { name: '104', exact: true }).waitFor();
    await checkAtBothSizes(page, 'Query');

    const link = await copied(page, page.getByRole('button', { name: 'Copy link' }));
    expect(new URL(page.url()).hash).toBe('#/data/query');
    await page.getByRole('button', { name: 'without it' }).click();
    await write(page, /^MQL/, '[]');
    await page.goto(link);
    await page.getByRole('button', { name: 'without it' }).waitFor();
    await expect.poll(() => editor(page, /^MQL/).innerText()).toContain('$project');

    await page.getByRole('button', { name: /^Saved/ }).click();
    await page.getByRole('button', { name: 'Rename heavy' }).click();
    await page.getByRole('textbox', { name: 'New name of heavy' }).fill('from ten');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete from ten' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete from ten' }).waitFor();
  });

  it('keeps SQL in this browser: for a reload and other tabs, by keyboard, and says when there is no room', async () => {
    const { page, context } = await app.open({ path: '#/data/query' });
    await write(page, /^SQL/, 'SELECT 1 AS one FROM readings');
    await page.getByRole('button', { name: 'Saved' }).click();
    const name = page.getByRole('textbox', { name: 'Name to save the query under' });
    await name.fill('one');
    await name.press('Enter');
    await page.getByText('“one” saved.').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Saved (1)' }).click();
    const inBrowser = page.getByRole('list', { name: 'SQL in this browser' });

    const other = await context.newPage();
    await other.goto(`${app.url}#/data/query`);
    await write(other, /^SQL/, 'SELECT 2 AS two FROM readings');
    await other.getByRole('button', { name: 'Saved' }).click();
    await other.getByRole('textbox', { name: 'Name to save the query under' }).fill('two');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await inBrowser.getByRole('button', { name: /^two/ }).waitFor();
    await other.close();

    await write(page, /^SQL/, 'SELECT 3');
    await inBrowser.getByRole('button', { name: /^one/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => editor(page, /^SQL/).innerText()).toContain('SELECT 2 AS two');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => editor(page, /^SQL/).innerText()).toContain('SELECT 3');
    await inBrowser.getByRole('button', { name: /^two/ }).press('F2');
    await page.getByRole('textbox', { name: 'New name of two' }).fill('deux');
    await page.keyboard.press('Enter');
    await inBrowser.getByRole('button', { name: /^deux/ }).press('Delete');
    await page.getByText('“deux” deleted.').first().waitFor();
    await expect.poll(() => inBrowser.getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await inBrowser.getByRole('button', { name: /^deux/ }).waitFor();

    await page.evaluate(() => {
      for (let size = 4 << 20; size >= 1; size >>= 1)
        try {
          for (let at = 0; ; at++) localStorage.setItem(`filler ${size} ${at}`, 'x'.repeat(size));
        } catch {
          // the storage is full for a value of this size
        }
    });
    await write(page, /^SQL/, 'SELECT 4');
    await name.fill('four');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/no room left for “four”/).waitFor();
    expect([await name.inputValue(), await editor(page, /^SQL/).innerText()]).toEqual(['four', 'SELECT 4']);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('filler')) localStorage.removeItem(key);
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await inBrowser.getByRole('button', { name: /^four/ }).waitFor();
  });
});

describe('a pipeline', () => {
  it('is made after its next runs were shown, runs the past, and shows what it kept', async () => {
    const { page } = await app.open({ path: '#/data/pipelines' });
    await uploadReadings(page);
    await page.getByRole('link', { name: 'New pipeline' }).click();
    const schedule = page.getByRole('textbox', { name: /^Schedule/ });
    await schedule.fill('0 0 31 2 *');
    await page.getByText(/never fires/).waitFor();
    await schedule.fill('0 * * * *');
    const preview = page.getByRole('table', { name: 'The next five runs' });
    await expect.poll(() => preview.getByRole('row').count()).toBe(6);
    await editor(page, /^Stages/).waitFor();
    await checkAtBothSizes(page, 'New pipeline');
    await page.getByRole('textbox', { name: 'Name' }).fill('hourly mean');
    await page.getByRole('switch', { name: /backfill/ }).check();
    await write(page, /^Stages/, '[{"$grup": {}}]');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText(/\$grup is not allowed/)
      .first()
      .waitFor();
    await write(page, /^Stages/, '[{"$group": {"_id": null, "mean": {"$avg": "$data.readings.kg"}}}]');
    await page.getByRole('button', { name: 'Create' }).click();

    const runs = page.getByRole('table', { name: 'Runs, newest first' });
    const sink = page.getByRole('table', { name: 'Rows of the sink' });
    await sink.getByRole('cell', { name: '89.5', exact: true }).waitFor({ timeout: 60_000 });
    await sink.getByRole('cell', { name: '29.5', exact: true }).waitFor();
    await expect.poll(() => runs.getByText('Completed').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Open in the query console' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await rowCount(page, '2 rows').waitFor();

    await page.goBack();
    await page.getByText('On', { exact: true }).click();
    await page.getByRole('switch', { name: 'Off' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no pipelines yet').waitFor();
    await openDataTab(page, 'Settings');
    await page.getByRole('heading', { name: 'Database access' }).waitFor();
    await checkAtBothSizes(page, 'Settings');
  });
});
