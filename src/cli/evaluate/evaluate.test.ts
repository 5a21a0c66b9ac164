import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import answers from '../../../tests/coco-golden/answers.json' with { type: 'json' };
import { seededSet } from '../../../tests/coco-golden/seeded-sets.ts';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { evaluate } from './evaluate.ts';
import { UsageError } from '../record/usage-error.ts';

const { at, write, base } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await evaluate(parseCommand(['evaluate', ...argv]) as Extract<Command, { name: 'evaluate' }>, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text) => void said.push(text),
  });
  return { code, lines, said };
}

async function withSeed(seed: number): Promise<string[]> {
  const { truth, results } = seededSet(seed);
  const [data, detections] = [
    await write('coco.json', JSON.stringify(truth)),
    await write('results.json', JSON.stringify(results)),
  ];
  return ['--data', data, '--detections', detections];
}

describe('evaluate of results', () => {
  it('prints one object with the figures of pycocotools, unrounded', async () => {
    const { code, lines } = await run(await withSeed(2));
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const { metrics, perLabel, images, detections } = lines[0] as never as {
      metrics: Record<string, number | null>;
      perLabel: Record<string, unknown>[];
      images: number;
      detections: number;
    };
    const { figures } = answers.sets[2];
    for (const [place, figure] of answers.figures.entries()) expect(metrics[figure]).toBeCloseTo(figures[place]!, 12);
    const { truth, results } = seededSet(2);
    expect({ images, detections }).toEqual({ images: truth.images.length, detections: results.length });
    expect(Object.keys(perLabel[0]!)).toEqual(
      expect.arrayContaining(['label', 'truth', 'AP', 'AP50', 'precision', 'recall', 'f1', 'threshold']),
    );
    expect(perLabel[0]!['threshold']).toBe(0.5);
  });

  it('exits with 1 when a figure is below its floor, and says which', async () => {
    const given = await withSeed(2);
    expect(await run([...given, '--fail-under', 'mAP50=0.3,recall=0'])).toMatchObject({ code: 0 });
    const { code, lines, said } = await run([...given, '--fail-under', 'mAP50=0.4,precision:label 3=1']);
    expect(code).toBe(1);
    expect(lines[0]!['missed']).toMatchObject([
      { figure: 'AP50', atLeast: 0.4 },
      { figure: 'precision:label 3', atLeast: 1 },
    ]);
    expect(said.join('\n')).toContain('AP50 is 0.306');
  });

  it('refuses a floor that nothing can meet: an unknown figure or label, a number out of range', async () => {
    const given = await withSeed(2);
    await expect(run([...given, '--fail-under', 'speed=0.5'])).rejects.toThrow(UsageError);
    await expect(run([...given, '--fail-under', 'accuracy=0.5'])).rejects.toThrow('only a classifier has');
    await expect(run([...given, '--fail-under', 'AP=50'])).rejects.toThrow('a number from 0 to 1');
    await expect(run([...given, '--fail-under', 'f1:cat=0.5'])).rejects.toThrow('"label 0"');
  });

  it('promises recall as a mean over images and of all objects together, and says which is which', async () => {
    // 60 images with one object each that is found, and one crowd of 20 of which only half is.
    const boxes = Array.from({ length: 80 }, (_, at) => ({
      image: at < 60 ? at + 1 : 61,
      bbox: [10 * (at % 20), 0, 8, 8],
    }));
    const data = await write(
      'crowd.json',
      JSON.stringify({
        images: Array.from({ length: 61 }, (_, at) => ({ id: at + 1, file_name: `${at}.png`, width: 200, height: 50 })),
        categories: [{ id: 1, name: 'Cup' }],
        annotations: boxes.map(({ image, bbox }, at) => ({ id: at + 1, image_id: image, category_id: 1, bbox, area: 64, iscrowd: 0 })), // prettier-ignore
      }),
    );
    const found = boxes.filter((_, at) => at < 70);
    const detections = await write(
      'found.json',
      JSON.stringify(found.map(({ image, bbox }, at) => ({ image_id: image, category_id: 1, bbox, score: 0.9 - at / 1000 }))), // prettier-ignore
    );
    const given = ['--data', data, '--detections', detections];
    const { code, lines, said } = await run([...given, '--promise', 'recall:cup=0.9', '--broken-at-most', '0.2']);
    expect(code).toBe(0);
    const [promise] = lines[0]!['promises'] as Record<string, Record<string, unknown>>[];
    expect(promise).toMatchObject({ label: 'cup', recall: 0.9, brokenAtMost: 0.2 });
    expect(promise!['meanOverImages']!['threshold']).toBeGreaterThan(0);
    expect(promise!['ofAllObjects']).toMatchObject({ threshold: null, refused: { reason: 'too-few', evenUnits: 13 } });
    expect(said.join('\n')).toMatch(/At [\d.]+, at least 90 % of each image’s cup objects is found on average/);
    expect(said.join('\n')).toContain('That at least 90 % of all cup objects together is found cannot be promised.');
    expect(said.join('\n')).toContain('Intervals are based on');
    for (const [asked, why] of [
      ['recall:cup=1', 'below 1'],
      ['cup=0.9', 'recall:LABEL=NUMBER'],
    ] as const)
      await expect(run([...given, '--promise', asked])).rejects.toThrow(why);
    await expect(run([...given, '--promise', 'recall:plate=0.9'])).rejects.toThrow('No truth of "plate"');
    await expect(run([...given, '--broken-at-most', '0.2'])).rejects.toThrow('goes with --promise');
  });

  it('says how much of the truth has labels that the model does not report', async () => {
    const box = { image_id: 1, bbox: [0, 0, 8, 8], area: 64, iscrowd: 0 };
    const data = await write(
      'unknown.json',
      JSON.stringify({
        images: [{ id: 1, file_name: 'a.png', width: 50, height: 50 }],
        categories: [{ id: 1, name: 'cup' }, { id: 2, name: 'fork' }],
        annotations: [1, 2, 2].map((category_id, at) => ({ ...box, id: at + 1, category_id })),
      }),
    ); // prettier-ignore
    const cups = await write('cups.json', JSON.stringify([{ ...box, category_id: 1, score: 0.9 }]));
    const { lines, said } = await run(['--data', data, '--detections', cups]);
    expect(lines[0]!['unknownTruth']).toEqual({ boxes: 2, of: 3, labels: ['fork'] });
    expect(said).toContain('2 of 3 truth boxes (67 %) have labels that the model does not report: fork. None of them can be found, and each such label counts as 0 in the mean AP.'); // prettier-ignore
    const both = await write('both.json', JSON.stringify([1, 2].map((category_id) => ({ ...box, category_id, score: 0.9 })))); // prettier-ignore
    expect((await run(['--data', data, '--detections', both])).lines[0]!['unknownTruth']).toBeNull();
  });

  it('takes no undefined figure for one that is good enough', async () => {
    const given = await withSeed(1);
    const { code, lines } = await run([...given, '--fail-under', 'APs=0']);
    expect(code).toBe(1);
    expect(lines[0]!['missed']).toEqual([{ figure: 'APs', value: null, atLeast: 0 }]);
  });

  it('says what is wrong with a file', async () => {
    const [, data, , detections] = await withSeed(1);
    const broken = await write('broken.json', '{"images": [');
    await expect(run(['--data', broken, '--detections', detections!])).rejects.toThrow('not valid JSON');
    const other = await write('other.json', '[{"image_id": 99, "category_id": 0, "bbox": [0, 0, 1, 1], "score": 1}]');
    await expect(run(['--data', data!, '--detections', other])).rejects.toThrow('another dataset');
    await expect(run(['--data', at('nowhere.json'), '--detections', other])).rejects.toThrow('no such file');
  });
});

