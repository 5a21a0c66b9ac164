import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cocoNames as labels } from '../../src/models/fit/interpretations/usual-names.ts';
import { fixedDetector } from '../models.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';
import { useApp } from './app.ts';
import {
  expectDetections,
  expectFirstBoxes,
  importConfiguration,
  modelMeasured,
  openPanel,
  panel,
  pickModel,
} from './bench-page.ts';
import { uploadCaptures } from './captured-clip.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';
import { PeopleScenes } from './people-scenes.ts';
import { pictureShown } from './picture-shown.ts';

// The pictures of the documentation. `npm run pictures` takes them, light and dark, and notes the words that they show. At night the tests open
// the same scenes, and fail where the app now says other words, or looks otherwise, than the picture that is there. Each time,
// scripts/words/pictures-words.test.ts looks for the noted words in the sources.
const isTaking = process.env['SIGHTGLASS_PICTURES'] === 'take';
const isNightly = Boolean(process.env['NIGHTLY']);
const folder = 'docs/pictures';
const wordsPath = `${folder}/words.json`;
/** Allowed mean difference of brightness (of 255) over a grid of cells. Different text rendering stays below it. */
const mostDifference = 10;

const app = useApp();
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

async function dismissHints(page: Page): Promise<void> {
  const hints = page.getByRole('button', { name: 'Dismiss this hint' });
  while ((await hints.count()) > 0) await hints.first().click();
}

async function importConfig(page: Page, config: object): Promise<void> {
  await importConfiguration(page, JSON.stringify(config, null, 2));
  await page.locator('p', { hasText: 'Opened the configuration machine.json.' }).waitFor({ state: 'detached' });
}

async function openBench(page: Page): Promise<void> {
  await expectFirstBoxes(page);
  await modelMeasured(page);
  await dismissHints(page);
}

interface Scene {
  readonly name: string;
  readonly path?: string;
  readonly open: (page: Page) => Promise<void>;
}

