import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import {
  chooseFrom,
  expectDetections,
  expectFirstBoxes,
  openConfiguration,
  openPanel,
  panel,
  setDefaultThreshold,
} from './bench-page.ts';

const app = useApp();

describe('a reload', () => {
  it('finds the scores of the frames seen, what undo and redo bring back, layout, configuration and thresholds as they were left', async () => {
    const { page } = await app.open({ colorScheme: 'light' });
    await expectFirstBoxes(page);
    const thresholds = panel(page, 'Thresholds');
    await page.getByRole('listbox', { name: 'Frames' }).getByRole('option').nth(1).click();
    await thresholds.getByText('Scores of 2 frames of').waitFor();
    for (const value of ['0.6', '0.9', '0.3']) await setDefaultThreshold(page, value);
    await page.getByRole('button', { name: /^Undo/ }).click();
    const exact = page.getByRole('spinbutton', { name: 'Default threshold, exact' });
    await expect.poll(() => exact.inputValue()).toBe('0.9');

    /** The histogram's bars of all scores, and the number of kept ones. */
    const scores = async () => ({
      bars: await thresholds
        .locator('svg[viewBox="0 0 300 24"] path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d'))),
      kept: await thresholds.getByTitle(/^Results kept/).innerText(),
      frames: await thresholds.getByText(/^Scores of \d+ frames? of$/).innerText(),
    });
    const before = await scores();
    expect(before.frames).toBe('Scores of 2 frames of');
    await page.reload();
    await expect.poll(() => thresholds.getByText('Scores of 2 frames of').count()).toBe(1);
    await panel(page, 'Results')
      .getByText(/\d+ kept/)
      .waitFor();
    expect(await scores()).toEqual(before);

    const step = (name: RegExp) => page.getByRole('button', { name }).click();
    await step(/^Redo/);
    await expect.poll(() => exact.inputValue()).toBe('0.3');
    for (const value of ['0.9', '0.6', '0.5']) {
      await step(/^Undo/);
      await expect.poll(() => exact.inputValue()).toBe(value);
    }
    await page.getByRole('button', { name: /^Nothing to undo/ }).waitFor();

    // Layout, configuration and steps are as they were left, too.
    await page.getByRole('listbox', { name: 'Frames' }).getByRole('option').first().click();
    await expectFirstBoxes(page);
    await chooseFrom(page, 'Main menu', 'Dark theme');
    await exact.fill('0.9');
    await exact.press('Enter');
    await openPanel(page, 'Transforms');
    await page.getByRole('button', { name: 'rotate', exact: true }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Source', exact: true }).click();
    const splitter = page.getByRole('separator', { name: 'Width of the left panels' });
    await splitter.press('ArrowRight');
    await splitter.press('ArrowRight');
    await chooseFrom(page, 'Stage menu', 'Draw the boxes as the machine does');
    await page.getByRole('button', { name: 'Dismiss this hint' }).first().click();
    await openConfiguration(page);

    const state = async () => ({
      theme: await page.evaluate(() => document.documentElement.dataset['theme']),
      threshold: await exact.inputValue(),
      steps: await page.locator('[data-step]').allInnerTexts(),
      sourceOpen: await page.getByRole('button', { name: 'Source', exact: true }).getAttribute('aria-expanded'),
      leftPx: await splitter.getAttribute('aria-valuenow'),
      hints: await page.getByRole('button', { name: 'Dismiss this hint' }).count(),
      drawer: await page.locator('.cm-content').count(),
    });
    await expect.poll(state).toMatchObject({ theme: 'dark', threshold: '0.9', sourceOpen: 'false', drawer: 1 });
    const left = await state();
    expect(left.steps).toHaveLength(1);

    await page.reload();
    await expect.poll(state).toEqual(left);
    await page.getByRole('button', { name: 'Stage menu' }).click();
    const style = page.getByRole('menuitemcheckbox', { name: 'Draw the boxes as the machine does' });
    expect(await style.getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('Escape');
    // The rotation by 90 degrees is restored, so the detector finds the same as before the reload.
    await panel(page, 'Results')
      .getByText(/\d+ kept/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'rotate step on' }).press('Space');
    await expectDetections(page, 1);
  });
});
