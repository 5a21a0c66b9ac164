import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { softwareGpuFlags } from '../../scripts/chromium.ts';
import { brightestPixelDetector } from '../models.ts';
import { useApp } from './app.ts';
import { expectDetections, expectFirstBoxes, openPanel } from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';

const hasAdapter = (page: Page): Promise<boolean> =>
  page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));

describe('the comparison of backends', () => {
  const app = useApp(undefined, () => softwareGpuFlags);

  it('runs the model of the stage on one thread and on the GPU, and says how far both agree', async ({ skip }) => {
    const { page } = await app.open();
    if (!(await hasAdapter(page))) skip('this browser has no WebGPU adapter');
    await expectFirstBoxes(page);
    // A GPU that the processor plays runs the built-in model for half a minute.
    const bytes = brightestPixelDetector({ input: { dtype: 'uint8', widthPx: 64, heightPx: 64 } });
    await dropOnBench(page, [{ name: 'brightest.onnx', bytes }]);
    await expectDetections(page, 1);
    const model = await openPanel(page, 'Model');
    await model.locator('summary', { hasText: 'Inspect' }).click();
    await model.getByRole('button', { name: 'Compare backends' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare backends' });
    await dialog.getByRole('combobox', { name: 'Frames' }).selectOption('1 frame');
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await dialog.getByText('Both say the same of 1 frame at the tuned thresholds, but for rounding.').waitFor();
    const cells = await dialog.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 3)).toEqual([expect.stringMatching(/^(\d+) · \1$/), '0', '0']);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expectDetections(page, 1);
  });
});
