import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import {
  expectDetections,
  expectFirstBoxes,
  openConfiguration,
  openPanel,
  panel,
  shownDetections,
} from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';

const app = useApp();
const [width, height] = [320, 240];

/** Grey, with a red square from 40,60 to 119,139, whose hue varies, and a blue one from 200,100 to 259,159. */
function picture(): Uint8Array {
  const data = new Uint8Array(3 * width * height).fill(120);
  const fill = (x: number, y: number, side: number, color: (at: number) => readonly number[]) => {
    for (let at = 0; at < side * side; at++)
      data.set(color(at), 3 * ((y + Math.floor(at / side)) * width + x + (at % side)));
  };
  fill(40, 60, 80, (at) => [210, 20 + (at % 9) * 3, 30]);
  fill(200, 100, 60, () => [30, 60, 200]);
  return encode({ width, height, data, channels: 3 });
}

/** Where a pixel of the picture is on the screen. */
async function onScreen(page: Page, x: number, y: number): Promise<readonly [number, number]> {
  const box = (await page.getByRole('region', { name: 'Stage' }).locator('canvas').first().boundingBox())!;
  return [box.x + ((x + 0.5) * box.width) / width, box.y + ((y + 0.5) * box.height) / height];
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...(await onScreen(page, ...from)));
  await page.mouse.down();
  await page.mouse.move(...(await onScreen(page, ...to)), { steps: 4 });
  await page.mouse.up();
}

