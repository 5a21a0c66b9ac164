import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colourClassifier, colourPicture, red } from '../../../tests/fit/colour-classifier.ts';
import { randomPart } from '../../../tests/fit/recipe-trials.ts';
import { seeingYoloV8 } from '../../../tests/fit/seeing-models.ts';
import { seenByRecipe } from '../../models/fit/feeding/recipe-runs.ts';
import type { FeedingRecipe } from '../../models/fit/feeding/recipe.ts';
import { feedingTrial } from '../../models/fit/feeding-trial.ts';
import { decodedRows } from '../../models/fit/interpretations/decoded-rows.ts';
import { plainService } from '../../models/fit/solver/try-feedings.ts';
import { readFrameFile, writePngFile } from '../../platform/node/frame-file.ts';
import { openSession } from '../../platform/node/open-session.ts';
import { buildVisionService } from '../../machine/vision/vision-service.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { feeding } from './feeding.ts';
import { ports } from './try-answers.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

async function run(...argv: string[]): Promise<{ code: number; line: Record<string, unknown>; said: string }> {
  let line: unknown;
  const said: string[] = [];
  const command = parseCommand(['feeding', ...argv]) as Extract<Command, { name: 'feeding' }>;
  const code = await feeding(command, { print: (value) => (line = value), say: (text) => void said.push(text) });
  return { code, line: line as Record<string, unknown>, said: said.join('\n') };
}

const recipe: FeedingRecipe = {
  resampler: 'opencv linear',
  placing: { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'after', border: 114 },
  bgr: true,
  meanValue: [0, 0, 0],
  stdDev: [1, 1, 1],
};
/** What the detector says of the picture, fed so, as options of the command. */
let expected: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-feeding-'));
  const source = seeingYoloV8(2);
  await writeFile(at('model.onnx'), source);
  const frame = randomPart([await readFrameFile('assets/photographs/sample1.jpg')], () => 0.3);
  const wide = { ...frame, widthPx: 123, heightPx: 61, samples: frame.samples.slice(0, 4 * 123 * 61) } as typeof frame;
  await writePngFile(at('picture.png'), wide);
  const session = await openSession(feedingTrial(source, {}).model);
  const { input } = buildVisionService(plainService, { session, labels: null });
  const model = { session, input, reader: { kind: 'detections', read: decodedRows } } as const;
  const rows = (await seenByRecipe(model, recipe, wide, ports)).rows!;
  expected = [0, 1, 2].flatMap((row) => {
    const box = Array.from(rows.box.subarray(4 * row, 4 * row + 4), (side, of) => (side * (of % 2 === 0 ? 123 : 61)).toFixed(2)); // prettier-ignore
    return ['--frame', at('picture.png'), '--answer', `${rows.category[row]}@${box.join(',')}=${rows.score[row]!.toFixed(4)}`]; // prettier-ignore
  });
  await session.release();
});
afterAll(() => rm(folder, { recursive: true }));

