import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes, facesOfFirstSample, openPanel, panel, shownDetections } from './bench-page.ts';

const app = useApp();

const thumbnails = (page: Page): Promise<string[]> =>
  page.getByRole('group', { name: 'The frame after each step' }).getByRole('button').allInnerTexts();

async function addStep(page: Page, type: string): Promise<void> {
  await openPanel(page, 'Transforms');
  const steps = page.getByTitle(`Show the frame: ${type}`);
  const before = await steps.count();
  await page.getByRole('group', { name: 'Add a step' }).getByRole('button', { name: type, exact: true }).click();
  await expect.poll(() => steps.count()).toBe(before + 1);
}

async function fillNumber(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByRole('spinbutton', { name: label });
  await field.fill(value);
  await field.press('Enter');
}

describe('the steps of a transform camera', () => {
  it('are traced back from a detection to pixels of the source, and show the frame after each, with its size', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await addStep(page, 'crop');
    await addStep(page, 'rotate');
    await page.getByRole('button', { name: '180°' }).click();
    await page.getByTitle('Show the frame: rotate').getByText('1536×1024').waitFor();
    await addStep(page, 'rotate');
    await page.getByRole('button', { name: '180°' }).last().click();
    await page.getByTitle('Show the frame: rotate').last().getByText('1536×1024').waitFor();
    // Two rotations by 180 degrees cancel each other, and the crop moves the faces by 192 and 128 pixels towards the corner.
    await expect.poll(async () => (await shownDetections(page)).length).toBe(3);
    const [face] = await shownDetections(page);
    await panel(page, 'Results').locator('tbody button').first().click();
    const path = page.getByRole('region', { name: 'Selected detection' }).locator('li');
    await expect.poll(() => path.count()).toBe(4);
    const corners = (await path.allInnerTexts()).map((line) => {
      const numbers = /([-\d.]+), ([-\d.]+) – ([-\d.]+), ([-\d.]+)$/.exec(line.trim());
      return numbers!.slice(1).map(Number);
    });
    expect(corners[0]).toEqual([face!.xMin, face!.yMin, face!.xMax, face!.yMax]);
    expect(corners[3]).toEqual([face!.xMin + 192, face!.yMin + 128, face!.xMax + 192, face!.yMax + 128]);
    const nearest = facesOfFirstSample.map(({ xMin, yMin }) =>
      Math.hypot(xMin - corners[3]![0]!, yMin - corners[3]![1]!),
    );
    expect(Math.min(...nearest)).toBeLessThan(40);

    await addStep(page, 'resize');
    await fillNumber(page, 'Width, px', '640');
    await fillNumber(page, 'Height, px', '480');
    await expect
      .poll(() => thumbnails(page))
      .toEqual(['source\n1920×1280', 'crop\n1536×1024', 'rotate\n1536×1024', 'rotate\n1536×1024', 'resize\n640×480']);
    await page.getByTitle('Show the frame: crop').click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Picture on the stage' }).locator('option:checked').innerText())
      .toMatch(/crop/);
    await expect.poll(() => page.locator('main').innerText()).toContain('1536 × 1024');
  });

  it('are drawn on the stage where they cut, and say what stops a frame, until they are off', async () => {
    const { page } = await app.open({ viewport: { width: 1440, height: 620 } });
    await expectFirstBoxes(page);
    await addStep(page, 'crop');
    // The form of a step that was added is scrolled to.
    const draws = page.getByRole('button', { name: 'Draw on the stage' });
    await expect.poll(() => draws.evaluate((button) => button.getBoundingClientRect().bottom)).toBeLessThan(620);
    await page.getByRole('tab', { name: 'Pixels' }).click();
    await page.getByRole('button', { name: 'Draw on the stage' }).click();
    const window = page.getByRole('group', { name: 'Crop window on the frame' });
    const handle = window.getByRole('button', { name: /^Left edge/ });
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 100, y + height / 2, { steps: 4 });
    await page.mouse.up();
    const left = page.getByRole('spinbutton', { name: 'Left edge, px' });
    await expect.poll(() => left.inputValue().then(Number)).toBeGreaterThan(192);
    const xMin = Number(await left.inputValue());
    await page
      .getByTitle('Show the frame: crop')
      .getByText(`${1728 - xMin}×1024`)
      .waitFor();
    await window.getByRole('button', { name: /^Crop window/ }).press('ArrowLeft');
    await expect.poll(() => left.inputValue().then(Number)).toBe(xMin - 1);
    await page.getByRole('button', { name: 'Done' }).click();
    await window.waitFor({ state: 'detached' });

    for (const [edge, value] of [
      ['Right edge, px', '5000'],
      ['Left edge, px', '4000'],
    ] as const)
      await fillNumber(page, edge, value);
    await panel(page, 'Results').getByText('The note on the stage says why.').waitFor();
    await expect.poll(() => page.locator('main').innerText()).toMatch(/Cropped to 0 pixels[\s\S]*step 1 \(crop\)/);
    await page.getByRole('switch', { name: 'crop step on' }).press('Space');
    await expectFirstBoxes(page);
  });
});
