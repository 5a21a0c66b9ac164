import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { imagesSha256 } from '../../evidence/certificate/images-sha256.ts';
import { readImageDrift } from '../../evidence/certificate/image-drift.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { drift } from './drift.ts';

const { at, write } = cliFolder();
const count = 20;

interface Printed {
  readonly laterCount: number;
  readonly ownCount: number;
  readonly canTell: boolean;
  readonly shifted: readonly string[];
  readonly shifts: readonly {
    readonly feature: string;
    readonly isShift: boolean;
    readonly frames: readonly { readonly name: string }[];
  }[];
  readonly untested: readonly string[];
  readonly failed: readonly { readonly frame: string }[];
  readonly imagesSha256: string | null;
  readonly isSameCamera: boolean | null;
}

async function run(...argv: readonly string[]) {
  const lines: Printed[] = [];
  const said: string[] = [];
  const command = parseCommand(['drift', ...argv]) as Extract<Command, { name: 'drift' }>;
  const code = await drift(command, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Printed),
    say: (text) => void said.push(text),
  });
  return { code, printed: lines[0]!, said: said.join('\n') };
}

const shiftsOf = ({ shifts }: Printed) => shifts.filter(({ isShift }) => isShift).map(({ feature }) => feature);

/** Frames of one level of grey, each with a brightest pixel and a box of a label. */
async function storeFrames(folder: string, level: number, label: string, from = 0, more: readonly object[] = []): Promise<void> {
  await mkdir(at(folder));
  const frames = Array.from({ length: count }, (_, at) => from + at);
  for (const id of frames) {
    const samples = new Uint8ClampedArray(4 * 8 * 4).fill(level + ((7 * id) % 20));
    samples.fill(255, 4 * (id % 24), 4 * (id % 24) + 4);
    await writePngFile(at(`${folder}/${id}.png`), { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
  }
  const box = (id: number) => ({ bbox: [0, 0, 1 + (id % 4), 1], area: 1 + (id % 4) });
  const coco = {
    images: frames.map((id) => ({ id, file_name: `${id}.png`, width: 8, height: 4 })),
    categories: [
      { id: 1, name: 'cup' },
      { id: 2, name: 'fork' },
    ],
    annotations: [...frames.map((id) => ({ id, image_id: id, category_id: label === 'cup' ? 1 : 2, iscrowd: 0, ...box(id) })), ...more],
  };
  await write(`${folder}/coco.json`, JSON.stringify(coco));
  const results = frames.map((id) => ({ image_id: id, category_id: 1, bbox: box(id).bbox, score: level / 200 + id / 1000 }));
  await write(`${folder}/results.json`, JSON.stringify(results));
} // prettier-ignore

beforeAll(async () => {
  await storeFrames('may', 150, 'cup');
  // A crowd is no object: it shifts neither labels nor boxes.
  const crowds = Array.from({ length: count }, (_, at) => ({
    id: 100 + at,
    image_id: count + at,
    category_id: 2,
    bbox: [0, 0, 8, 4],
    iscrowd: 1,
  }));
  await storeFrames('june', 150, 'cup', count, crowds);
  await storeFrames('dark', 40, 'cup', count);
  await storeFrames('forks', 150, 'fork', count);
});

const may = (): readonly string[] => ['--reference', at('may/coco.json'), '--independent-frames'];
const service = (...more: readonly string[]): readonly string[] => ['--config', at('machine.json'), '--vision', 'picky', '--model', at('fixed.onnx'), '--labels', at('labels.txt'), ...more]; // prettier-ignore
const boxFeatures = ['boxes', 'area', 'score', 'labels'];

describe('drift', () => {
  it('finds no shift where nothing changed', async () => {
    const { code, printed, said } = await run(...may(), '--later', at('june/coco.json'));
    expect([code, printed.canTell, printed.shifted]).toEqual([0, true, []]);
    expect(printed.untested).toEqual(['score']);
    expect(said).toMatch(
      /No shift was found: 20 images against 20 of the reference\. Were the later images darker by \d+ % /,
    );
  });

  it('ranks what shifted, names the frames that drive it, and exits with 1', async () => {
    const dark = await run(...may(), '--later', at('dark/coco.json'));
    expect([dark.code, shiftsOf(dark.printed)]).toEqual([1, ['brightness', 'contrast', 'sharpness']]);
    const darkest = dark.printed.shifts[0]!.frames[0]!.name;
    expect(dark.said).toMatch(new RegExp(`^brightness \\(median \\d+ % instead of \\d+ %\\), adjusted p .*; frames: ${darkest}, `));
    const forks = await run(...may(), '--later', at('forks/coco.json'));
    expect(forks.printed.shifted).toEqual(['label mix (cup on 0 % of the images instead of 100 %)']);
    expect(forks.said).toContain('frames of the reference: ');
    const strict = await run(...may(), '--later', at('forks/coco.json'), '--level', '0.001');
    expect([strict.code, strict.printed.canTell]).toEqual([0, false]);
  }); // prettier-ignore

  it('keeps a reference without its pictures, and reads it again', async () => {
    const before = await run(...may(), '--later', at('dark/coco.json'), '--keep', at('may.json'));
    const after = await run('--reference', at('may.json'), '--later', at('dark/coco.json'), '--independent-frames');
    expect(after.printed.shifts).toEqual(before.printed.shifts);
    expect(after.printed.imagesSha256).toBe(before.printed.imagesSha256);
  });

  it('says which images the reference has, and that nothing records their camera', async () => {
    const { printed } = await run(...may(), '--later', at('june/coco.json'));
    const files = await Promise.all(
      Array.from({ length: count }, async (_, id) => {
        return { name: `${id}.png`, sizeBytes: (await readFile(at(`may/${id}.png`))).length };
      }),
    );
    expect(readImageDrift(printed)).toMatchObject({ imagesSha256: imagesSha256(files), isSameCamera: null });
  });

  it('leaves out later frames that are the reference’s own, whatever their names are', async () => {
    await expect(run(...may(), '--later', at('may/coco.json'))).rejects.toThrow('are frames of the reference itself');
    await mkdir(at('both'));
    for (let id = 0; id < count; id++) {
      await writeFile(at(`both/own-${id}.png`), await readFile(at(`may/${id}.png`)));
      await writeFile(at(`both/${id}.png`), await readFile(at(`dark/${count + id}.png`)));
    }
    const { printed, said } = await run(...may(), '--later', at('both'));
    expect([printed.laterCount, printed.ownCount, shiftsOf(printed)[0]]).toEqual([count, count, 'brightness']);
    expect(said).toContain('20 of the later frames are frames of the reference itself; they are left out.');
  });

  it('tells nothing where nothing says which frames depend on each other, unless somebody says that they do not', async () => {
    const argv = ['--reference', at('may/coco.json'), '--later', at('dark/coco.json')];
    const { code, printed, said } = await run(...argv);
    expect([code, printed.canTell, printed.shifted.length]).toEqual([0, false, 3]);
    expect(said).toContain('frames have no recorded sequence, or camera and time');
    const told = await run(...argv, '--independent-frames');
    expect([told.code, told.printed.canTell]).toEqual([1, true]);
    expect(told.said).not.toContain('frames have no recorded');
    // Where both sides record camera and time, nobody needs to say it.
    const sides: readonly [string, number][] = [
      ['may', 0],
      ['dark', count],
    ];
    for (const [folder, from] of sides) {
      await mkdir(at(`${folder}-export`));
      const lines = Array.from({ length: count }, async (_, minute) => {
        const name = `${from + minute}.png`;
        await writeFile(at(`${folder}-export/${name}`), await readFile(at(`${folder}/${name}`)));
        const timestamp = new Date(Date.UTC(2026, 4, 1, 8, minute)).toISOString();
        return JSON.stringify({ image_path: name, part_id: 'part', component_name: 'yard', timestamp });
      });
      await write(`${folder}-export/dataset.jsonl`, (await Promise.all(lines)).join('\n'));
    }
    const recorded = await run('--reference', at('may-export'), '--later', at('dark-export'));
    expect([recorded.code, recorded.printed.canTell, recorded.printed.isSameCamera]).toEqual([1, true, true]);
    expect(recorded.printed).toMatchObject({ laterUntil: '2026-05-01T08:19:00.000Z' });
  });

  it('compares pictures only where the reference was answered by something else', async () => {
    const later = ['--later', at('forks/coco.json')];
    await run(...may(), ...later, ...service('--keep', at('answered.json')));
    const reference = ['--reference', at('answered.json'), '--independent-frames', ...later];
    const same = await run(...reference, ...service());
    expect([same.printed.untested, shiftsOf(same.printed)]).toEqual([[], []]);
    const text = await readFile(at('machine.json'), 'utf8');
    await write(
      'stricter.json',
      text.replaceAll('"default_minimum_confidence":0.7', '"default_minimum_confidence":0.1'),
    );
    const other = await run(...reference, ...service().with(1, at('stricter.json')));
    for (const { printed, said } of [other, await run(...reference)]) {
      expect(printed.untested).toEqual(boxFeatures);
      expect(said).toContain('not of the same service and models');
    }
  });

  it('keeps no reference in place of another file', async () => {
    await write('precious.json', '{"images": []}');
    const argv = [...may(), '--later', at('june/coco.json'), '--keep'];
    await expect(run(...argv, at('precious.json'))).rejects.toThrow('--keep does not overwrite it');
    expect(await readFile(at('precious.json'), 'utf8')).toBe('{"images": []}');
    await run(...argv, at('again.json'));
    expect((await run(...argv, at('again.json'))).code).toBe(0);
  });

  it('compares what a service answers on both sides, through its camera', async () => {
    const { code, printed } = await run(...may(), '--later', at('forks/coco.json'), ...service());
    // The model says the same of every frame, whatever their labels are.
    expect([code, shiftsOf(printed), printed.untested]).toEqual([0, [], []]);
  });

  it('compares results in COCO’s format', async () => {
    const results = ['--reference-detections', at('may/results.json'), '--detections', at('dark/results.json')];
    const { printed } = await run(...may(), '--later', at('dark/coco.json'), ...results, '--threshold', '0.1');
    expect(shiftsOf(printed)).toContain('score');
    // At 0.5 the model finds nothing any more, which is the largest shift.
    const kept = await run(...may(), '--later', at('dark/coco.json'), ...results);
    expect(kept.printed.shifted).toContain('boxes per image (median 0 instead of 1)');
    const mixed = await run(...may(), '--later', at('june/coco.json'), '--detections', at('june/results.json'));
    expect([shiftsOf(mixed.printed), mixed.printed.untested]).toEqual([[], boxFeatures]);
    expect(mixed.said).toContain('a model’s on one side and labels on the other: only the pictures are compared');
  });

  it('takes a folder of pictures without labels, and names a picture that fails', async () => {
    await mkdir(at('plain'));
    for (let id = count; id < 2 * count; id++)
      await writeFile(at(`plain/${id}.png`), await readFile(at(`dark/${id}.png`)));
    const { code, printed, said } = await run(...may(), '--later', at('plain'));
    expect([code, printed.laterCount, printed.shifts.map(({ feature }) => feature).sort()]).toEqual([
      1,
      count,
      ['brightness', 'contrast', 'sharpness'],
    ]);
    expect(said).toContain('no labels were found beside the pictures');
    await writeFile(at('plain/broken.png'), 'no picture');
    const broken = await run(...may(), '--later', at('plain'));
    expect(broken.printed.failed).toMatchObject([{ frame: 'broken.png' }]);
  });

  it('says where so few frames tell nothing', async () => {
    await mkdir(at('two'));
    for (const id of [20, 21]) await writeFile(at(`two/${id}.png`), await readFile(at(`dark/${id}.png`)));
    const { code, printed, said } = await run(...may(), '--later', at('two'), '--level', '0.01');
    expect([code, printed.canTell]).toEqual([0, false]);
    expect(said).toContain('So few (2 against 20) cannot tell');
  });

  it.each([
    [['--later', 'b'], 'wants --reference'],
    [['--reference', 'a'], 'wants --later'],
    [['--reference', 'a', '--later', 'b', 'c'], 'takes options only'],
    [['--reference', 'a', '--later', 'b', '--level', '0'], '--level wants'],
    [['--reference', 'a', '--later', 'b', '--vision', 'v'], '--config'],
    [['--reference', 'a', '--later', 'b', '--config', 'm', '--detections', 'r'], 'leave one out'],
  ])('refuses %j', (argv, words) => {
    expect(() => parseCommand(['drift', ...argv])).toThrow(words);
  });

  it('names what is no reference, and no COCO file', async () => {
    await write('old.json', '{"format": "sightglass-drift-reference", "version": 9}');
    await expect(run('--reference', at('old.json'), '--later', at('june'))).rejects.toThrow('version 9');
    const results = ['--detections', at('june/results.json')];
    await expect(run(...may(), '--later', at('june'), ...results)).rejects.toThrow('number the images of a COCO file');
  });
});
