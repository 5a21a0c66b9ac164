import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { fixedDetector } from '../models.ts';
import { tfliteChannelMeans } from '../tflite-models.ts';
import { useApp } from './app.ts';
import {
  copied,
  expectFirstBoxes,
  importConfiguration,
  openConfiguration,
  panel,
  pickModel,
  setDefaultThreshold,
} from './bench-page.ts';

const app = useApp();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

const means = (name: string) => tfliteChannelMeans({ name, heightPx: 16, widthPx: 16 });
const twoBoxes = fixedDetector({
  boxes: [
    [0.25, 0.5, 0.75, 1],
    [0, 0, 0.5, 0.5],
  ],
  categories: [1, 0],
  scores: [0.9, 0.4],
});

interface Exported {
  readonly services: readonly {
    readonly name: string;
    readonly model: string;
    readonly attributes: Record<string, unknown>;
  }[];
}

/** The attributes of the model service and of the vision service, as the bench exports them. */
async function exported(page: Page): Promise<readonly [Record<string, unknown>, Record<string, unknown>]> {
  const drawer = page.getByRole('region', { name: 'Configuration' });
  if ((await drawer.count()) === 0) await openConfiguration(page);
  await drawer.getByRole('tab', { name: 'Export' }).click();
  await drawer.getByRole('tab', { name: 'Whole' }).click();
  const text = await copied(page, drawer.getByRole('button', { name: 'Copy', exact: true }));
  const { services } = JSON.parse(text) as Exported;
  return [services[0]!.attributes, services[1]!.attributes];
}

const onStage = (page: Page, fileName: string) =>
  panel(page, 'Model')
    .getByRole('button', { name: `Unload ${fileName}` })
    .waitFor();

it('exports the model on the stage with its own settings, brings those of another back with it, and asks which model an imported configuration is for', async () => {
  const { page } = await app.open(clipboard);
  await expectFirstBoxes(page);
  const model = panel(page, 'Model');
  await pickModel(page, 'ssd.tflite', means('picture:0'));
  await onStage(page, 'ssd.tflite');
  await setDefaultThreshold(page, '0.3');
  await pickModel(page, 'light.tflite', means('pixels:0'));
  await onStage(page, 'light.tflite');
  await model.getByText('The settings of the model before are kept with it under Change.').waitFor();
  const [file, vision] = await exported(page);
  expect(file).toEqual({ model_path: 'light.tflite' });
  expect(vision).toMatchObject({ default_minimum_confidence: 0.5, remap_input_names: { 'pixels:0': 'image' } });
  expect(vision).not.toHaveProperty('input_image_mean_value');

  // Undo brings model and settings, and so does the shelf, also after a reload.
  await page.getByRole('button', { name: 'Undo: Model light.tflite' }).click();
  await onStage(page, 'ssd.tflite');
  expect(await exported(page)).toMatchObject([
    { model_path: 'ssd.tflite' },
    { default_minimum_confidence: 0.3, remap_input_names: { 'picture:0': 'image' } },
  ]);
  await page.reload();
  await onStage(page, 'ssd.tflite');
  await model.getByRole('button', { name: 'Change' }).click();
  await model
    .getByRole('list', { name: 'Models that were here' })
    .getByRole('button', { name: /^light\.tflite/ })
    .click();
  await onStage(page, 'light.tflite');
  expect(await exported(page)).toMatchObject([{ model_path: 'light.tflite' }, { default_minimum_confidence: 0.5 }]);

  // Which model an imported configuration is for is asked, and said in what leaves the page.
  const attributes = { mlmodel_name: 'm', input_image_bgr: true, label_confidences: { person: 0.7 } };
  const services = [
    {
      name: 'm',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: '/data/people.onnx' },
    },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes },
  ];
  const drawer = page.getByRole('region', { name: 'Configuration' });
  await drawer.getByRole('tab', { name: 'JSON', exact: true }).click();
  await importConfiguration(page, JSON.stringify({ services }, null, 2));
  await pickModel(page, 'yolox.onnx', twoBoxes);
  await onStage(page, 'yolox.onnx');
  const words = 'The configuration describes people.onnx; on the stage is yolox.onnx.';
  await model.getByText(words).waitFor();
  expect(await exported(page)).toEqual([{ model_path: '/data/people.onnx' }, attributes]);
  await drawer.getByText(`Copied. ${words}`).waitFor();
  await drawer.getByRole('button', { name: 'Copy link' }).click();
  await drawer.getByText(/^Link copied\..*on the stage is yolox\.onnx\.$/).waitFor();
  await drawer.getByRole('button', { name: 'Write to the machine …' }).click();
  const writing = page.getByRole('dialog', { name: 'Write to the machine' });
  await writing.getByRole('button', { name: 'Open the file …' }).waitFor();
  await writing.getByText(words).waitFor();
  await page.keyboard.press('Escape');

  await model.getByRole('button', { name: 'Keep' }).click();
  await model.getByText('It stays with people.onnx').waitFor();
  expect(await exported(page)).toEqual([{ model_path: '/data/people.onnx' }, attributes]);
  await drawer.getByText(`Copied. ${words}`).waitFor();

  await model.getByRole('button', { name: 'Describe this one' }).click();
  await model.getByText(words).waitFor({ state: 'detached' });
  await drawer.getByText(`Copied. ${words}`).waitFor({ state: 'detached' });
  const [thisFile, thisVision] = await exported(page);
  expect(thisFile).toEqual({ model_path: '/data/yolox.onnx' });
  expect(thisVision).toEqual({ mlmodel_name: 'm', default_minimum_confidence: 0.5 });
  await drawer.getByText('Copied.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo: Model yolox.onnx' }).click();
  expect(await exported(page)).toEqual([{ model_path: '/data/people.onnx' }, attributes]);
});
