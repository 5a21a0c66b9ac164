import { copyFile, mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { compare } from './compare.ts';
import { evaluate } from './evaluate.ts';
import { UsageError } from '../record/usage-error.ts';

const { at, write, base } = cliFolder();

interface Printed {
  readonly images: number;
  readonly metrics: object;
  readonly total: { readonly truePositives: number; readonly falsePositives: number; readonly missed: number };
  readonly perLabel: readonly { readonly label: string; readonly truth: number }[];
}

async function run(argv: readonly string[]) {
  const [lines, said]: [Printed[], string[]] = [[], []];
  const terminal = { print: (value: object) => void lines.push(value as Printed), say: (text: string) => void said.push(text) }; // prettier-ignore
  const command = parseCommand(argv) as Extract<Command, { name: 'evaluate' | 'compare' }>;
  const code = await (command.name === 'evaluate' ? evaluate(command, terminal) : compare(command, terminal));
  return { code, printed: lines[0]!, said: said.join('\n') };
}

/** The white pixel of a.png lies at 6, 1, and that of b.png at 1, 3. The model finds a box of one pixel there. */
const ofSize = (scale: number, [image, x, y]: readonly [number, number, number], id: number) => ({
  id,
  image_id: image,
  category_id: 1,
  bbox: [(x - 1) * scale, (y - 1) * scale, scale, scale],
  area: scale * scale,
  iscrowd: 0,
});
const coco = (scale = 1, name = '0', more: object = {}) => ({
  images: ['a.png', 'b.png'].map((file_name, at) => ({ id: at + 1, file_name, width: 8 * scale, height: 4 * scale })),
  categories: [{ id: 1, name }],
  annotations: [ofSize(scale, [1, 6, 1], 1), ofSize(scale, [2, 1, 3], 2)],
  ...more,
});
/** Writes a COCO file with its pictures beside it. */
async function folderOf(folder: string, file: string, value: object): Promise<string> {
  await mkdir(at(folder), { recursive: true });
  for (const picture of ['a.png', 'b.png']) await copyFile(at(picture), at(`${folder}/${picture}`));
  return write(`${folder}/${file}`, JSON.stringify(value));
}
const [, ...service] = ['evaluate', 'bright', 'bright.onnx'];
const evaluated = (data: string, ...more: readonly string[]) =>
  run([...base('evaluate', service[0]!, service[1]!), '--data', data, ...more]);

describe('truth of a COCO file', () => {
  it('is scaled with pictures of another size, from the file as from its folder, and said', async () => {
    const file = await folderOf('halved', 'instances.json', coco(2));
    const [ofFile, ofFolder] = [await evaluated(file), await evaluated(at('halved'))];
    const { total } = (await evaluated(await folderOf('as-is', 'instances.json', coco()))).printed;
    expect(ofFile.printed.total).toEqual(total);
    expect(ofFolder.printed.total).toEqual(total);
    expect(ofFile.said).toContain('2 pictures are not of the stated size; their boxes are scaled with them: "a.png" has 8×4 px, and 16×8 px is stated.'); // prettier-ignore
  });

  it('has its crowds and areas of masks from the folder as from the file', async () => {
    const [first, second] = coco().annotations;
    const crowd = { ...second!, bbox: [0, 0, 8, 4], area: 32, iscrowd: 1 };
    const file = await folderOf('crowds', 'instances.json', coco(1, '0', { annotations: [{ ...first!, area: 5000 }, crowd] })); // prettier-ignore
    const [ofFile, ofFolder] = [await evaluated(file), await evaluated(at('crowds'))];
    const { data: _, ...figures } = ofFile.printed as Printed & { readonly data: string };
    expect(ofFolder.printed).toMatchObject(figures);
    // What is found in the crowd is not false, and the size is that of the mask.
    expect(figures.total).toMatchObject({ truePositives: 1, falsePositives: 0, missed: 0 });
    expect(figures.metrics).toMatchObject({ APs: null, APm: expect.closeTo(1) as number });
  });

  it('is of the part that its path names, and refuses a part that nothing names', async () => {
    const val = await folderOf('parts', 'instances_val.json', coco());
    expect((await evaluated(val, '--split', 'val')).printed.images).toBe(2);
    await expect(evaluated(val, '--split', 'test')).rejects.toThrow(
      'has no pictures of test: its pictures are of val.',
    );
    const all = await folderOf('whole', 'instances.json', coco());
    await expect(evaluated(all, '--split', 'val')).rejects.toThrow('nothing says which part they belong to');
  });

  it('says what is probably not meant: one picture twice, a name twice, a negative width', async () => {
    const value = coco();
    const file = await folderOf('odd', 'instances.json', {
      images: [...value.images, { id: 3, file_name: 'a.png', width: 8, height: 4 }],
      categories: [{ id: 1, name: '0' }, { id: 2, name: '0' }], // prettier-ignore
      annotations: [{ ...value.annotations[0]!, bbox: [6, 0, -1, 1] }, value.annotations[1]!],
    });
    const results = await write('results.json', '[]');
    const { said } = await run(['evaluate', '--data', file, '--detections', results]);
    expect(said).toContain('One picture has two ids: "a.png" is image 1 and image 3.');
    expect(said).toContain('Two categories have one name, "0" and "0".');
    expect(said).toContain('1 boxes have a negative width or height.');
    const own = await evaluated(file);
    expect(own.said).toContain('One picture has two ids');
    // The corners are swapped as an import swaps them.
    expect(own.printed.total.missed).toBe((await evaluated(await folderOf('as-is', 'instances.json', coco()))).printed.total.missed); // prettier-ignore
  });

  it('without an image is nothing to evaluate, with results as with a service', async () => {
    const file = await folderOf('empty', 'instances.json', { ...coco(), images: [], annotations: [] });
    const results = await write('results.json', '[]');
    await expect(run(['evaluate', '--data', file, '--detections', results])).rejects.toThrow('no frames to evaluate');
    await expect(evaluated(file)).rejects.toThrow('no frames to evaluate');
  });
});

describe('labels', () => {
  it('are compared without their case, floors among them', async () => {
    await write('names.txt', 'person\ndog\n');
    const file = await folderOf('case', 'instances.json', coco(1, 'Person'));
    const { code, printed, said } = await evaluated(
      file,
      '--labels',
      at('names.txt'),
      '--fail-under',
      'recall:PERSON=0.1',
    );
    expect(printed.perLabel).toMatchObject([{ label: 'person', truth: 2 }]);
    expect([code, said.includes('spelt alike')]).toEqual([0, false]);
  });
});

it('--split says nothing of result files', async () => {
  const [data, results] = [await folderOf('parts', 'instances_val.json', coco()), await write('results.json', '[]')];
  await expect(run(['compare', results, results, '--data', data, '--split', 'val'])).rejects.toThrow(UsageError);
});
