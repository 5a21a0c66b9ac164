import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { readCertificate } from '../../src/evidence/certificate/read-certificate.ts';
import { fingerprintOf, signatureState } from '../../src/evidence/certificate/signature-state.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { facesOfFirstSample, openConfiguration, panel } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';

const app = useApp();

/** A dataset of the first sample with its three faces. */
async function storeFaces(page: Page): Promise<void> {
  await openDataClient(page);
  const binaryDataId = await uploadSample(page);
  await page.evaluate(
    async ([id, boxes]) => {
      const { client, home } = pageData;
      const bitmap = await createImageBitmap(await (await fetch('builtin/frames/sample1.jpg')).blob());
      for (const { xMin, yMin, xMax, yMax } of boxes)
        await client.data.addBoundingBoxToImageByID({
          binaryDataId: id,
          label: 'face',
          xMinNormalized: xMin / bitmap.width,
          yMinNormalized: yMin / bitmap.height,
          xMaxNormalized: xMax / bitmap.width,
          yMaxNormalized: yMax / bitmap.height,
        });
      const { id: datasetId } = await client.datasets.createDataset({
        name: 'Yard',
        organizationId: home.organizationId,
      });
      await client.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [id], datasetId });
    },
    [binaryDataId, facesOfFirstSample] as const,
  );
  await page.reload();
}

describe('what thresholds stand on', () => {
  it('is certified where it carries the claim, signed, and void by a change; is said beside them, out of date by a change, undone and exported with them', async () => {
    const { page } = await app.open({ path: '#/evaluate' });
    await storeFaces(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('1 image run,').waitFor();
    await page.getByRole('button', { name: 'Set 1 threshold' }).click();
    await page.getByText(/1 threshold set\./).waitFor();
    await page.getByRole('button', { name: 'Certify …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Certify a figure' });
    await dialog.getByText('It takes at least 45 images with it').waitFor();
    const make = dialog.getByRole('button', { name: 'Make the certificate' });
    expect(await make.isDisabled()).toBe(true);
    expect(await violations(page, 'refused claim')).toEqual([]);
    // One image is one trial, and carries what a coin toss does. It is said while the number is typed, of that number.
    const atLeast = dialog.getByRole('spinbutton', { name: 'The figure is at least' });
    await atLeast.fill('0.2');
    await dialog.getByText('recall of all labels together ≥ 0.2 is not carried').waitFor();
    await atLeast.fill('');
    await dialog.getByText('Type a number that can be claimed.').waitFor();
    expect(await dialog.getByText('is not carried').count()).toBe(0);
    await atLeast.fill('0.09');
    await dialog.getByText('3 of 3 labelled boxes found').waitFor();
    expect(await make.isEnabled()).toBe(true);
    await atLeast.press('Enter');
    await dialog.getByRole('switch', { name: 'Sign it' }).check({ force: true });
    expect(await violations(page, 'certificate')).toEqual([]);
    const making = page.waitForEvent('download');
    await make.click();
    const certificate = readCertificate(readFileSync(await (await making).path(), 'utf8'));
    expect(await signatureState(certificate, crypto.subtle)).toBe('valid');
    await dialog.getByText(fingerprintOf(certificate.signature!)).waitFor();
    // What was typed is in it: leaving asks nothing.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const listed = page.getByRole('list', { name: 'Certificates' });
    await listed.getByText('recall of all labels together ≥ 0.09').waitFor();
    expect(await listed.getByText('Void:').count()).toBe(0);

    await page.getByRole('link', { name: 'Bench', exact: true }).click();
    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).click();
    await drawer.getByRole('button', { name: 'Certificate' }).waitFor();
    expect(await drawer.getByRole('region', { name: 'Exported text' }).innerText()).not.toContain('certificate');
    const exact = page.getByRole('spinbutton', { name: 'Threshold of face, exact' });
    await exact.fill('0.99');
    await exact.press('Enter');
    await drawer.getByText(/Void: The configuration differs: the threshold of face was .* and is 0\.99\./).waitFor();
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expect.poll(() => drawer.getByText('Void:').count()).toBe(0);

    // Another goal, and what the thresholds then stand on.
    await page.getByRole('link', { name: 'Evaluate' }).click();
    await page.getByRole('combobox', { name: 'Goal' }).selectOption('Precision at least …');
    await page.getByRole('button', { name: 'Set 1 threshold' }).click();
    await page.getByText(/1 threshold set\./).waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('combobox', { name: 'Format of the report' }).selectOption('Data (JSON)');
    await page.getByRole('button', { name: 'Save report' }).click();
    const report = readFileSync(await (await saving).path(), 'utf8');
    expect(report).toContain('from 1 image of Yard, precision ≥ 0.9');

    await page.getByRole('link', { name: 'Bench', exact: true }).click();
    const thresholds = panel(page, 'Thresholds');
    const evidence = thresholds.getByText(/from 1 image of Yard, precision ≥ 0\.9/).first();
    await evidence.waitFor();
    expect(await violations(page, 'evidence')).toEqual([]);
    await page.reload();
    await evidence.waitFor();
    await drawer.getByRole('tab', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await drawer.getByRole('button', { name: 'Evidence' }).click();
    const kept = JSON.parse(readFileSync(await (await downloading).path(), 'utf8')) as readonly object[];
    expect(kept).toMatchObject([
      { service: 'detector', dataset: 'Yard', images: 1, goal: 'precision ≥ 0.9', labels: [{ label: 'face' }] },
    ]);

    await exact.fill('0.99');
    await exact.press('Enter');
    await thresholds.getByText('Out of date: the threshold was').first().waitFor();
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expect.poll(() => thresholds.getByText('Out of date').count()).toBe(0);
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expect.poll(() => evidence.count()).toBe(0);
    await page.getByRole('button', { name: /^Redo: / }).click();
    await evidence.waitFor();
  });
});
