import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import {
  copied,
  expectFirstBoxes,
  importConfiguration,
  openConfiguration,
  panel,
  setDefaultThreshold,
} from './bench-page.ts';

const app = useApp();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** A robot's configuration, with a style of its own and a data manager that captures something else. */
const robot = `{
\t"components": [
\t\t{"name": "porch", "api": "rdk:component:camera", "model": "webcam", "attributes": {"width_px": 1280, "height_px": 720}}
\t],
\t"services": [
\t\t{"name": "faces", "api": "rdk:service:mlmodel", "model": "viam:mlmodel:onnx-cpu", "attributes": {"model_path": "f.onnx"}},
\t\t{"name": "doorbell", "api": "rdk:service:vision", "model": "mlmodel", "attributes": {"mlmodel_name": "faces", "camera_name": "porch", "default_minimum_confidence":  0.30}},
\t\t{"name": "keeper", "api": "rdk:service:data_manager", "model": "builtin", "attributes": {"sync_disabled": true}}
\t]
}
`;

async function wholeText(page: Page): Promise<string> {
  const drawer = page.getByRole('region', { name: 'Configuration' });
  const exports = drawer.getByRole('tab', { name: 'Export' });
  if (!(await exports.isVisible())) await openConfiguration(page);
  await exports.click();
  await drawer.getByRole('tab', { name: 'Whole' }).click();
  return copied(page, drawer.getByRole('button', { name: 'Copy', exact: true }));
}

const recorder = (page: Page) => panel(page, 'Recorder');
/** Opens the dialog in which a recording is started. */
async function ask(page: Page) {
  await page.getByRole('button', { name: 'Stage menu' }).click();
  await page.getByRole('menuitem', { name: 'Record for replay' }).press('Enter');
  return page.getByRole('dialog', { name: 'Record for replay' });
}
const start = async (page: Page) => (await ask(page)).getByRole('button', { name: 'Add the recorder' }).click();
const stop = (page: Page) => panel(page, 'Thresholds').getByRole('button', { name: 'Stop recording' });

async function commit(page: Page, role: 'spinbutton' | 'textbox', name: string, value: string): Promise<void> {
  const field = recorder(page).getByRole(role, { name });
  await field.fill(value);
  await field.press('Enter');
}

describe('recording for a replay', () => {
  it('adds a copy and its captures by one key, takes them away to the byte, also of a robot’s configuration, and warns of what it would lose', async () => {
    const { page } = await app.open(clipboard);
    await expectFirstBoxes(page);
    const dialog = await ask(page);
    await dialog
      .getByText(/^Adds a copy of detector that keeps pictures and all results from 0\.05 on, once a second\. About 1/)
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await stop(page).count()).toBe(0);
    await (await ask(page)).getByRole('button', { name: 'Add the recorder' }).press('Enter');
    await stop(page).waitFor();
    const menu = page.getByRole('button', { name: 'Stage menu' });
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
    await recorder(page)
      .getByText(/What detector reports stays as it is\. About 1\.1 GB an hour/)
      .waitFor();
    await expectFirstBoxes(page); // what is tuned is still the service that was

    await commit(page, 'textbox', 'Name of the recorder', 'night');
    await commit(page, 'spinbutton', 'Threshold of the recorder', '0.1');
    await commit(page, 'spinbutton', 'Pictures a second', '2');
    await recorder(page).getByRole('combobox', { name: 'Camera that is recorded' }).selectOption('webcam');
    const { services } = JSON.parse(await wholeText(page)) as { services: readonly object[] };
    expect(services.slice(2)).toMatchObject([
      {
        name: 'night',
        attributes: { mlmodel_name: 'detector-model', default_minimum_confidence: 0.1 },
        service_configs: [
          {
            type: 'data_manager',
            attributes: {
              capture_methods: [
                {
                  method: 'CaptureAllFromCamera',
                  capture_frequency_hz: 2,
                  additional_params: { camera_name: 'webcam', recorder_of: 'detector' },
                },
              ],
            },
          },
        ],
      },
      { name: 'recorder-data-manager', api: 'rdk:service:data_manager' },
    ]);

    await stop(page).press('Enter');
    await recorder(page).waitFor({ state: 'detached' });
    expect(await wholeText(page)).toBe(sampleConfigText);
    await page.getByRole('button', { name: 'Undo: Remove night' }).click();
    await stop(page).waitFor();
    for (const step of ['Camera', 'Rate', 'Threshold', 'Name'])
      await page.getByRole('button', { name: new RegExp(`^Undo: ${step} of `) }).click();
    await page.getByRole('button', { name: 'Undo: Record detector for replay' }).click();
    await recorder(page).waitFor({ state: 'detached' });
    expect(await wholeText(page)).toBe(sampleConfigText);

    // It leaves every other character of a robot’s configuration, and warns of what it would lose.
    await page.getByRole('region', { name: 'Configuration' }).getByRole('tab', { name: 'JSON', exact: true }).click();
    await importConfiguration(page, robot);
    await start(page);
    await recorder(page)
      .getByText(/About 500 MB an hour, 12 GB a day, of pictures of 1280 × 720/)
      .waitFor();
    await recorder(page)
      .getByText(/^Nothing is uploaded while sync_disabled is true/)
      .waitFor();
    const recorded = await wholeText(page);
    const [before, after] = robot.split('\n\t]\n}');
    expect(recorded.startsWith(before!)).toBe(true);
    expect(recorded.endsWith(`\n\t]\n}${after}`)).toBe(true);
    expect(recorded.split('rdk:service:data_manager')).toHaveLength(2);

    await commit(page, 'spinbutton', 'Threshold of the recorder', '0.4');
    await recorder(page)
      .getByText(/^doorbell-recorder records nothing below 0\.4/)
      .waitFor();
    expect(await violations(page, 'recording')).toEqual([]);
    await recorder(page).getByRole('button', { name: 'Write 0.05' }).click();
    await setDefaultThreshold(page, '0.6');
    await commit(page, 'textbox', 'Name of the recorder', 'porch');
    await recorder(page).getByText('Another resource is named "porch" already.').waitFor();
    const name = recorder(page).getByRole('textbox', { name: 'Name of the recorder' });
    expect(await name.inputValue()).toBe('doorbell-recorder');
    await stop(page).click();
    await start(page);
    await name.waitFor();
    expect(await recorder(page).getByRole('alert').count()).toBe(0);
    await stop(page).click();
    expect(await wholeText(page)).toBe(robot.replace(' 0.30', ' 0.6'));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Tune' }).click();
    await start(page);
    await commit(page, 'spinbutton', 'Threshold of the recorder', '0.7');
    await recorder(page).getByRole('button', { name: 'Write 0.05' }).scrollIntoViewIfNeeded();
    expect(await violations(page, 'recording on a phone')).toEqual([]);
    expect(await sideways(page)).toBe(0);
  });
});
