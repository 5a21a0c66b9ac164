import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { parseCommand, type Command } from '../parse-command.ts';
import { detect } from '../../src/cli/detect/detect.ts';
import { evaluate } from '../../src/cli/evaluate/evaluate.ts';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import type { Rgba8Frame } from '../../src/machine/vision/frame/frame-formats.ts';
import { crop } from '../../src/machine/vision/transforms/crop.ts';
import { resizeNearest } from '../../src/machine/vision/transforms/resize.ts';
import { tiff } from '../image-headers.ts';
import { useApp } from './app.ts';
import { builtinDetector, firstSample, temporaryFolder } from './test-media.ts';

const app = useApp();
const folder = temporaryFolder();
const machine = write('machine.json', JSON.stringify({
  services: [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
    { name: 'detector', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', default_minimum_confidence: 0.5 } },
  ],
})); // prettier-ignore

function write(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  return join(folder, path);
}

const sample = (at: number): Uint8Array => readFileSync(firstSample.replace('1.jpg', `${at}.jpg`));
const withOrientation = (jpeg: Uint8Array, orientation: number): Uint8Array => {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff(orientation, true)];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...jpeg.subarray(2)]);
};

interface Picture {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytes: Uint8Array;
  /** ratio of the size that is stated to the picture's; absent: 1 */
  readonly scale?: number;
}

/** What the page stores is of no other set: it keeps the boxes of bytes that it has already. */
let sets = 0;
function pictureOf(name: string, { widthPx, heightPx, samples }: Rgba8Frame): Picture {
  const data = samples.with(0, sets);
  return { name, widthPx, heightPx, bytes: encode({ width: widthPx, height: heightPx, data }) };
}
function small(at: number): Rgba8Frame {
  const whole = decodeJpeg(sample(at));
  return resizeNearest(whole, { widthPx: 480, heightPx: Math.round((480 * whole.heightPx) / whole.widthPx) });
}
const photographs = (...numbers: readonly number[]): readonly Picture[] =>
  numbers.map((at) => pictureOf(`${at}.png`, small(at)));
/** What a camera that hardly moves sees. */
const video = (): readonly Picture[] =>
  [0, 3, 6].map((xMin) =>
    pictureOf(`f${xMin}.png`, crop(small(1), { xMin, yMin: 0, xMax: xMin + 440, yMax: 320, overlayCropBox: false })),
  );

interface Found {
  readonly label: string;
  readonly score: number;
  readonly box: readonly [number, number, number, number];
}
interface Printed {
  readonly total: { readonly truePositives: number };
  readonly unknownTruth: object | null;
}

async function terminal<Line>(argv: readonly string[]) {
  const [lines, said]: [Line[], string[]] = [[], []];
  const out = { print: (line: object) => void lines.push(line as Line), say: (text: string) => void said.push(text) };
  const command = parseCommand(argv) as Extract<Command, { name: 'evaluate' | 'detect' }>;
  await (command.name === 'evaluate' ? evaluate(command, out) : detect(command, out));
  return { line: lines[0]!, said };
}

const service = (command: string): string[] =>
  [command, '--config', machine, '--vision', 'detector', '--model', builtinDetector.model, '--labels', builtinDetector.labels]; // prettier-ignore

/** What the detector finds in a picture, a little moved and with one box missing: truth whose figures are not whole. */
async function truthOf(picture: Pick<Picture, 'name' | 'bytes'>): Promise<Found['box'][]> {
  const path = write(`looked/${picture.name}`, picture.bytes);
  const { line } = await terminal<{ detections: { box?: number[]; xMin: number; yMin: number; xMax: number; yMax: number }[] }>([...service('detect'), path]); // prettier-ignore
  return line.detections.slice(1).map(({ xMin, yMin, xMax, yMax }, at) => [xMin + at, yMin, xMax - xMin, yMax - yMin - 2 * at]); // prettier-ignore
}

interface CocoOptions {
  readonly label?: string;
  /** boxes, each of a label that the model does not have */
  readonly hats?: readonly string[];
  /** whether areas are those of masks, and each picture has a crowd, where nothing that is found is false */
  readonly crowds?: boolean;
  readonly more?: (at: number) => object;
}

async function cocoOf(
  pictures: readonly Picture[],
  { label = 'face', hats = [], crowds = false, more = () => ({}) }: CocoOptions = {},
) {
  const boxes = await Promise.all(pictures.map((picture) => truthOf(picture)));
  const annotation = (category_id: number, image_id: number, box: readonly number[]) => {
    const bbox = box.map((px) => px * (pictures[image_id - 1]!.scale ?? 1));
    return { image_id, category_id, bbox, area: bbox[2]! * bbox[3]! * (crowds ? 0.6 : 1), iscrowd: 0 };
  };
  const faces = boxes.flatMap((of, image) => of.map((box) => annotation(1, image + 1, box)));
  const others = hats.map((_, at) => annotation(2 + at, 1, [10 + 5 * at, 10, 15, 12]));
  const regions = pictures.map(({ widthPx, heightPx }, at) => ({
    ...annotation(1, at + 1, [0, 0, widthPx, heightPx / 2]),
    iscrowd: 1,
  }));
  return JSON.stringify({
    images: pictures.map(({ name, widthPx, heightPx, scale = 1 }, at) => ({ id: at + 1, file_name: name, width: widthPx * scale, height: heightPx * scale, ...more(at) })),
    categories: [{ id: 1, name: label }, ...hats.map((name, at) => ({ id: 2 + at, name }))],
    annotations: [...faces, ...others, ...(crowds ? regions : [])].map((one, id) => ({ id: id + 1, ...one })),
  }); // prettier-ignore
}