describe('sightglass feeding', () => {
  it('finds the recipe of a picture, and says what the machine loses against it and what the border wins back', async () => {
    const { code, line, said } = await run(at('model.onnx'), ...expected);
    expect(said).toMatch(/model\.onnx was fed so: OpenCV linear; letterbox in the middle, border 114; BGR, values from 0 to 1\. It gives every expected number\./); // prettier-ignore
    expect(code).toBe(0);
    expect(line).toMatchObject({
      verdict: 'reproduced',
      recipe: { ...recipe, miss: 0 },
      next: { miss: expect.any(Number) },
      feedings: [
        { kind: 'as it is', againstRecipe: { boxes: expect.anything() }, againstMachine: null },
        { kind: 'padding', step: null, options: { letterbox: 'pad' }, againstMachine: { AP50: { figure: 'AP50' } } },
      ],
    });
    expect(said).toMatch(/The machine’s own feeding: stretched: AP50 .* against the recipe/);
    expect(said).toMatch(/The border, written into the model’s graph: AP50 .* against the machine’s own feeding/);
  });

  it('measures the pictures of a dataset that can be read, and says which cannot', async () => {
    await mkdir(at('data'));
    await copyFile(at('picture.png'), at('data/a.png'));
    await writeFile(at('data/b.png'), (await readFile(at('picture.png'))).subarray(0, 60));
    const annotations = expected
      .filter((text) => text.includes('@'))
      .flatMap((text, row) => {
        const [category, xMin, yMin, xMax, yMax] = text.split(/[@,=]/).map(Number) as [number, number, number, number, number]; // prettier-ignore
        const bbox = [xMin, yMin, xMax - xMin, yMax - yMin];
        return [1, 2].map((image) => ({ id: 10 * row + image, image_id: image, category_id: category + 1, bbox, area: 9, iscrowd: 0 })); // prettier-ignore
      });
    const images = ['a.png', 'b.png'].map((name, row) => ({ id: row + 1, file_name: name, width: 123, height: 61 }));
    const categories = [1, 2].map((id) => ({ id, name: String(id - 1) }));
    await writeFile(at('data/truth.json'), JSON.stringify({ images, annotations, categories }));
    const { line, said } = await run(at('model.onnx'), '--data', at('data/truth.json'));
    expect(line['pictures']).toBe(1);
    expect(said).toMatch(/"b\.png" is left out: /);
  });

  it('fails where the model knows the answer by no recipe', async () => {
    await writeFile(at('colours.onnx'), colourClassifier());
    await writeFile(at('red.png'), colourPicture(red));
    const contradicting = ['red', 'grey', 'blue'].flatMap((answer) => ['--frame', at(`${answer}.png`), '--answer', answer]); // prettier-ignore
    for (const name of ['grey.png', 'blue.png']) await writeFile(at(name), colourPicture(red));
    const { code, said } = await run(at('colours.onnx'), ...contradicting);
    expect(code).toBe(1);
    expect(said).toMatch(/is not sure of what is expected, fed by any recipe/);
  });

  it('wants one answer for a picture of a classifier', async () => {
    const twice = ['red', 'blue'].flatMap((answer) => ['--frame', at('red.png'), '--answer', answer]);
    await expect(run(at('colours.onnx'), ...twice)).rejects.toThrow(/one answer a picture, got 2/);
  });

  it('says of a classifier what a picture of one colour leaves open', async () => {
    const { code, line, said } = await run(at('colours.onnx'), '--frame', at('red.png'), '--answer', 'red');
    expect(code).toBe(0);
    expect(line).toMatchObject({ verdict: 'near', recipe: { bgr: true, meanValue: [0, 0, 0] }, feedings: null });
    expect(said).toMatch(/Cannot tell these apart: OpenCV linear; .* more\./);
  });
});

describe('its arguments', () => {
  it.each([
    ['neither pictures nor data', ['a.onnx'], /give one of them/],
    ['both', ['a.onnx', '--data', 'd', '--frame', 'f', '--answer', 'cat'], /give one of them/],
    ['a picture without an answer', ['a.onnx', '--frame', 'f'], /one --frame for each --answer/],
    ['a score that is none', ['a.onnx', '--frame', 'f', '--answer', 'cat=7'], /score from 0 to 1/],
  ])('%s', (_, argv, message) => {
    expect(() => parseCommand(['feeding', ...argv])).toThrow(message);
  });

  it('keeps all boxes of one picture together, with the digits that are told', () => {
    const answers = ['cat@1.5,2,3,4=0.87', 'dog'].flatMap((answer) => ['--frame', 'f.png', '--answer', answer]);
    expect(parseCommand(['feeding', 'a.onnx', ...answers])).toMatchObject({
      from: {
        pictures: [
          {
            path: 'f.png',
            things: [
              {
                label: 'cat',
                boxPx: [1.5, 2, 3, 4],
                score: 0.87,
                within: { boxPx: expect.closeTo(0.051), score: expect.closeTo(0.0051) },
              },
              { label: 'dog', boxPx: null, score: null },
            ],
          },
        ],
      },
    });
  });
});
