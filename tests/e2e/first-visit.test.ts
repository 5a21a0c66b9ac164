import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import {
  chooseFrom,
  drawnPixels,
  expectDetections,
  expectFirstBoxes,
  openPanel,
  panel,
  shownPlace,
} from './bench-page.ts';

const app = useApp();

describe('a stranger opens the page', () => {
  it('fetches before the first boxes nothing that can wait for them, and after them the rest, and is led through three steps, which tick off by what is done', async () => {
    const markFirstBox = (): void =>
      new MutationObserver((_, observer) => {
        if (!document.querySelector('table tbody tr')) return;
        performance.mark('first box');
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    const { page } = await app.open({ serviceWorker: true, prepare: (context) => context.addInitScript(markFirstBox) });
    await expectFirstBoxes(page);
    const fetched = (when: 'before' | 'after') =>
      page.evaluate((wanted) => {
        const [{ startTime: boxMs } = { startTime: 0 }] = performance.getEntriesByName('first box');
        const files = performance.getEntriesByType('resource');
        return files.filter(({ startTime }) => startTime < boxMs === (wanted === 'before')).map(({ name }) => name);
      }, when);
    const canWait = /\/lint-|\/sample[2-6]\.|\/ModelLibrary-/;
    await expect.poll(async () => (await fetched('after')).filter((name) => canWait.test(name)).length).toBe(6);
    const before = await fetched('before');
    expect(before.some((name) => name.includes('/sample1.'))).toBe(true);
    expect(before.filter((name) => canWait.test(name))).toEqual([]);

    // Three steps tick off in any order and leave by themselves.
    const steps = page.getByRole('list', { name: 'First steps' });
    const made = async () => (await steps.getByRole('listitem').filter({ hasText: 'Done:' }).allInnerTexts()).length;
    expect(await steps.getByRole('listitem').count()).toBe(3);
    expect(await made()).toBe(0);

    // Every change of a threshold is taken back; samples, boxes and panels have keys.
    const exact = page.getByRole('spinbutton', { name: 'Default threshold, exact' });
    await exact.fill('0.9');
    await exact.press('Enter');
    await expectDetections(page, 1);
    await page.getByRole('button', { name: 'Undo: Default threshold' }).focus();
    await page.keyboard.press('Control+z');
    await expectDetections(page, 3);
    await page.keyboard.press('Control+Shift+Z');
    await expectDetections(page, 1);
    await page.getByRole('button', { name: 'Undo: Default threshold' }).click();
    await expectDetections(page, 3);
    await expect.poll(() => exact.inputValue()).toBe('0.5');

    for (const [key, place] of [
      ['ArrowRight', 2],
      ['f', 3],
      ['d', 2],
      ['ArrowLeft', 1],
      ['ArrowLeft', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => shownPlace(page)).toBe(place);
    }
    await expectFirstBoxes(page);

    await expect.poll(() => drawnPixels(page)).toBeGreaterThan(1000);
    await page.keyboard.down('Shift');
    await expect.poll(() => drawnPixels(page)).toBe(0);
    await page.keyboard.up('Shift');
    await expect.poll(() => drawnPixels(page)).toBeGreaterThan(1000);

    for (const [key, shown] of [
      ['q', panel(page, 'Source')],
      ['w', panel(page, 'Results')],
      ['i', page.getByLabel('Figures of the running bench')],
    ] as const) {
      await shown.first().waitFor();
      await page.keyboard.press(key);
      await shown.first().waitFor({ state: 'detached' });
      await page.keyboard.press(key);
      await shown.first().waitFor();
    }
    await expect.poll(made).toBe(1);
    await page.getByRole('button', { name: 'Export configuration' }).click();
    await page.getByRole('button', { name: 'Export configuration' }).click(); // closes it
    await expect.poll(made).toBe(2);
    await page.reload();
    await expect.poll(made).toBe(2);
    await panel(page, 'Source').locator('input[type=file]').first().setInputFiles('public/builtin/frames/sample2.jpg');
    await steps.waitFor({ state: 'detached' });
    expect(await page.getByText('See what a model sees').count()).toBe(0);
  });

  it('reads a model that is well in a line each, and shortcuts, origins and guides when asked for', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const model = panel(page, 'Model');
    await model.getByText('machine-ready', { exact: true }).waitFor();
    expect((await model.innerText()).trim().split(/\s*\n\s*/)).toEqual([
      'Model',
      'face-detector.onnx',
      'machine-ready',
    ]);
    await openPanel(page, 'Model');
    await model.getByText('A Viam machine loads this model as it is').waitFor();
    await model.locator('summary', { hasText: 'Detections' }).waitFor();
    const lines = (await model.innerText()).split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBeLessThan(24);
    expect(await model.getByText('has this name').count()).toBe(0);
    await model.locator('summary', { hasText: 'Detections' }).press('Enter');
    await model.getByText('the output has this name').first().waitFor();
    await model.locator('summary', { hasText: 'Runs on the CPU' }).press('Enter');
    await model.getByText('in use').or(model.getByText(/GPU/)).first().waitFor();

    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    await dialog.waitFor();
    const text = await dialog.innerText();
    for (const does of ['Next frame', 'Hide the boxes', 'Undo', 'Redo', 'Jump to the threshold of a label'])
      expect(text).toContain(does);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await chooseFrom(page, 'Main menu', 'About and attribution');
    const about = page.getByRole('dialog', { name: 'About Sightglass' });
    for (const name of ['BlazeFace', 'face-api']) await about.getByText(new RegExp(name, 'i')).first().waitFor();
    for (const guide of [
      'Documentation',
      'A tour of the page',
      'The commands',
      'The data service',
      'Programs that call the data service',
      'Running a server',
      'Queries',
    ]) {
      const path = await about.getByRole('link', { name: guide, exact: true }).getAttribute('href');
      const served = await page.request.get(new URL(path!, page.url()).href);
      expect(served.status()).toBe(200);
      expect(await served.text()).toContain('<h1 id=');
    }
    await about.getByRole('button', { name: 'Close' }).click();
    await about.waitFor({ state: 'hidden' });

    const sentence = page.getByText('See what a model sees on a Viam machine');
    await sentence.waitFor();
    await page.getByRole('complementary').filter({ has: sentence }).getByRole('button', { name: 'Dismiss' }).click();
    await sentence.waitFor({ state: 'detached' });
    await page.reload();
    await expectFirstBoxes(page);
    expect(await sentence.count()).toBe(0);
  });
});
