import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { colourClassifier, colourPicture, grey, red } from '../fit/colour-classifier.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, panel, pickModel } from './bench-page.ts';

const app = useApp();

/** Opens the dialog for a classifier of which nothing says how it was fed. */
async function openDialog(page: Page) {
  await expectFirstBoxes(page);
  await pickModel(page, 'colours.onnx', colourClassifier());
  await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make it machine-ready' });
  await dialog.getByText('How it is fed is a guess. Nothing says how it was fed.').waitFor();
  return { dialog, asked: dialog.getByRole('region', { name: 'Say what is on the picture' }) };
}

async function choosePicture(asked: Locator, name: string, colour: readonly [number, number, number]) {
  const buffer = Buffer.from(colourPicture(colour));
  await asked.getByLabel('Another picture').first().setInputFiles({ name, mimeType: 'image/png', buffer });
  await asked.getByRole('img', { name: `To be labelled: ${name}` }).waitFor();
}

async function say(asked: Locator, words: string) {
  const field = asked.getByRole('combobox', { name: 'What is on the picture' });
  await field.fill(words);
  await field.press('Enter');
}

async function takeWay(asked: Locator, words: string) {
  const way = asked.getByRole('list', { name: 'Ways of feeding' }).getByRole('listitem').filter({ hasText: words });
  await way.getByRole('button', { name: 'Feed it this way' }).click();
}

describe('a classifier whose feeding nothing tells', () => {
  it('is fed as labelled pictures say once they decide, and stays a guess until then', async () => {
    const { page } = await app.open();
    const { dialog, asked } = await openDialog(page);
    await asked.getByRole('img', { name: 'To be labelled: the frame on the stage' }).waitFor();

    await choosePicture(asked, 'fog.png', grey);
    await say(asked, 'grey');
    await asked.getByText('This picture does not decide whether red or blue comes first: try another.').waitFor();
    const ways = asked.getByRole('list', { name: 'Ways of feeding' }).getByRole('listitem');
    expect(await ways.allInnerTexts()).toEqual([
      expect.stringMatching(/^RGB, values from 0 to 1 1\.00 sure\s+Feed it this way$/),
      expect.stringMatching(/^BGR, values from 0 to 1 1\.00 sure\s+Feed it this way$/),
    ]);
    await asked.getByText('1 picture used: grey. 8 other ways ruled out.').waitFor();
    expect(await violations(page, 'a picture that does not decide')).toEqual([]);

    // Chosen all the same, it stays a guess.
    await takeWay(asked, 'RGB, values from 0 to 1');
    await asked.getByText('Fed this way now').waitFor();
    await dialog
      .getByText('How it is fed is a guess. RGB, values from 0 to 1 was chosen, and 1 labelled picture does not decide')
      .waitFor();

    await choosePicture(asked, 'tomato.png', red);
    await say(asked, 'tomato');
    await asked.getByText('The model has no class “tomato”.').waitFor();
    expect(await violations(page, 'a word that is no class')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => sideways(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await say(asked, 'grey');
    await asked.getByText(/^The model is not sure of that in any usual way of feeding, so /).waitFor();
    await say(asked, 'Red');
    await asked.getByText('Decided: no other usual way comes near on 2 labelled pictures.').waitFor();
    await takeWay(asked, 'BGR, values from 0 to 1');
    await asked.getByText('Fed this way now').waitFor();
    await dialog.getByText('How it is fed is a guess.').waitFor({ state: 'detached' });
    await dialog.getByText('Why this kind').click();
    await dialog
      .getByRole('list', { name: 'Evidence' })
      .getByText('It is fed BGR, values from 0 to 1: no other usual way comes near on 2 labelled pictures.')
      .waitFor();

    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await panel(page, 'Model').getByText('colours.fitted.onnx').waitFor();
    // Fed as was guessed, the sample would be nothing for sure.
    await panel(page, 'Results')
      .getByText(/^0\.8[56]/)
      .first()
      .waitFor();
    expect(await page.getByText('How this model is fed is a guess.').count()).toBe(0);
  });
});
