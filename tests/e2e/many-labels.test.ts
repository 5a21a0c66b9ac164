import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { fixedClassifier, fixedDetector } from '../models.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { expectDetections, expectFirstBoxes, panel, pickModel, setDefaultThreshold } from './bench-page.ts';

const app = useApp();
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A detector with eighty labels. Every tenth label has a box on every frame, with decreasing scores. */
const eighty = fixedDetector({
  input: { dtype: 'uint8' },
  boxes: numbers(8).map((at) => [at / 8, 0, (at + 1) / 8, 0.5]),
  categories: numbers(8).map((at) => 10 * at),
  scores: numbers(8).map((at) => 0.95 - at / 10),
});

async function openEighty(size = { width: 1440, height: 900 }): Promise<Page> {
  const { page } = await app.open({ viewport: size });
  await expectFirstBoxes(page);
  await pickModel(page, 'eighty.onnx', eighty);
  const model = panel(page, 'Model');
  await model.locator('summary', { hasText: 'Labels' }).click();
  const names = numbers(80).map((at) => `thing ${at}`);
  await model
    .getByLabel('Label file')
    .setInputFiles({ name: 'things.txt', mimeType: 'text/plain', buffer: Buffer.from(names.join('\n')) });
  await panel(page, 'Thresholds').getByPlaceholder('Find one of 80').waitFor();
  return page;
}

const labelsListed = (page: Page): Promise<string[]> =>
  panel(page, 'Thresholds').getByRole('list', { name: 'Thresholds by label' }).locator('span.label').allInnerTexts();

/** The labels of `label_confidences` in the stored configuration. */
const listed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { text = '{}' } = JSON.parse(localStorage.getItem('sightglass.config') ?? '{}') as { text?: string };
    const { services } = JSON.parse(text) as { services: { attributes: { label_confidences?: object } }[] };
    return services.flatMap(({ attributes }) => Object.keys(attributes.label_confidences ?? {}));
  });

describe('eighty labels', () => {
  it('fill their column, are tuned by one drag each, reached by one key, sorted, found, chosen together, dropped as on the machine, and share the height with the results', async () => {
    const page = await openEighty();
    const thresholds = panel(page, 'Thresholds');
    const list = thresholds.getByRole('list', { name: 'Thresholds by label' });
    const roomPx = await list.evaluate((rows) => rows.parentElement!.clientHeight);
    expect(roomPx).toBeGreaterThan(230);
    await expectDetections(page, 5);
    const slider = list.getByRole('slider', { name: 'Threshold of thing 20' });
    const { x, y, width, height } = (await slider.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    const before = await labelsListed(page);
    await page.mouse.down();
    await page.mouse.move(x + 0.9 * width, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await expectDetections(page, 4); // thing 20 has 0.75
    expect((await labelsListed(page)).slice(0, before.length)).toEqual(before);
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await expectDetections(page, 5);

    const focused = () => page.evaluate(() => document.activeElement!.getAttribute('aria-label'));
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await expect.poll(focused).toBe('Find a label');
    await page.keyboard.type('thing 7/'); // typed there, it is a letter
    expect(await thresholds.getByLabel('Find a label').inputValue()).toBe('thing 7/');

    await thresholds.getByLabel('Find a label').fill('');
    const skip = page.getByRole('button', { name: 'Skip to the thresholds' });
    await skip.focus();
    await expect.poll(async () => (await skip.boundingBox())!.width).toBeGreaterThan(100);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Find a label');

    await expectDetections(page, 5);
    await thresholds.getByLabel('Order (labels on this frame come first)').selectOption('score');
    await expect
      .poll(async () => (await labelsListed(page)).slice(0, 3).map((text) => text.replace(/,.*/s, '').trim()))
      .toEqual(['thing 0', 'thing 10', 'thing 20']);

    await thresholds.getByLabel('Find a label').fill('thing 1');
    await thresholds.getByRole('checkbox', { name: 'Choose all found labels' }).check();
    await thresholds.getByText('11 chosen').waitFor();
    await thresholds.getByLabel('Threshold for the chosen labels').fill('0.9');
    await thresholds.getByRole('button', { name: 'Set', exact: true }).click();
    await expectDetections(page, 4); // thing 10 has 0.85
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await expectDetections(page, 5);

    await thresholds.getByRole('button', { name: 'Only these labels' }).click();
    expect((await expectDetections(page, 1))[0]!.label).toBe('thing 10');
    await expect.poll(() => listed(page)).toEqual(numbers(11).map((at) => (at === 0 ? 'thing 1' : `thing ${9 + at}`)));

    // They share the height with the results by a splitter that the next visit remembers.
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await expectDetections(page, 5);
    const splitter = page.getByRole('separator', { name: 'Height of the thresholds' });
    const heightPx = async () => Math.round((await thresholds.boundingBox())!.height);
    const beforePx = await heightPx();
    await splitter.focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowUp');
    await expect.poll(heightPx).toBe(beforePx - 80);
    await page.reload();
    await thresholds.getByPlaceholder('Find one of 80').waitFor();
    await expect.poll(heightPx).toBe(beforePx - 80);
    await page.getByRole('switch', { name: 'Ghosts' }).first().press('Space');
    await panel(page, 'Results').getByLabel('Lowest score of a ghost').fill('0.3');
    await panel(page, 'Results').getByLabel('Lowest score of a ghost').press('Enter');
    await panel(page, 'Results').getByText('2 of 3').waitFor();
    await thresholds.getByRole('checkbox', { name: 'Choose thing 0' }).check();
    await panel(page, 'Results').locator('tbody button').first().click();
    expect(await violations(page, 'eighty labels')).toEqual([]);
  });
});

it('finds any of a thousand classes with its rank, and says of rows of score 0 that the machine keeps them, too', async () => {
  const { page } = await app.open();
  await expectFirstBoxes(page);
  const scores = numbers(1000).map((at) => (at === 700 ? 0.9 : at / 1e6));
  await pickModel(page, 'thousand.onnx', fixedClassifier({ input: { dtype: 'uint8' }, scores }));
  const results = panel(page, 'Results');
  await results.getByText('1 pass').waitFor();
  await results.getByLabel('Find a class, dropped ones included').fill('99');
  const found = results.getByRole('region', { name: 'Classes found, the most confident first' }).getByRole('listitem');
  await expect.poll(() => found.first().innerText()).toMatch(/^2\s+999\s+0\.001/);
  expect(await violations(page, 'a thousand classes')).toEqual([]);

  const boxes = [[0.1, 0.1, 0.5, 0.5] as const, [0, 0, 0, 0] as const];
  await pickModel(page, 'filled.onnx', fixedDetector({ boxes, categories: [0, 0], scores: [0.9, 0] }));
  await panel(page, 'Model').getByText('filled.onnx', { exact: true }).waitFor();
  const said = panel(page, 'Thresholds').getByText('even rows of score 0. The machine keeps them, too.');
  await setDefaultThreshold(page, '0.01');
  await expectDetections(page, 1);
  expect(await said.count()).toBe(0);
  await setDefaultThreshold(page, '0');
  await said.waitFor();
  await expectDetections(page, 2);
});
