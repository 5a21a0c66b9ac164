import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import {
  copied,
  expectDetections,
  expectFirstBoxes,
  importConfiguration,
  openConfiguration,
  openPanel,
  panel,
  setDefaultThreshold,
} from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';

const app = useApp();

/** A machine's configuration with its own indentation and spacing, and with unrelated entries. */
const service = `    { "name": "doorbell", "api": "rdk:service:vision", "model": "mlmodel",
      "attributes": {
        "mlmodel_name": "faces",
        "camera_name": "porch",
        "default_minimum_confidence": 0.3
      } }`;
const before = `{ "components": [
    { "name": "porch",   "api": "rdk:component:camera", "model": "webcam",
      "attributes": { "video_path": "" } },
    {"name":"arm-1","api":"rdk:component:arm","model":"acme:arm:six","attributes":{"speed_degs":  20.50,"ports":[1,2 ,3]}}
  ],
  "modules": [ { "module_id": "acme:arm", "version": "0.0.10" } ],
  "services": [
    { "name": "faces", "api": "rdk:service:mlmodel", "model": "viam:mlmodel:onnx-cpu", "attributes": { "model_path": "faces.onnx" } },
`;
const after = `,
    { "name": "sync", "api": "rdk:service:data_manager", "model": "builtin", "attributes": {"sync_interval_mins": 1e-1, "api_key": "s3cr3t"} }
  ]
}
`;
const machine = before + service + after;

