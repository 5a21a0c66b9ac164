import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { fixedDetector } from '../models.ts';
import { facesOfFirstSample, panel } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { dropOnBench } from './dropped-files.ts';
import { addTruth, storeDataset, storeFaces } from './evaluated-faces.ts';

const app = useApp();

const figure = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'At the current thresholds' }).locator(`div:has(> dt:text-is("${name}")) dd`);

async function expectFigures(page: Page, figures: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(figures))
    await expect.poll(() => figure(page, name).innerText()).toBe(text);
}

describe('the evaluation', () => {
  it('is tried with the sample photographs before anything is stored, and is rid of them', async () => {
    const { page } = await app.open({ path: '#/evaluate' });
    await page.getByRole('button', { name: 'Try it with the samples' }).press('Enter');
    await page.getByText('6 images run,').waitFor();
    await expectFigures(page, { Right: '22', False: '0', Missed: '0', Precision: '1.000', Recall: '1.000' });
    const remove = page.getByRole('button', { name: 'Remove the samples' });
    await remove.waitFor();
    expect(await violations(page, 'evaluation of the samples')).toEqual([]);
    const tabs = page.getByRole('tablist').filter({ hasText: 'Spot-check' }).getByRole('tab');
    for (const width of [390, 480, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const cutOff = () =>
        tabs.evaluateAll((all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.textContent));
      await expect.poll(cutOff).toEqual([]);
    }
    await page.goto(`${app.url}#/data/images`);
    await expect.poll(() => page.locator('[role="option"]').count()).toBe(6);
    await page.goto(`${app.url}#/evaluate`);
    await remove.click();
    await page.getByText('There is no image with boxes in this browser yet').waitFor();
    await page.goto(`${app.url}#/data/images`);
    await page.getByText('No images are stored here yet').waitFor();
    await page.getByRole('button', { name: 'Try it with the samples' }).waitFor();
  });

  it('says what the thresholds do, goes on where it was, and counts for another model once it is run, by its names once that is said', async () => {
    const { page } = await app.open({ path: '#/evaluate' });
    await page.getByText('There is no image with boxes in this browser yet').waitFor();
    const binaryDataId = await storeFaces(page);
    await page.reload();

    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('1 image run,').waitFor();
    await expectFigures(page, { Right: '2', False: '1', Missed: '1', Precision: '0.667', Recall: '0.667' });
    await page.getByText('not in the model').waitFor();

    // Changing a threshold updates the metrics at once, changes the bench's threshold, and can be undone.
    await page.getByRole('button', { name: 'face', exact: true }).click();
    const exact = page.getByRole('spinbutton', { name: 'Threshold of face, exact' });
    await exact.fill('1');
    await exact.press('Enter');
    await expectFigures(page, { Right: '0', False: '0', Missed: '3', Precision: '–' });
    await page.getByRole('slider', { name: 'Threshold of face' }).press('Home');
    await expect.poll(async () => Number(await figure(page, 'Right').innerText())).toBe(2);
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expectFigures(page, { Right: '2', False: '1', Missed: '1' });

    // Each error is drawn, and links to the box editor.
    const errors = page.getByRole('region', { name: 'Errors' });
    const titles = errors.getByRole('heading', { level: 3 });
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Nothing there', 'Missed']);
    // The report shows them too where that is wished.
    await page.getByRole('switch', { name: 'With the 12 worst errors as pictures' }).check();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report' }).click();
    const report = readFileSync(await (await saving).path(), 'utf8');
    expect(report.match(/<image href="data:image\/webp;base64,/g)).toHaveLength(2);
    await page.getByRole('button', { name: '1 box of hat taken for background: list them' }).click();
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Missed']);
    expect(await violations(page, 'evaluation')).toEqual([]);
    await errors.getByRole('link').first().click();
    await page.waitForURL(/#\/data\/datasets\/.*\/edit\//);

    // Corrected truth is used after returning, and the model is not run again, not even after a reload.
    await openDataClient(page);
    await addTruth(page, binaryDataId, 'face', facesOfFirstSample[2]);
    await page.getByRole('link', { name: 'Evaluate' }).click();
    await expectFigures(page, { Right: '3', False: '0', Missed: '1' });
    await page.reload();
    await page.getByText('1 image run.', { exact: true }).waitFor();
    await expectFigures(page, { Right: '3', False: '0', Missed: '1' });

    // Figures of another set than the chosen one are said to be that.
    const sets = page.getByRole('combobox', { name: 'Set of images' });
    await sets.selectOption('All images with drawn boxes');
    await page.getByText('These figures belong to Faces.').waitFor();
    await sets.selectOption('Faces');
    await page.getByText('These figures belong to Faces.').waitFor({ state: 'detached' });

    // Along the precision-recall curve, an arrow key to the left gives up one object.
    await page.getByRole('button', { name: 'face', exact: true }).click();
    await page.getByRole('slider', { name: 'Recall of face' }).press('ArrowLeft');
    await expectFigures(page, { Right: '2' });
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expectFigures(page, { Right: '3' });
    await page.getByText('COCO’s 12 figures').click();
    await expect.poll(() => page.getByRole('row', { name: /^A[PR]/ }).count()).toBe(12);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => sideways(page)).toBe(0);
    expect(await violations(page, 'evaluation on a phone')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    // A threshold by a goal.
    await page.getByRole('combobox', { name: 'Goal' }).selectOption('Recall at least …');
    await page.getByText('1 image with this label tells little').waitFor();
    await page.getByRole('button', { name: 'Set this threshold' }).click();
    await page.getByText(/^The threshold of face is 0\.\d+\.$/).waitFor();
    await expectFigures(page, { Right: '3', Missed: '1' });
    await page.getByRole('button', { name: 'Undo: Threshold of face' }).waitFor();

    // Thresholds of one model are not written for another one that came to the bench meanwhile.
    await page.getByRole('link', { name: 'Bench', exact: true }).click();
    const seats = { boxes: [[0, 0, 0.5, 0.5] as const], categories: [0], scores: [0.9] };
    await dropOnBench(page, [
      { name: 'seats.onnx', bytes: fixedDetector({ input: { dtype: 'uint8' }, ...seats }) },
      { name: 'seats.labels.txt', bytes: 'sofa\nchair' },
    ]);
    await panel(page, 'Thresholds').getByText('sofa').first().waitFor();
    await page.getByRole('link', { name: 'Evaluate' }).click();
    await page.getByText('The bench has another model or setup now: run again to set its thresholds.').waitFor();
    await page.getByText('Run again runs what is there, detector · seats.onnx.').waitFor();
    expect(await page.getByRole('button', { name: 'Set 1 threshold' }).isDisabled()).toBe(true);
    // The figures stay at the thresholds of the run, and no line can be moved.
    await expectFigures(page, { Right: '3', Missed: '1' });
    await page.getByRole('button', { name: 'face', exact: true }).click();
    await page.getByText('The line stays where it was: the bench has another model or setup now.').waitFor();
    expect(await page.getByRole('spinbutton', { name: 'Threshold of face, exact' }).isDisabled()).toBe(true);
    expect(await page.getByRole('region', { name: 'Results' }).getByRole('slider').count()).toBe(0);

    // Labels that differ from the model's names in wording only count by them once that is said.
    await openDataClient(page);
    const id = await uploadSample(page);
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
    await page.evaluate((couches) => pageData.client.data.addBoundingBoxToImageByID(couches), {
      binaryDataId: id,
      label: 'couches',
      ...corners,
    });
    await storeDataset(page, 'Room', [id]);
    await page.reload();
    await sets.selectOption('Room');
    await page.getByRole('button', { name: /^Run( again)?$/ }).click();
    await page.getByText('1 name differs only in wording').waitFor();
    await expectFigures(page, { Right: '0', False: '1', Missed: '1' });
    expect(await violations(page, 'names that differ')).toEqual([]);
    const setup = page.getByRole('complementary', { name: 'What is evaluated' });
    await setup.getByRole('checkbox', { name: 'couches = sofa' }).uncheck();
    expect(await setup.getByRole('button', { name: 'Treat as the same' }).isDisabled()).toBe(true);
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('button', { name: 'Treat as the same' })
      .press('Enter');
    await expectFigures(page, { Right: '1', False: '0', Missed: '0' });
    await setup.getByRole('button', { name: 'Count couches by its own name' }).press('Enter');
    await expectFigures(page, { Right: '0', Missed: '1' });
    await setup.getByRole('button', { name: 'Undo this change' }).press('Enter');
    await expectFigures(page, { Right: '1', Missed: '0' });
  });
});