describe('a colour detector on the bench', () => {
  it('is added, picked from the picture, tuned and undone without a model, parts marked boxes, is run over a folder, recorded and evaluated', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const drawer = await openConfiguration(page);
    await drawer.getByRole('button', { name: 'Add a colour detector' }).click();
    await page.getByRole('button', { name: 'Configuration', exact: true }).click();
    const thresholds = panel(page, 'Thresholds');
    await thresholds.getByText('finds one colour').waitFor();
    const colour = thresholds.getByRole('textbox', { name: 'Colour to find, as #RRGGBB' });

    // What the machine does not build is said; the service with a model is still there.
    await colour.fill('#808080');
    await colour.press('Enter');
    await thresholds.getByText('is grey and has no hue').waitFor();
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    const model = await openPanel(page, 'Model');
    const service = model.getByRole('combobox', { name: 'Vision service that is tuned' });
    await service.selectOption({ index: 0 });
    await expectFirstBoxes(page);
    await service.selectOption({ index: 1 });

    // Over a folder it has no threshold either.
    const pictures = ['a.png', 'b.png'].map((name) => ({ name, bytes: picture(), mimeType: 'image/png' }));
    await dropOnBench(page, pictures);
    await colour.fill('#1e3cc8');
    await colour.press('Enter');
    await expectDetections(page, 1);
    await page.getByRole('button', { name: 'Run all of it' }).click();
    const footage = page.getByRole('dialog', { name: 'All of 2 pictures' });
    await footage.getByText('2 boxes on 2 frames · every score is 1').waitFor();
    expect(await footage.getByRole('slider', { name: /^Threshold/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await footage.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Undo/ }).first().click();

    await dropOnBench(page, [{ name: 'squares.png', bytes: picture(), mimeType: 'image/png' }]);
    await expectDetections(page, 0);
    expect(await panel(page, 'Model').innerText()).toContain('It has no model');
    expect(await colour.inputValue()).toBe('#336699');

    // A dragged patch: the middle hue, and its spread as the tolerance.
    await thresholds.getByRole('button', { name: 'Pick from the picture' }).click();
    await drag(page, [45, 65], [110, 130]);
    const [red] = await expectDetections(page, 1);
    expect(red).toMatchObject({ label: 'red', score: 1, xMin: 40, yMin: 60, xMax: 119, yMax: 139 });
    expect(await colour.inputValue()).toMatch(/^#d2(14|1a|1d|20|23|26)1e$/);
    const tolerance = thresholds.getByRole('spinbutton', { name: 'Hue tolerance, exact' });
    expect(Number(await tolerance.inputValue())).toBeLessThan(0.1);

    // One pixel, by a click: the tolerance stays.
    const spread = await tolerance.inputValue();
    await thresholds.getByRole('button', { name: 'Pick from the picture' }).click();
    await page.mouse.click(...(await onScreen(page, 230, 130)));
    await panel(page, 'Results').locator('tbody').getByText('blue').waitFor();
    expect(await shownDetections(page)).toMatchObject([{ xMin: 200, yMin: 100, xMax: 259, yMax: 159 }]);
    expect([await colour.inputValue(), await tolerance.inputValue()]).toEqual(['#1e3cc8', spread]);

    // Grey has no hue: the colour stays, and it is said.
    await thresholds.getByRole('button', { name: 'Pick from the picture' }).click();
    await page.mouse.click(...(await onScreen(page, 300, 20)));
    await thresholds.getByText('which has no hue').waitFor();
    expect(await colour.inputValue()).toBe('#1e3cc8');

    // Its area decides, and undo takes one step back.
    const area = thresholds.getByRole('spinbutton', { name: 'Area, exact' });
    await area.fill('3600');
    await area.press('Enter');
    await expectDetections(page, 0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await expectDetections(page, 1);

    // The smallest box, drawn: as large a one is kept. Then by keys, and the focus goes back to the button.
    const smallest = thresholds.getByRole('button', { name: 'Draw the smallest box' });
    await smallest.click();
    await drag(page, [200, 100], [259, 159]);
    await expect.poll(() => area.inputValue()).toBe('3481');
    await expectDetections(page, 1);
    await smallest.press('Enter');
    await page.getByRole('button', { name: /^Smallest box on the picture/ }).press('PageUp');
    await page.keyboard.press('Enter');
    await expect.poll(async () => Number(await area.inputValue())).toBeGreaterThan(5000);
    await expectDetections(page, 0);
    await expect.poll(() => smallest.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await expectDetections(page, 1);

    // Everything at a tolerance of 1, but never grey.
    await tolerance.fill('1');
    await tolerance.press('Enter');
    await expectDetections(page, 2);
    await thresholds.getByText('Show what passes').click();
    await page.locator('[data-color-mask]').waitFor();
    const clear = await page.locator('[data-color-mask]').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value === 0).length;
    });
    expect(clear).toBe(80 * 80 + 60 * 60);

    await thresholds.getByText('Show what passes').click();
    await page.locator('[data-color-mask]').waitFor({ state: 'detached' });

    // Boxes that are marked as yes and no are separated, by pointer and by keys.
    const part = thresholds.getByRole('button', { name: 'Separate them' });
    expect(await part.isDisabled()).toBe(true);
    await thresholds.getByRole('button', { name: 'Mark boxes' }).click();
    await page.mouse.click(...(await onScreen(page, 230, 130)));
    await page.getByRole('button', { name: 'Box at 200, 100: Yes' }).waitFor();
    // The other by keys: twice is a no.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Box at 40, 60: No' }).waitFor();
    expect(await violations(page, 'marked boxes')).toEqual([]);
    await part.click();
    await thresholds.getByText('keeps each yes (1) and drops each no (1)').waitFor();
    expect(await expectDetections(page, 1)).toMatchObject([{ xMin: 200 }]);
    await page.keyboard.press('Escape');
    await thresholds.getByRole('button', { name: 'Mark boxes' }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await expectDetections(page, 2);

    await page.getByRole('button', { name: 'Stage menu' }).click();
    await page.getByRole('menuitem', { name: /Record for replay/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Record for replay' });
    await dialog.getByText('no other threshold').waitFor();
    await dialog.getByRole('button', { name: 'Add the recorder' }).click();
    await panel(page, 'Thresholds').getByRole('region', { name: 'Recorder' }).waitFor();

    await page.getByRole('link', { name: 'Evaluate' }).click();
    await page.getByRole('button', { name: 'Try it with the samples' }).press('Enter');
    await page.getByText('6 images run,').waitFor();
    await page.getByText('no threshold changes anything').waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByRole('tab', { name: 'Spot-check' }).click();
    await page.getByText('no scores to choose between').or(page.getByText('found no box')).waitFor();
  });
});
