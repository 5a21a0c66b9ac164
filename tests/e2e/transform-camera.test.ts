import { encode } from 'fast-png';
import { expect, it, onTestFinished } from 'vitest';
import { serveMachine } from '../serve-live-machine.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { importConfiguration, panel } from './bench-page.ts';

const app = useApp();

/** A gradient, in which every shift is detectable. */
function gradient(xPx: number, yPx: number, widthPx: number, heightPx: number, brighter = 0): Uint8Array {
  const data = new Uint8Array(widthPx * heightPx * 3);
  for (let y = 0, i = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) for (const level of [x + xPx, y + yPx, 9]) data[i++] = 3 * level + brighter;
  return encode({ width: widthPx, height: heightPx, channels: 3, data });
}

const crop = { x_min_px: 8, y_min_px: 4, x_max_px: 40, y_max_px: 36 };
const config = {
  components: [
    { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} },
    {
      name: 'tuned',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'cam', pipeline: [{ type: 'crop', attributes: crop }] },
    },
  ],
  services: [],
};

it('lays a transform camera’s own picture beside ours, with the largest difference, where both are of one frame', async () => {
  let moved = 0;
  let isMoving = false;
  let output = (): Uint8Array => gradient(8, 4, 32, 32);
  const machine = await serveMachine({
    image: () => gradient((moved += isMoving ? 1 : 0), 0, 64, 48),
    transformCamera: { name: 'tuned', image: () => output() },
  });
  onTestFinished(() => machine.close());
  const { page } = await app.open({ mayCall: machine.url });
  await importConfiguration(page, JSON.stringify(config));
  const source = panel(page, 'Source');
  await source.getByRole('tab', { name: 'Machine' }).click();
  await page.getByLabel('Address of a machine').fill(machine.url);
  await page.keyboard.press('Enter');
  await source.getByRole('button', { name: 'Stop' }).click();

  await source.getByRole('button', { name: 'Compare its transform camera …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Does its camera give the same picture?' });
  await dialog.getByText('Largest difference: 0 of 255 levels in a pixel').waitFor();
  await dialog.getByText('The same, as far as encoded pictures can tell.').waitFor();
  await expect.poll(() => dialog.locator('canvas').count()).toBe(3);
  expect(await violations(page, 'compared')).toEqual([]);

  const again = dialog.getByRole('button', { name: 'Compare again' });
  output = () => gradient(8, 4, 32, 32, 12);
  await again.click();
  await dialog
    .getByText('Largest difference: 12 of 255 levels in a pixel, at 0, 0; 12.0 over 16 × 16 pixels')
    .waitFor();
  await dialog.getByText('Encoding does not explain this difference.').waitFor();
  output = () => gradient(8, 4, 31, 32);
  await again.click();
  await dialog.getByText('The sizes differ, so the steps there are not those of this configuration.').waitFor();
  isMoving = true;
  output = () => gradient(8, 4, 32, 32);
  await again.click();
  await dialog.getByText('The two below are from different moments').waitFor();
  await dialog.getByText('Largest difference').waitFor({ state: 'detached' });
  await machine.close();
  await again.click();
  await dialog.getByText('does not answer').waitFor();
});
