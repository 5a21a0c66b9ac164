import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { storeFaces } from './evaluated-faces.ts';

const app = useApp();

async function evaluated() {
  const { page } = await app.open({ path: '#/evaluate' });
  await storeFaces(page);
  await page.reload();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('1 image run,').waitFor();
  return { page };
}

describe('judging boxes', () => {
  it('filters errors by words, tells the precision from what a person says of some boxes over a reload, and promises recall only where images suffice', async () => {
    const { page } = await evaluated();
    const errors = page.getByRole('region', { name: 'Errors' });
    const titles = errors.getByRole('heading', { level: 3 });
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Nothing there', 'Missed']);
    const field = errors.getByRole('textbox', { name: 'Filter the errors' });
    await field.fill('missed or score > 0.99');
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Missed']);
    await field.fill('nothing there and label = face');
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Nothing there']);
    await field.fill('label = faec');
    await errors.getByText('No label is "faec". There are face, hat.').waitFor();
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Nothing there', 'Missed']);
    await errors.getByRole('button', { name: 'Clear' }).click();
    await errors.getByRole('button', { name: 'FP and score > 0.8 and label = face' }).click();
    expect(await violations(page, 'errors by words')).toEqual([]);

    await page.getByRole('tab', { name: 'Spot-check' }).click();
    const judge = page.getByRole('button', { name: /^Judge \d+ boxes$/ });
    const [, total] = /(\d+)/.exec(await judge.innerText())!;
    await judge.click();
    await page.getByRole('img', { name: /^face on / }).waitFor();
    await page.getByText(`0 of ${total} boxes judged`).waitFor();
    await page.getByRole('button', { name: 'Right (A)', disabled: false }).waitFor();
    await page.keyboard.press('a');
    await page.getByText(`1 of ${total} boxes judged`).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.press('Backspace');
    await page.getByText(`1 of ${total} boxes judged`).waitFor();
    await page.reload();
    await page.getByText(`1 of ${total} boxes judged`).waitFor();
    for (let judged = 1; judged < Number(total); judged++)
      await page.getByRole('button', { name: 'Right (A)' }).click();
    await page.getByText('All picked boxes are judged.').waitFor();
    await page.getByText(/^At 0\.5 the precision is 1\.00/).waitFor();

    // The slider sets the bench's threshold, and the text follows it.
    await page.getByRole('slider', { name: 'Threshold of face' }).press('ArrowRight');
    await page.getByText(/^At 0\.505 the precision is/).waitFor();
    await page.getByRole('button', { name: 'Undo: Threshold of face' }).waitFor();
    expect(await violations(page, 'judging')).toEqual([]);

    await page.getByText('Recall needs whole images').click();
    await page.getByRole('link', { name: /sample1/ }).waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => sideways(page)).toBe(0);
    expect(await violations(page, 'judging on a phone')).toEqual([]);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('tab', { name: 'Results' }).click();
    await page.getByRole('button', { name: 'Undo: Threshold of face' }).click();
    await page.getByRole('button', { name: 'face', exact: true }).click();
    await page.getByRole('combobox', { name: 'Goal' }).selectOption('Recall promised');
    await page
      .getByText('Too few images to promise that 95 % is found: 1 image with face, and it takes at least 45')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Set this threshold' }).isDisabled()).toBe(true);
    await page.getByRole('table', { name: 'Recall by size' }).getByText('2 of 2').waitFor();
    await page.getByRole('slider', { name: 'Line on the scores of face' }).press('End');
    await page.getByRole('table', { name: 'Recall by size' }).getByText('0 of 2').waitFor();
    expect(await violations(page, 'promise')).toEqual([]);
  });
});