async function exported(page: Page, form: string): Promise<string> {
  const drawer = page.getByRole('region', { name: 'Configuration' });
  await drawer.getByRole('tab', { name: form }).click();
  return copied(page, drawer.getByRole('button', { name: 'Copy', exact: true }));
}

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the configuration of a machine', () => {
  it('is not exchanged where it cannot be read, is followed by the controls while it is typed, and what has no effect or is misread is mended by a click', async () => {
    const { page } = await app.open(clipboard);
    await expectFirstBoxes(page);
    const text = machine.replace('{ "components"', '{\n  // of the porch\n  "components"');
    await dropOnBench(page, [{ name: 'porch.json', bytes: text }]);
    await page.getByText('porch.json cannot be read. Line 2, column 3').waitFor();
    expect(await page.getByText('Opened the configuration').count()).toBe(0);
    const badge = page.getByRole('button', { name: 'Configuration', exact: true });
    expect(await badge.getAttribute('title')).toBe('It cannot be read: line 2');
    await openPanel(page, 'Transforms');
    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).click();
    const givers = ['Copy', 'Download', 'Write to the machine …', 'Copy link'];
    const locked = () =>
      Promise.all([
        ...givers.map((name) => drawer.getByRole('button', { name, exact: true }).isDisabled()),
        ...['Thresholds', 'Transforms'].map(async (name) => {
          const edits = panel(page, name).locator(
            'input[type=range], input[type=number], [aria-label="Add a step"] button',
          );
          return (await edits.count()) > 0 && (await edits.and(page.locator(':enabled')).count()) === 0;
        }),
      ]);
    await expect.poll(locked).toEqual(Array(6).fill(true));
    await page.reload();
    await expectFirstBoxes(page);
    await expect.poll(locked).toEqual(Array(6).fill(true));
    await drawer.getByRole('button', { name: 'Remove the comment' }).click();
    await expect.poll(() => exported(page, 'Whole')).toBe(text.replace('  // of the porch\n', ''));
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(locked).toContain(true);
    await drawer.getByRole('button', { name: 'Back to the previous one' }).click();
    expect(await exported(page, 'Whole')).toContain('tuned-camera');

    await drawer.getByRole('tab', { name: 'JSON', exact: true }).click();
    await drawer.locator('.cm-content').press('Control+End'); // scroll down: the editor renders only visible lines
    await drawer.locator('.cm-line', { hasText: 'default_minimum_confidence' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('9');
    await expectDetections(page, 1);
    const threshold = page.getByRole('spinbutton', { name: 'Default threshold, exact' });
    await expect.poll(() => threshold.inputValue()).toBe('0.9');
    await setDefaultThreshold(page, '0.25');
    await drawer.locator('.cm-line', { hasText: '"default_minimum_confidence": 0.25' }).waitFor();

    await page.getByRole('tab', { name: 'By label' }).click();
    const field = page.getByRole('spinbutton', { name: 'Threshold of face, exact' });
    await field.fill('0.9');
    await field.press('Enter');
    await expectDetections(page, 1);
    await drawer.getByRole('tab', { name: 'Export' }).click();
    const attributes = async () =>
      (JSON.parse(await exported(page, 'Whole')) as { services: { attributes: object }[] }).services[1]!.attributes;
    expect(await attributes()).toMatchObject({ label_confidences: { face: 0.9 }, default_minimum_confidence: 0.25 });
    await drawer.getByText('detector: default_minimum_confidence has no effect').waitFor();
    await drawer.getByRole('tab', { name: 'JSON', exact: true }).click();
    const finding = drawer.getByRole('listitem').filter({ hasText: 'default_minimum_confidence has no effect:' });
    await finding.getByRole('button', { name: 'Remove the default' }).click();
    await finding.waitFor({ state: 'detached' });
    await drawer.getByRole('tab', { name: 'Export' }).click();
    expect(await attributes()).not.toHaveProperty('default_minimum_confidence');

    const rotated = {
      name: 'turned',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'porch', pipeline: [{ type: 'rotate', attributes: { angle_deg: 90 } }] },
    };
    const porch = { name: 'porch', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
    const vision = { ...(JSON.parse(service) as { attributes: object }) };
    vision.attributes = { ...vision.attributes, camera_name: 'turned' };
    const model = { name: 'faces', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} };
    await drawer.getByRole('tab', { name: 'JSON', exact: true }).click();
    await importConfiguration(page, JSON.stringify({ components: [porch, rotated], services: [model, vision] }));
    const misread = drawer.getByRole('listitem').filter({ hasText: 'with "angle_deg" the frame turns by 180 degrees' });
    await misread.waitFor();
    await page.getByTitle('Show the frame: rotate').getByText('1920×1280').waitFor(); // rotated by the default of 180 degrees
    await misread.getByRole('button', { name: 'Rename to angle_degs' }).click();
    await misread.waitFor({ state: 'detached' });
    await page.getByTitle('Show the frame: rotate').getByText('1280×1920').waitFor(); // rotated by 90 degrees
  });

  it('comes back with one entry tuned and every other character as it was, and travels in a link without its keys', async () => {
    const { page } = await app.open(clipboard);
    await expectFirstBoxes(page);
    await importConfiguration(page, machine);
    // The configuration's model file is missing. No other model runs in its place until the person chooses one.
    const model = panel(page, 'Model');
    await model.getByText('doorbell runs faces.onnx on the machine. That model is not loaded here.').waitFor();
    await expectDetections(page, 0);
    await model.getByRole('button', { name: 'Run face-detector.onnx in its place' }).click();
    await setDefaultThreshold(page, '0.87');
    await expectDetections(page, 2);
    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).click();

    const whole = await exported(page, 'Whole');
    expect(whole.startsWith(before)).toBe(true);
    expect(whole.endsWith(after)).toBe(true);
    const tuned = JSON.parse(whole.slice(before.length, -after.length)) as { attributes: object };
    expect(tuned.attributes).toEqual({ mlmodel_name: 'faces', camera_name: 'porch', default_minimum_confidence: 0.87 });

    const changed = JSON.parse(await exported(page, 'Changed entries')) as { services: { name: string }[] };
    expect(changed.services).toEqual([tuned]);
    expect(Object.keys(changed)).toEqual(['services']);

    const patch = JSON.parse(await exported(page, 'JSON Patch')) as { op: string; path: string; value: unknown }[];
    expect(patch.every(({ path }) => path.startsWith('/services/1/attributes/'))).toBe(true);
    expect(patch).toContainEqual({
      op: 'replace',
      path: '/services/1/attributes/default_minimum_confidence',
      value: 0.87,
    });

    const link = await copied(page, drawer.getByRole('button', { name: 'Copy link' }));
    await drawer.getByText('1 key or password was left out').waitFor();
    expect(link).toMatch(/#config=1\./);

    const { page: other } = await app.open({ ...clipboard, path: new URL(link).hash });
    await other.getByText('Opened the configuration of the link.').waitFor(); // the note disappears later
    expect(new URL(other.url()).hash).toBe('');
    await panel(other, 'Model').getByRole('button', { name: 'BlazeFace detector' }).click();
    await expectDetections(other, 2);
    const opened = await openConfiguration(other);
    await opened.getByRole('tab', { name: 'Export' }).click();
    const there = await exported(other, 'Whole');
    expect(there).toContain('"arm-1"');
    expect(there).not.toContain('s3cr3t');
  });
});