describe('evaluate of a vision service', () => {
  /** The white pixel of a.png and b.png, which the model finds, as truth; and a box on the dark left of a.png. */
  const truth = {
    images: [
      { id: 1, file_name: 'a.png', width: 8, height: 4 },
      { id: 2, file_name: 'b.png', width: 8, height: 4 },
    ],
    categories: [{ id: 7, name: '0' }],
    annotations: [
      { id: 1, image_id: 1, category_id: 7, bbox: [5, 0, 1, 1], area: 1, iscrowd: 0 },
      { id: 2, image_id: 2, category_id: 7, bbox: [0, 2, 1, 1], area: 1, iscrowd: 0 },
      { id: 3, image_id: 1, category_id: 7, bbox: [0, 0, 2, 2], area: 4, iscrowd: 0 },
    ],
  };
  const service = async (data: object): Promise<string[]> => {
    const [, ...options] = base('evaluate', 'bright', 'bright.onnx');
    return [...options, '--data', await write('truth.json', JSON.stringify(data))];
  };

  it('runs it over the pictures of the truth, through the ordinary path', async () => {
    const { code, lines } = await run(await service(truth));
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      {
        images: 2,
        truth: 3,
        detections: 2,
        total: { truePositives: 2, falsePositives: 0, missed: 1 },
        perLabel: [{ label: '0', truth: 3, precision: 1, threshold: 0 }],
        failed: [],
      },
    ]);
  });

  it('asks of a camera that crops only what it shows', async () => {
    const { lines } = await run([...(await service(truth)), '--camera', 'right-half']);
    // Of a.png one box is left, and its result lies on it; b.png's lies in the half that is cut away, and so does the dark box.
    expect(lines).toMatchObject([{ images: 2, truth: 1, cutAway: 2 }]);
  });

  it('leaves a frame that fails out of every figure, tells it, and exits with 1', async () => {
    await write('broken.png', 'no picture');
    const broken = { id: 3, file_name: 'broken.png', width: 8, height: 4 };
    const box = { id: 4, image_id: 3, category_id: 7, bbox: [0, 0, 2, 2], area: 4, iscrowd: 0 };
    const data = { ...truth, images: [...truth.images, broken], annotations: [...truth.annotations, box] };
    const { code, lines } = await run(await service(data));
    expect(code).toBe(1);
    expect(lines).toMatchObject([{ images: 2, truth: 3, failed: [{ frame: 'broken.png' }] }]);
  });

  it('reads other formats as the data area imports them', async () => {
    await mkdir(at('yolo/images/val'), { recursive: true });
    await mkdir(at('yolo/labels/val'), { recursive: true });
    await copyFile(at('a.png'), at('yolo/images/val/a.png'));
    await write('yolo/labels/val/a.txt', '0 0.6875 0.125 0.125 0.25\n');
    const data = await write('yolo/data.yaml', "val: images/val\nnames: ['0']\n");
    const [, ...options] = base('evaluate', 'bright', 'bright.onnx');
    const { lines } = await run([...options, '--data', data, '--split', 'val']);
    expect(lines).toMatchObject([{ images: 1, truth: 1, total: { truePositives: 1, missed: 0 } }]);
    expect((await run([...options, '--data', at('yolo')])).lines).toMatchObject([{ images: 1 }]);
  });

  it('takes the pictures of one video for one unit', async () => {
    const whitePixels = { 'a.png': [5, 0], 'b.png': [0, 2] } as const;
    const boxAt = ([x, y]: readonly [number, number]) => ({
      annotation_label: '0',
      x_min_normalized: x / 8,
      y_min_normalized: y / 4,
      x_max_normalized: (x + 1) / 8,
      y_max_normalized: (y + 1) / 4,
    });
    await mkdir(at('walk'), { recursive: true });
    const lines = await Promise.all(
      Object.entries(whitePixels).map(async ([image_path, pixel]) => {
        await copyFile(at(image_path), at(`walk/${image_path}`));
        const classification_annotations = [{ annotation_label: 'sequence:walk' }];
        return JSON.stringify({ image_path, classification_annotations, bounding_box_annotations: [boxAt(pixel)] });
      }),
    );
    await write('walk/data.jsonl', lines.join('\n'));
    const [, ...options] = base('evaluate', 'bright', 'bright.onnx');
    await run([...options, '--data', at('walk/data.jsonl'), '--report', at('walk.json')]);
    const { choices } = JSON.parse(await readFile(at('walk.json'), 'utf8')) as { choices: { units: number }[] };
    expect(choices.map(({ units }) => units)).toEqual([1]);
  });

  it('writes the report as its name ends', async () => {
    const given = await service(truth);
    for (const [name, holds] of [
      ['out.html', /<!doctype html>.*Vision service.*bright.*SHA-256 [0-9a-f]{64}.*default_minimum_confidence/s],
      ['out.json', /"choices"/],
      ['out.csv', /^label,truth/],
    ] as const) {
      expect((await run([...given, '--report', at(name)])).code).toBe(0);
      expect(await readFile(at(name), 'utf8')).toMatch(holds);
    }
    await expect(run([...given, '--report', at('out.pdf')])).rejects.toThrow('.html, .json or .csv');
  });

  it('leaves secrets of the configuration out of its report', async () => {
    const given = await service(truth);
    const config = given[given.indexOf('--config') + 1]!;
    const secret = '{ "env": { "API_KEY": "do-not-tell" },';
    await write('machine.json', (await readFile(config, 'utf8')).replace('{', secret));
    const told = given.map((word) => (word === config ? at('machine.json') : word));
    expect((await run([...told, '--report', at('out.html')])).code).toBe(0);
    const html = await readFile(at('out.html'), 'utf8');
    expect([html.includes('API_KEY'), html.includes('do-not-tell')]).toEqual([true, false]);
  });

  it('refuses what does not go together', async () => {
    const given = await service(truth);
    await expect(run([...given, '--detections', at('x.json')])).rejects.toThrow('leave one out');
    await expect(run([...given, '--threshold', '0.5'])).rejects.toThrow('thresholds of its configuration');
  });
});