/** The report as data of a dataset's figures, of the page. */
async function inPage(
  page: Page,
  name: string,
  chosen: string,
  images: number,
): Promise<{ report: object; words: string }> {
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.goto(`${app.url}#/data/datasets/import`);
  await page.locator('input[webkitdirectory]').setInputFiles(chosen);
  await page.getByText(`${images} images`, { exact: true }).waitFor();
  await page.getByLabel('Name of the new dataset').fill(name);
  await page.getByRole('button', { name: `Import ${images} images` }).click();
  await page.getByRole('heading', { name: `${images} images imported` }).waitFor();
  await page.getByRole('link', { name: 'Evaluate' }).click();
  await page.getByRole('combobox', { name: 'Set of images' }).selectOption(name);
  await page.getByRole('button', { name: /^Run( again)?$/ }).click();
  await page.getByText(`${images} images run,`).waitFor();
  await page.getByText(/^Intervals are based on/).waitFor();
  await expect.poll(() => page.getByText('are being looked at').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Format of the report' }).selectOption('Data (JSON)');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save report' }).click();
  const report = JSON.parse(readFileSync(await (await saving).path(), 'utf8')) as object;
  return { report, words: (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ') };
}

async function inTerminal(data: string, ...more: readonly string[]) {
  const path = join(folder, 'report.json');
  const { line, said } = await terminal<Printed>([...service('evaluate'), '--data', data, '--report', path, ...more]);
  return { report: JSON.parse(readFileSync(path, 'utf8')) as object, line, said };
}

/** All that a report says but what was evaluated with what, which page and terminal name each in its way. */
function figuresOf(report: object): object {
  const { title: _, configuration: __, facts, ...figures } = report as Record<string, unknown>;
  return { ...figures, units: (facts as Record<string, string>)['Independent units'] };
}

/** Writes a COCO file with its pictures beside it. */
async function folderOf(name: string, pictures: readonly Picture[], options: CocoOptions = {}): Promise<string> {
  const file = name.endsWith('.json') ? name : `${name}/instances.json`;
  for (const picture of pictures) write(`${dirname(file)}/${picture.name}`, picture.bytes);
  sets++;
  return write(file, await cocoOf(pictures, options));
}

describe('page and terminal', () => {
  it('give the same figures of one folder, whatever is in it', async () => {
    const { page } = await app.open({ path: '#/data/datasets', acceptDownloads: true });
    const compare = async (file: string, images: number, ...data: readonly (readonly string[])[]): Promise<void> => {
      const chosen = dirname(file);
      const { report, words } = await inPage(page, `set ${sets}`, chosen, images);
      for (const [path, ...more] of data.length > 0 ? data : [[file], [chosen]]) {
        const { line, said, report: there } = await inTerminal(path!, ...more);
        expect(figuresOf(report), path).toEqual(figuresOf(there));
        expect(line.total.truePositives).toBeGreaterThan(0);
        const unknown = said.filter((text) => text.includes('labels that the model does not report'));
        expect([unknown.length, unknown.every((text) => words.includes(text.replaceAll(/\s+/g, ' ')))]).toEqual([line.unknownTruth ? 1 : 0, true]); // prettier-ignore
      }
    };
    // Pictures that were resized beside their COCO file, one that is stored turned, frames that look alike, one that the file does not
    // list, and a label in another case among many that the model does not have.
    const { widthPx, heightPx } = decodeJpeg(sample(4));
    const turned = { name: 'turned.jpg', widthPx, heightPx, bytes: withOrientation(sample(4), 6) };
    const resized = photographs(2, 3).map((picture) => ({ ...picture, scale: 2 }));
    const hats = Array.from({ length: 79 }, (_, at) => [`hat ${at}`, `Hat-${at}`, `hÜT ${at}`, ` ${at}`][at % 4]!);
    const file = await folderOf('mixed', [...resized, turned, ...video()], { label: 'FACE', hats });
    write('mixed/more.png', photographs(6)[0]!.bytes);
    await compare(file, 6);
    // One part of a set: frames whose video is recorded, with areas of masks, and crowds.
    await folderOf('parts/train/instances_train.json', photographs(6));
    const ofVideo = (at: number): object => (at < 3 ? { video_id: 1, frame_id: at } : {});
    const options = { crowds: true, more: ofVideo };
    const val = await folderOf('parts/val/instances_val.json', [...video(), ...photographs(1, 5)], options);
    await compare(val, 5, [val], [val, '--split', 'val'], [join(folder, 'parts'), '--split', 'val']);
  });
});
