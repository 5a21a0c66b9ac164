import { encode } from 'fast-png';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Locator } from 'playwright';
import { openSession } from '../../src/platform/node/open-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import type { PretendedMachine } from '../live-machine-fixture.ts';
import { brightestPixelDetector } from '../models.ts';
import { serveMachine } from '../serve-live-machine.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { expectDetections, expectFirstBoxes, openConfiguration, openPanel, panel } from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';

const app = useApp();

/** A black picture with one white pixel, which the model puts its box around. */
function pictureWith(x: number, y: number): Uint8Array {
  const data = new Uint8Array(16 * 16 * 3);
  data.fill(255, 3 * (y * 16 + x), 3 * (y * 16 + x + 1));
  return encode({ width: 16, height: 16, channels: 3, data });
}

/** Serves a machine with a model service, and counts its calls. */
async function served() {
  const session = await openSession(brightestPixelDetector({ input: { dtype: 'uint8', widthPx: 16, heightPx: 16 } }));
  const calls: Readonly<Record<string, Tensor>>[] = [];
  const run = (feeds: Readonly<Record<string, Tensor>>) => (calls.push(feeds), session.run(feeds));
  const pretended: PretendedMachine = {
    visionName: 'detector',
    image: () => pictureWith(1, 1),
    model: { inputs: session.inputs, outputs: session.outputs, run },
  };
  const first = await serveMachine(pretended);
  onTestFinished(() => first.close());
  return { ...first, calls, again: () => serveMachine(pretended, Number(new URL(first.url).port)) };
}

/** Opens a page that is connected to a machine without using its camera, and has a picture on the stage. */
async function connected() {
  const machine = await served();
  const { page } = await app.open({ mayCall: machine.url });
  await expectFirstBoxes(page);
  const source = panel(page, 'Source');
  await source.getByRole('tab', { name: 'Machine' }).click();
  await page.getByLabel('Address of a machine').fill(machine.url);
  await page.keyboard.press('Enter');
  await source.getByRole('button', { name: 'Stop' }).click();
  await dropOnBench(page, [{ name: 'a.png', bytes: pictureWith(2, 3) }]);
  return { machine, page, source, host: new URL(machine.url).host, model: await openPanel(page, 'Model') };
}

/** Chooses the machine's model; the page asks for permission before it sends a frame. */
async function wantModel(model: Locator): Promise<void> {
  await model.getByRole('button', { name: 'Change' }).click();
  await model.getByRole('button', { name: 'Use this model' }).click();
}

const boxOf = (x: number, y: number) => {
  const [xMin, yMin] = [x, y].map((at) => Math.trunc((at / 16) * 15)); // the machine's whole-pixel rule
  return { label: '0', xMin, yMin };
};

describe('a model that the machine runs', () => {
  it('is asked of frames after a yes alone, tells its cost, and is lost and found, and is not sent a frame by a reload, nor after the machine is left', async () => {
    const { machine, page, source, host, model } = await connected();
    await model.getByRole('button', { name: 'Change' }).click();
    await model
      .getByRole('region', { name: `Models that ${host} runs` })
      .getByText('image uint8 1×16×16×3')
      .waitFor();
    await model.getByRole('button', { name: 'Use this model' }).click();
    const dialog = page.getByRole('dialog', { name: `Let ${host} run m?` });
    await dialog.getByText('Frames then leave this browser.').waitFor();
    expect(await violations(page, 'asked')).toEqual([]);
    await page.keyboard.press('Enter'); // the focused button cancels
    await dialog.waitFor({ state: 'detached' });
    expect(machine.calls).toEqual([]);

    await wantModel(model);
    await dialog.getByRole('button', { name: `Send frames to ${host}` }).click();
    expect(await expectDetections(page, 1)).toMatchObject([boxOf(2, 3)]);
    const place = model.getByRole('region', { name: 'Where the model runs' });
    await place.getByText(`Runs on ${host}`).waitFor();
    await expect
      .poll(async () => (await place.innerText()).replace(/\s+/g, ' '))
      .toMatch(/Sent a frame 768 B Received a frame \d+ B Latency, .* ms/);
    expect(machine.calls.at(-1)).toMatchObject({ image: { dtype: 'uint8', shape: [1, 16, 16, 3] } });
    expect(await violations(page, 'borrowed')).toEqual([]);

    const calls = machine.calls.length;
    await panel(page, 'Thresholds').getByRole('spinbutton', { name: 'Default' }).first().fill('0.4');
    await page.keyboard.press('Enter');
    await expectDetections(page, 1);
    expect(machine.calls).toHaveLength(calls); // thresholds are applied in the page, without a call
    const drawer = await openConfiguration(page);
    await drawer.locator('.cm-content').press('Control+End'); // scroll down: the editor renders only visible lines
    await drawer.locator('.cm-line', { hasText: '"mlmodel_name": "m"' }).waitFor();

    await machine.close();
    await dropOnBench(page, [{ name: 'b.png', bytes: pictureWith(9, 5) }]);
    const lost = page.getByText(`${machine.url} does not answer.`);
    await page.getByRole('region', { name: 'Stage' }).locator(lost).waitFor();
    await expectDetections(page, 0);
    expect(await lost.count()).toBe(1); // reported only once
    await place.getByText(/Latency/).waitFor({ state: 'detached' });
    const again = await machine.again();
    onTestFinished(() => again.close());
    await expect
      .poll(async () => {
        await page
          .getByRole('button', { name: 'Ask again' })
          .click({ timeout: 1000 })
          .catch(() => undefined);
        return place.getByText(/Latency/).count();
      })
      .toBe(1);
    expect(await expectDetections(page, 1)).toMatchObject([boxOf(9, 5)]);

    await page.reload({ waitUntil: 'commit' }); // ends the search for interpretations, which may still call the machine
    const before = machine.calls.length;
    await model.getByText(`ran m on ${host}. No frame is sent there now.`).waitFor();
    await page.getByText('b.png').first().waitFor();
    expect(machine.calls).toHaveLength(before);
    await model.getByRole('button', { name: `Send frames to ${host} again` }).click();
    expect(await expectDetections(page, 1)).toMatchObject([boxOf(9, 5)]);

    await source.getByRole('tab', { name: 'Machine' }).click();
    await source.getByRole('button', { name: 'Disconnect' }).click();
    await model.getByText('No frame is sent there now.').waitFor();
    await expectDetections(page, 0);
    const sent = machine.calls.length;
    await dropOnBench(page, [{ name: 'c.png', bytes: pictureWith(4, 8) }]);
    await page.getByText('c.png').first().waitFor();
    expect(machine.calls).toHaveLength(sent);
  });
});