const scenes: readonly Scene[] = [
  {
    name: 'bench',
    async open(page) {
      await openBench(page);
      await page.getByRole('switch', { name: 'Ghosts' }).first().press('Space');
      await panel(page, 'Results').locator('tbody tr').nth(3).waitFor();
    },
  },
  {
    name: 'crop',
    async open(page) {
      await openBench(page);
      await openPanel(page, 'Transforms');
      await page.getByRole('group', { name: 'Add a step' }).getByRole('button', { name: 'crop' }).click();
      await page.getByRole('button', { name: 'Draw on the stage' }).click();
      await page.getByRole('group', { name: 'Crop window on the frame' }).waitFor();
    },
  },
  {
    name: 'configuration',
    async open(page) {
      await openBench(page);
      const camera = { name: 'webcam', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
      const pipeline = [{ type: 'rotate', attributes: { angle_deg: 90 } }];
      const tuned = {
        name: 'tuned',
        api: 'rdk:component:camera',
        model: 'transform',
        attributes: { source: 'webcam', pipeline },
      };
      const attributes = {
        mlmodel_name: 'face-model',
        camera_name: 'tuned',
        input_image_mean_value: [127.5, 127.5, 127.5],
      };
      const model = {
        name: 'face-model',
        api: 'rdk:service:mlmodel',
        model: 'viam:mlmodel:onnx-cpu',
        attributes: { model_path: 'face-detector.onnx', label_path: 'face-detector.labels.txt' },
      };
      const faces = { name: 'faces', api: 'rdk:service:vision', model: 'mlmodel', attributes };
      await importConfig(page, { components: [camera, tuned], services: [model, faces] });
      await page.getByRole('list', { name: 'Findings' }).getByText('turns by 180 degrees').waitFor();
      await dismissHints(page);
    },
  },
  {
    name: 'fit',
    async open(page) {
      await openBench(page);
      const model = yoloV8Model(
        [
          { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
          { centreX: 50, centreY: 40, width: 8, height: 12, scores: [0.2, 0.7] },
        ],
        { metadata: { names: "{0: 'person', 1: 'robot'}" } },
      );
      await pickModel(page, 'best.onnx', model);
      await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).press('Enter');
      await page.getByRole('dialog').getByText('viam:mlmodel:onnx-cpu loads it.').waitFor();
      await dismissHints(page);
    },
  },
  {
    name: 'solver',
    async open(page) {
      await openBench(page);
      const attributes = {
        mlmodel_name: 'm',
        xmin_ymin_xmax_ymax_order: [0, 1, 2, 3],
        default_minimum_confidence: 0.5,
      };
      const faces = { name: 'faces', api: 'rdk:service:vision', model: 'mlmodel', attributes };
      await importConfig(page, { services: [faces] });
      await page.keyboard.press('Escape');
      await panel(page, 'Results').getByRole('button', { name: 'Boxes look wrong?' }).click();
      const dialog = page.getByRole('dialog', { name: 'What is wrong with the results?' });
      await dialog.getByRole('button', { name: 'Mirrored or sideways' }).click();
      await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
      await dialog.getByRole('listitem').first().getByRole('heading', { name: 'Boxes are y, x, y, x' }).waitFor();
    },
  },
  {
    name: 'labels',
    async open(page) {
      await openBench(page);
      const eighty = fixedDetector({
        input: { dtype: 'uint8' },
        boxes: numbers(8).map((at) => [0.15 + at / 12, 0.1 + at / 10, 0.4 + at / 14, 0.25 + at / 10]),
        categories: [0, 16, 56, 41, 2, 63, 39, 15],
        scores: numbers(8).map((at) => 0.95 - at / 10),
      });
      await pickModel(page, 'coco.onnx', eighty);
      await panel(page, 'Model').getByText('coco.onnx', { exact: true }).waitFor(); // the labels of the model before it close
      await panel(page, 'Model').locator('summary', { hasText: 'Labels' }).click();
      await panel(page, 'Model')
        .getByLabel('Label file')
        .setInputFiles({ name: 'coco.txt', mimeType: 'text/plain', buffer: Buffer.from(labels.join('\n')) });
      await panel(page, 'Thresholds').getByPlaceholder('Find one of 80').waitFor();
      await expectDetections(page, 5);
      await panel(page, 'Thresholds').getByLabel('Order (labels on this frame come first)').selectOption('score');
      await panel(page, 'Model').locator('summary', { hasText: 'Labels' }).click();
      await dismissHints(page);
    },
  },
  {
    name: 'editor',
    path: '#/data/images',
    async open(page) {
      await openDataClient(page);
      const id = await uploadSample(page);
      await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}/edit`);
      await page.reload();
      await pictureShown(page);
      for (const label of ['face', 'cup']) {
        await page.getByLabel('New label').fill(label);
        await page.getByLabel('New label').press('Enter');
      }
      const stage = page.getByRole('application');
      const { x, y, width, height } = (await stage.boundingBox())!;
      for (const [left, top, right, bottom] of [
        [0.21, 0.35, 0.32, 0.48],
        [0.44, 0.39, 0.54, 0.51],
      ] as const) {
        await stage.focus();
        await page.keyboard.press('n');
        await page.mouse.move(x + left * width, y + top * height);
        await page.mouse.down();
        await page.mouse.move(x + right * width, y + bottom * height, { steps: 3 });
        await page.mouse.up();
        await page.keyboard.press('1');
      }
      await page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();
      await expect.poll(() => page.locator('[data-box]').count()).toBe(2);
    },
  },
  {
    name: 'review',
    path: '#/data/images',
    async open(page) {
      await openDataClient(page);
      const id = await uploadSample(page);
      await page.evaluate(async (binaryDataId) => {
        const { client } = pageData;
        const corners = { xMinNormalized: 0.47, yMinNormalized: 0.36, xMaxNormalized: 0.58, yMaxNormalized: 0.53 };
        await client.data.addBoundingBoxToImageByID({ binaryDataId, label: 'face', ...corners });
      }, id);
      await page.reload();
      await page.getByRole('listbox', { name: 'Images' }).getByRole('option').first().waitFor();
      await page.getByRole('listbox', { name: 'Images' }).focus();
      await page.keyboard.press('Control+a');
      await page.getByRole('button', { name: 'Assign …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
      await dialog.getByText('1 task made.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await openDataTab(page, 'Work');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('button', { name: 'Done, next' }).click();
      await page.getByRole('button', { name: 'Review' }).click();
      await pictureShown(page);
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      const { x, y, width, height } = (await page.getByRole('application').boundingBox())!;
      await page.mouse.click(x + 0.8 * width, y + 0.28 * height);
      await page.getByRole('textbox', { name: 'Comment' }).fill('This face, too');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Resolve: This face, too' }).waitFor();
    },
  },
  {
    name: 'sequences',
    path: '#/data/sequences',
    async open(page) {
      await uploadCaptures(page);
      await page.getByRole('button', { name: 'New sequence' }).click();
      await page.getByRole('checkbox').first().waitFor();
      await page.getByRole('combobox', { name: 'Tags of the sequence' }).fill('demo-1');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('face 1', { exact: true }).waitFor();
      await page.keyboard.press('f');
      await page.getByText('face 2', { exact: true }).waitFor();
    },
  },
];

/** The visible words of the page in document order, without numbers, measured values and random ids, which differ between computers. */
async function wordsOf(page: Page): Promise<string[]> {
  // What screen readers alone are told comes when it comes.
  const others = page.getByLabel('Figures of the running bench').or(page.locator('.visually-hidden'));
  await others.evaluateAll((lists) => lists.forEach((list) => list.remove()));
  const text = await page.locator('body').innerText();
  const texts = text.split('\n').filter((line) => !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(line.trim()));
  const lines = texts.map((line) => line.replaceAll(/[\d.,]+/g, '#').trim());
  return [...new Set(lines.filter((line) => /\p{Letter}{3}/u.test(line)))].sort();
}

interface Comparison {
  readonly webp: string;
  /** mean difference of brightness over a grid of cells, of 255; null without a picture to compare with */
  readonly difference: number | null;
}

/** A screenshot as WebP, and its difference from another picture. */
async function asWebp(page: Page, png: Buffer, other: Buffer | null): Promise<Comparison> {
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(
      async ([png, other]) => {
        const bitmapOf = async (base64: string) =>
          createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
        const [columns, rows] = [48, 30];
        const cellsOf = (bitmap: ImageBitmap) => {
          const small = new OffscreenCanvas(columns, rows).getContext('2d')!;
          small.imageSmoothingQuality = 'high';
          small.drawImage(bitmap, 0, 0, columns, rows);
          return small.getImageData(0, 0, columns, rows).data;
        };
        const bitmap = await bitmapOf(png);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
        const bytes = new Uint8Array(await blob.arrayBuffer());
        const webp = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        if (other === null) return { webp, difference: null };
        const [now, then] = [cellsOf(bitmap), cellsOf(await bitmapOf(other))];
        const sum = now.reduce((total, value, at) => total + Math.abs(value - then[at]!), 0);
        return { webp, difference: sum / (now.length * 0.75) };
      },
      [png.toString('base64'), other?.toString('base64') ?? null] as const,
    );
  } finally {
    await blank.close();
  }
}

describe.runIf(isTaking || isNightly)('the pictures of the documentation', () => {
  const schemes = isTaking ? (['light', 'dark'] as const) : (['light'] as const);
  const people = new PeopleScenes();
  beforeAll(() => people.start());
  afterAll(() => people.close());
  const runs = [...scenes, ...people.scenes].flatMap((scene) =>
    schemes.map((colorScheme) => ({ ...scene, colorScheme })),
  );

  it.for(runs)('$name, $colorScheme', async ({ name, open, colorScheme, ...scene }) => {
    const look = { colorScheme, reducedMotion: 'reduce' } as const;
    const path = 'path' in scene ? scene.path : '';
    const { page, context } =
      'enter' in scene ? await scene.enter() : await app.open({ path, serviceWorker: isTaking, ...look });
    onTestFinished(() => context.close());
    await page.emulateMedia(look);
    await open(page);
    await page.mouse.move(0, 0);
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
    );
    const png = await page.screenshot({ animations: 'disabled' });
    const picturePath = `${folder}/${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`;
    const noted = JSON.parse(readFileSync(wordsPath, 'utf8')) as Record<string, readonly string[]>;
    if (isTaking) {
      writeFileSync(picturePath, Buffer.from((await asWebp(page, png, null)).webp, 'base64'));
      const all = { ...noted, [name]: await wordsOf(page) };
      writeFileSync(wordsPath, `${JSON.stringify(all, null, 1)}\n`);
      return;
    }
    await expect
      .poll(() => wordsOf(page), { message: `The app says other words than ${picturePath}: npm run pictures` })
      .toEqual(noted[name]);
    const { difference } = await asWebp(page, png, readFileSync(picturePath));
    expect(difference, `The app looks otherwise than ${picturePath}: npm run pictures`).toBeLessThan(mostDifference);
  });
});

/** A threshold that is dragged down, up, and back, as README opens with. */
describe('the moving picture', () => {
  const path = `${folder}/threshold.webp`;
  const mostBytes = 1_500_000;

  it.runIf(isTaking)('is taken', { timeout: 120_000 }, async () => {
    const viewport = { width: 1280, height: 760 };
    const { page } = await app.open({ viewport, colorScheme: 'light' });
    await expectFirstBoxes(page);
    await dismissHints(page);
    const frames = mkdtempSync(join(tmpdir(), 'sightglass-frames-'));
    onTestFinished(() => rmSync(frames, { recursive: true }));
    const { x, y, width, height } = (await page.getByRole('slider', { name: 'Default threshold' }).boundingBox())!;
    const moveTo = (value: number) => page.mouse.move(x + value * width, y + height / 2);
    const line = (from: number, to: number, count: number) =>
      numbers(count).map((at) => from + ((to - from) * (at + 1)) / count);
    const rest = (value: number) => numbers(6).map(() => value);
    const values = [...rest(0.5), ...line(0.5, 0.08, 14), ...rest(0.08), ...line(0.08, 0.91, 22), ...rest(0.91)];
    await moveTo(0.5);
    await page.mouse.down();
    for (const [at, value] of [...values, ...line(0.91, 0.5, 10)].entries()) {
      await moveTo(value);
      await page.screenshot({ path: join(frames, `${String(at).padStart(3, '0')}.png`) });
    }
    await page.mouse.up();
    const encode = ['-vf', 'scale=960:-2:flags=lanczos', '-c:v', 'libwebp_anim', '-quality', '80', '-loop', '0'];
    execFileSync('ffmpeg', ['-y', '-v', 'error', '-framerate', '12', '-i', join(frames, '%03d.png'), ...encode, path]);
  });

  it('moves, in at most 1.5 MB', () => {
    const bytes = readFileSync(path);
    expect(bytes.includes('ANMF')).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(mostBytes);
  });
});
