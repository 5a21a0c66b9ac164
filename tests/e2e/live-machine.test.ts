import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import { createMachine, type Machine } from '../../src/machine/vision/machine.ts';
import type { FrameAnswer } from '../../src/remote/live-machine/live-machine.ts';
import type { PretendedMachine } from '../live-machine-fixture.ts';
import { serveMachine } from '../serve-live-machine.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { expectFirstBoxes, facesOfFirstSample, panel, shownDetections } from './bench-page.ts';

const app = useApp();
const file = async (path: string) => new Uint8Array(await readFile(`public/builtin/${path}`));

/** A machine with the built-in detector, the given threshold and more attributes. */
async function builtinMachine(leastConfidence: number, more: object): Promise<Machine> {
  const attributes = { mlmodel_name: 'm', default_minimum_confidence: leastConfidence, ...more };
  const service = { name: 'detector', api: 'rdk:service:vision', model: 'mlmodel', attributes };
  const { config } = parseMachineConfig(JSON.stringify({ services: [service] }));
  const session = await openSession(await file('models/face-detector.onnx'));
  const font = { widthOf: () => 0 } as never; // unused: no text is drawn on frames
  return createMachine(config, { detector: { session, labels: ['face'] } }, { font });
}

/** What such a machine gives. Results are cached for each picture, because a run takes a second. */
async function pretended(
  leastConfidence = 0.5,
  more: object = {},
  changes: Partial<PretendedMachine> = {},
): Promise<PretendedMachine> {
  const machine = await builtinMachine(leastConfidence, more);
  const picture = await file('frames/sample1.jpg');
  let answer: Promise<FrameAnswer> | null = null;
  return {
    visionName: 'detector',
    mediaType: 'image/jpeg',
    image: () => picture,
    answer: () =>
      (answer ??= machine
        .detections('detector', decodeStill(picture)!)
        .then((detections) => ({ detections, classifications: null }))),
    ...changes,
  };
}

async function costOfRecording(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Stage menu' }).click();
  await page.getByRole('menuitem', { name: 'Record for replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record for replay' });
  const cost = await dialog.innerText();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return cost;
}

async function connect(page: Page, url: string): Promise<void> {
  await panel(page, 'Source').getByRole('tab', { name: 'Machine' }).click();
  await page.getByLabel('Address of a machine').fill(url);
  await page.keyboard.press('Enter');
}

describe('a live machine as the source', () => {
  it('is typed and entered, shows its camera, says the same and proves it, keeps the last frame when it is lost, and goes on when it is back; what it has otherwise is found', async () => {
    const same = await pretended();
    const machine = await serveMachine(same);
    onTestFinished(() => machine.close());
    /** Serves a machine at the same address, in the place of the one before. */
    const serve = async (next: PretendedMachine) => {
      const served = await serveMachine(next, Number(new URL(machine.url).port));
      onTestFinished(() => served.close());
      return served;
    };
    const { page } = await app.open({ mayCall: machine.url });
    await expectFirstBoxes(page);
    await connect(page, machine.url);
    const word = panel(page, 'Results').getByRole('region', { name: 'The machine’s answer' });
    await word.getByText('says the same about this frame').waitFor();
    expect(await shownDetections(page)).toMatchObject(facesOfFirstSample);
    await panel(page, 'Source').getByText('machine live').waitFor();
    await expect.poll(() => costOfRecording(page)).toMatch(/if a picture is 1920 × 1280 \(/); // another camera is recorded

    await word.getByRole('button', { name: 'Prove it on many frames …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Does the machine say the same?' });
    await dialog.getByLabel('Frames to compare').selectOption('10 frames');
    await dialog.getByRole('button', { name: 'Prove it', exact: true }).click();
    await dialog.getByText('Equal on 10 frames (1 picture, 30 rows).').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the report' }).click();
    const report = await readFile(await (await download).path(), 'utf8');
    expect(report).toContain('Equal on 10 frames');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await machine.close();
    await panel(page, 'Source')
      .getByText(/has not answered since .*\. The last frame stays/)
      .waitFor();
    expect(await shownDetections(page)).toMatchObject(facesOfFirstSample);
    const again = await serve(same);
    await panel(page, 'Source')
      .getByText(/has not answered since/)
      .waitFor({ state: 'detached' });
    await panel(page, 'Source').getByRole('button', { name: 'Disconnect' }).click();

    // What the machine has otherwise is found, and said alone.
    await again.close();
    const otherwise = await serve(await pretended(0.5, { input_image_bgr: true }));
    await connect(page, machine.url);
    await word.getByRole('button', { name: 'Prove it on many frames …' }).click();
    await dialog.getByLabel('Frames to compare').selectOption('10 frames');
    await dialog.getByRole('button', { name: 'Prove it', exact: true }).click();
    await dialog.getByText('With input_image_bgr true both say the same; here it is false. (10 frames)').waitFor();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as JSON' }).click();
    const { reasons } = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as { reasons: object[] };
    expect(reasons).toMatchObject([{ reason: 'other-attribute', frames: 10 }]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await panel(page, 'Source').getByRole('button', { name: 'Disconnect' }).click();

    // What differs is listed while thresholds are not written there.
    await otherwise.close();
    await serve(await pretended(0.9, {}, { cameraName: 'tuned-camera' }));
    await connect(page, machine.url);
    await word.getByText('says something else about this frame').waitFor();
    const { length } = await file('frames/sample1.jpg');
    const kilobytes = Number((length / 1000).toPrecision(2));
    await expect.poll(() => costOfRecording(page)).toContain(`of pictures of 1920 × 1280 (${kilobytes} kB).`);
    await expect
      .poll(() => word.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^only here: “face” 0\.8\d+ at 1494, 265 – 1641, 412$/),
        expect.stringMatching(/^only here: “face” 0\.8\d+ at 851, 470 – 1023, 642$/),
      ]);
    await word.getByText('these thresholds are not what the machine has').waitFor();

    const legend = page.getByText('dashed: 127.0.0.1');
    await legend.waitFor(); // the machine's box is drawn over ours
    const dashed = page.locator('main rect:not(.rim)');
    await expect.poll(() => dashed.count()).toBe(1);
    await page.keyboard.press('t');
    await legend.waitFor({ state: 'detached' });
    await word.getByRole('switch', { name: 'Draw its boxes, dashed' }).check();
    await legend.waitFor();
    expect(await violations(page, 'differs')).toEqual([]);
    await panel(page, 'Source').getByRole('button', { name: 'Stop' }).click();
  });
});
