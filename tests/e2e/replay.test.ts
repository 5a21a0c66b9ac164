import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { openDataClient } from './data-client.ts';

const app = useApp();
const startMs = Date.UTC(2026, 4, 28, 12);

/** What the bench's `detector` saw: faces of all scores, and a paler one in every third frame. Five minutes of nothing lie between. */
const frames = Array.from({ length: 12 }, (_, at) => ({
  timeMs: startMs + at * 1000 + (at < 6 ? 0 : 300_000),
  scores: at % 3 === 0 ? [0.9, 0.35] : [0.9],
}));

/** Uploads captures as a machine's data manager does, with what was seen on each. */
async function uploadCaptures(page: Page): Promise<void> {
  await openDataClient(page);
  await page.evaluate(
    async ([captures, type]) => {
      const { client, home } = pageData;
      const value = new Uint8Array(await (await fetch('builtin/frames/sample1.jpg')).arrayBuffer());
      for (const { timeMs, scores } of captures) {
        const bboxes = scores.map((confidence, at) => ({
          label: 'face',
          confidence,
          xMinNormalized: 0.1 + 0.4 * at,
          yMinNormalized: 0.2,
          xMaxNormalized: 0.4 + 0.4 * at,
          yMaxNormalized: 0.7,
        }));
        await client.sync.dataCaptureUpload({
          metadata: {
            partId: home.partId,
            componentType: 'rdk:service:vision',
            componentName: 'detector',
            methodName: 'CaptureAllFromCamera',
            type,
            fileExtension: '.jpg',
          },
          sensorContents: [
            {
              metadata: { timeRequested: { seconds: BigInt(timeMs / 1000) }, annotations: { bboxes } },
              data: { case: 'binary', value },
            },
          ],
        });
      }
    },
    [frames, DataType.BINARY_SENSOR] as const,
  );
}

const summary = (page: Page) => page.getByRole('region', { name: 'What would have been said' }).getByRole('status');

async function setThreshold(page: Page, configuration: string, threshold: string): Promise<void> {
  const field = page.getByRole('spinbutton', { name: `Threshold, ${configuration}, as a number` });
  await field.fill(threshold);
  await field.press('Enter');
}

it(
  'says what a week’s captures would have said, and where two configurations differ',
  { timeout: 60_000 },
  async () => {
    const { page } = await app.open({ path: '#/data/replay' });
    await page.getByText('Nothing to replay is stored here yet').waitFor();
    expect(await page.getByRole('link', { name: 'How to record' }).getAttribute('href')).toBe(
      'docs/recipes/record.html',
    );
    await page.getByRole('button', { name: 'Try it with the samples' }).click();
    await expect.poll(() => summary(page).innerText()).toMatch(/stored results are kept, in 6 frames/);
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await page.getByText('Nothing to replay is stored here yet').waitFor();
    await uploadCaptures(page);
    await page.reload();

    await page.getByRole('button', { name: 'Read the captures' }).click();
    // The bench's own service: its default is 0.5.
    await expect.poll(() => summary(page).innerText()).toMatch(/12 of 16 stored results are kept, in 12 frames/);
    await setThreshold(page, 'configuration', '0.3');
    await expect.poll(() => summary(page).innerText()).toMatch(/^16 of 16/);

    await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'bench: detector' });
    await expect.poll(() => summary(page).innerText()).toMatch(/4 frames differ/);
    expect(await violations(page, 'timeline')).toEqual([]);

    // The choice outlives a reload, with its thresholds.
    await page.reload();
    await expect.poll(() => summary(page).innerText()).toMatch(/4 frames differ/);
    await page.getByRole('tab', { name: 'Differences' }).click();
    const differing = page.getByRole('list', { name: 'Frames that differ' }).getByRole('button');
    await differing.nth(1).focus();
    await page.keyboard.press('Enter');
    const opened = page.getByRole('region', { name: /^Frame of / });
    await opened.getByRole('row', { name: 'face 0.3500 only by the first' }).waitFor();
    await opened.getByText('face 0.35', { exact: true }).waitFor();
    expect(await violations(page, 'differences')).toEqual([]);

    await page.getByRole('tab', { name: 'Events' }).click();
    // One event on either side of the gap.
    await expect.poll(() => page.getByRole('list', { name: 'Events' }).getByRole('button').count()).toBe(2);
    const eventCount = () => page.getByRole('list', { name: 'Events' }).getByRole('button').count();
    const setNumber = async (name: string, value: string) => {
      await page.getByRole('spinbutton', { name }).fill(value);
      await page.keyboard.press('Enter');
    };
    // Every face has 0.9 at most: none begins an event from 0.95 on.
    await setNumber('Score from which a frame counts for the beginning of an event', '0.95');
    await expect.poll(eventCount).toBe(0);
    await setNumber('Score from which a frame counts for the beginning of an event', '0.9');
    await setNumber('Frames with the label, at least', '3');
    await setNumber('An event ends when fewer of these frames have the label', '1');
    await expect.poll(eventCount).toBe(2);
    await page.getByRole('button', { name: 'Copy this rule as code' }).click();
    const code = page.getByRole('dialog', { name: 'The rule of events as code' });
    await code.getByText('(1, 0) if label in before else (3, 0.9)').waitFor();
    await code.getByRole('tab', { name: 'TypeScript' }).click();
    await code.getByText('class Events {').waitFor();
    expect(await violations(page, 'the rule as code')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sideways(page)).toBe(0);

    await page.getByRole('button', { name: 'Use these thresholds for detector' }).click();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'bench: detector' });
    await expect.poll(() => summary(page).innerText()).toMatch(/0 frames differ/);
  },
);
