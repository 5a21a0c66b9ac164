import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { letterboxedFrames, stretchedPets, type LetterboxedFrame } from '../fit/letterboxed-frames.ts';
import { useApp } from './app.ts';
import { checkAtBothSizes, violations } from './axe.ts';
import { expectFirstBoxes, panel, pickModel } from './bench-page.ts';
import { openDataClient, uploadBytes } from './data-client.ts';
import { storeDataset } from './evaluated-faces.ts';

const app = useApp();

/** Stores frames with their boxes as a dataset. They look alike, so each says that it is of a sequence of its own. */
async function storePets(page: Page, frames: readonly LetterboxedFrame[]): Promise<void> {
  await openDataClient(page);
  const ids: string[] = [];
  for (const { name, png, boxes } of frames) {
    const id = await uploadBytes(page, name, 'image/png', png);
    ids.push(id);
    await page.evaluate(
      async ([binaryDataId, sequence, labelled]) => {
        await pageData.client.data.addTagsToBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: [sequence] });
        for (const { label, box } of labelled) {
          const [xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized] = box;
          const place = { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
          await pageData.client.data.addBoundingBoxToImageByID({ binaryDataId, label, ...place });
        }
      },
      [id, `sequence:${name}`, boxes] as const,
    );
  }
  await storeDataset(page, 'Pets', ids);
}

const tab = (page: Page) => page.getByRole('region', { name: 'What preprocessing costs' });
const begin = (page: Page) => tab(page).getByRole('button', { name: 'Find out how it was fed' });

/** Opens a model that was made machine-ready without the border of its training. */
async function openPets(page: Page): Promise<void> {
  await expectFirstBoxes(page);
  await pickModel(page, 'pets.onnx', stretchedPets());
  await panel(page, 'Model').getByText('pets.onnx', { exact: true }).waitFor();
}

const toFeeding = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Evaluate' }).click();
  await page.getByRole('link', { name: 'What preprocessing costs' }).press('Enter');
};

describe('what preprocessing costs', () => {
  it('finds how a model was fed, by a dataset or by what it printed of one picture, and wins the border back by one click, until one undo', async () => {
    const { page } = await app.open();
    await storePets(page, letterboxedFrames);
    await page.reload();
    await openPets(page);
    await toFeeding(page);
    await page.getByRole('combobox', { name: 'Set of images' }).selectOption('Pets');
    await begin(page).press('Enter');
    await tab(page).getByRole('heading', { name: 'How pets.onnx was fed' }).waitFor({ timeout: 60_000 });
    await tab(page)
      .getByText(/fed like this: .*letterbox in the middle/)
      .waitFor();
    await tab(page).getByText('Cannot tell these apart').first().waitFor();
    const loss = tab(page).getByRole('region', { name: 'What the machine’s own preprocessing loses' });
    await loss.getByText(/^AP50 1\.000 fed by the recipe, 0\.000 fed by the machine: −1\.000, worse\.$/).waitFor();
    const cure = tab(page).getByRole('list', { name: 'Cures' }).getByRole('listitem');
    expect(await cure.getByRole('heading').allInnerTexts()).toEqual(['The border, written into the model’s graph']);
    expect(await cure.innerText()).toMatch(/AP50 \+1\.000, better/);
    await checkAtBothSizes(page, 'what preprocessing costs');

    await cure.getByRole('button', { name: 'Use this' }).press('Enter');
    await tab(page).getByText('Wrote the model again: The border, written into the model’s graph.').waitFor();
    await tab(page).getByText('The bench feeds its model differently now than when this was measured.').waitFor();
    expect(await cure.getByRole('button').isDisabled()).toBe(true);
    const toBench = () => page.getByRole('navigation').getByRole('link', { name: 'Bench' }).click();
    await toBench();
    await panel(page, 'Model').getByText('pets.padded.onnx', { exact: true }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Evaluate' }).click();
    await tab(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await tab(page).getByText('Wrote the model again').waitFor({ state: 'detached' });
    await expect.poll(() => cure.getByRole('button').isDisabled()).toBe(false);
    await toBench();
    await panel(page, 'Model').getByText('pets.onnx', { exact: true }).waitFor();

    await toFeeding(page);
    await tab(page).getByText('From one picture and the numbers that the model printed').press('Enter');
    const [{ name, png, boxes }] = letterboxedFrames as readonly [LetterboxedFrame];
    const picture = { name, mimeType: 'image/png', buffer: Buffer.from(png) };
    await tab(page).getByLabel('Choose the picture').first().setInputFiles(picture);
    const field = tab(page).getByRole('textbox', { name: 'What the model said' });
    await field.fill('cat@3,2,1,4');
    const find = tab(page).getByRole('button', { name: 'Find the recipe of this picture' });
    await find.press('Enter');
    await tab(page)
      .getByText('A line wants a box that has an area, as LABEL@XMIN,YMIN,XMAX,YMAX in pixels: 3 is not left of 1')
      .waitFor();
    expect(await violations(page, 'one picture')).toEqual([]);
    expect(await field.inputValue()).toBe('cat@3,2,1,4');
    const printed = boxes.map(({ label, box: [xMin, yMin, xMax, yMax] }) => {
      const px = [128 * xMin, 44 * yMin, 128 * xMax, 44 * yMax].map((one) => one.toFixed(2));
      return `${label}@${px.join(',')}=${label === 'cat' ? '0.900' : '0.800'}`;
    });
    await field.fill(printed.join('\n'));
    await find.press('Enter');
    await tab(page)
      .getByText('The model gives every number that was printed when it is fed like this')
      .waitFor({ timeout: 60_000 });
    await tab(page).getByText('One frame tells nothing about other frames').waitFor();
  });
});
