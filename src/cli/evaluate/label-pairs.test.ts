import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { readCertificate } from '../../evidence/certificate/read-certificate.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import { checkCertificateFile } from './check-certificate.ts';
import { compare } from './compare.ts';
import { evaluate } from './evaluate.ts';

const { at, write, base } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const terminal = {
    print: (value: object) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text: string) => void said.push(text),
  };
  const command = parseCommand(argv);
  let code: number;
  if (command.name === 'evaluate') code = await evaluate(command, terminal);
  else if (command.name === 'compare') code = await compare(command, terminal);
  else if (command.name === 'check' && 'certificatePath' in command)
    code = await checkCertificateFile(command, terminal);
  else throw new Error(`No command of these tests: ${command.name}.`);
  return { code, printed: lines[0]!, said: said.join('\n') };
}

/** The white pixels of a.png and b.png as a couch and a settee, which the model calls "sofa". */
const truth = (labels: readonly [string, string] = ['couch', 'settee']) => ({
  images: [
    { id: 1, file_name: 'a.png', width: 8, height: 4 },
    { id: 2, file_name: 'b.png', width: 8, height: 4 },
  ],
  categories: labels.map((name, id) => ({ id, name })),
  annotations: [
    { id: 1, image_id: 1, category_id: 0, bbox: [5, 0, 1, 1], area: 1, iscrowd: 0 },
    { id: 2, image_id: 2, category_id: 1, bbox: [0, 2, 1, 1], area: 1, iscrowd: 0 },
  ],
});
let service: readonly string[];
beforeAll(async () => {
  await write('names.txt', 'sofa\nchair\n');
  await write('truth.json', JSON.stringify(truth()));
  service = [...base('evaluate', 'bright', 'bright.onnx'), '--labels', at('names.txt'), '--data', at('truth.json')];
});
afterEach(() => rm(at('label-scheme.json'), { force: true }));
const total = ({ printed }: Awaited<ReturnType<typeof run>>) => printed['total'] as Record<string, number>;

describe('labels that the model calls otherwise', () => {
  it('are offered where they differ in wording only, and count apart until then', async () => {
    const before = await run(service);
    expect(total(before)).toMatchObject({ truePositives: 0, missed: 2 });
    expect(before.printed).not.toHaveProperty('labelPairs');
    expect(before.said).toContain('2 names differ in wording only');
    expect(before.said).toContain('--map "couch=sofa" --map "settee=sofa"');

    const after = await run([...service, '--map', 'COUCH=sofa', '--map', 'settee=sofa']);
    expect(total(after)).toMatchObject({ truePositives: 2, missed: 0 });
    expect(after.printed).toMatchObject({
      labelPairs: [
        { label: 'COUCH', modelLabel: 'sofa' },
        { label: 'settee', modelLabel: 'sofa' },
      ],
      perLabel: [{ label: 'sofa', truth: 2 }],
      unknownTruth: null,
    });
    expect(after.said).toContain('“COUCH” counts as “sofa”, “settee” counts as “sofa”');
    expect(after.said).not.toContain('differ');
  });

  it('stand in each report, beside the label of the model that a threshold is for', async () => {
    const given = [...service, '--map', 'couch=sofa', '--map', 'settee=sofa', '--report'];
    await run([...given, at('out.csv')]);
    const [header, row] = (await readFile(at('out.csv'), 'utf8')).split('\r\n').map((line) => line.split(','));
    expect([header!.at(-1), row![0], row!.at(-1)]).toEqual(['dataLabels', 'sofa', 'couch; settee']);
    await run([...given, at('out.json')]);
    const json = JSON.parse(await readFile(at('out.json'), 'utf8')) as Record<string, unknown>;
    expect(json['labelPairs']).toHaveLength(2);
    await run([...given, at('out.html')]);
    expect(await readFile(at('out.html'), 'utf8')).toContain('“couch” counts as “sofa”');
  });

  it('are read of a scheme, and of the one that lies with the data, after what the command says', async () => {
    const pairs = [
      { label: 'couch', modelLabel: 'divan' },
      { label: 'couch', modelLabel: 'chair' },
      { label: 'settee', modelLabel: 'sofa' },
    ];
    await write('label-scheme.json', JSON.stringify({ labels: [], pairs }));
    const own = await run(service);
    expect(own.printed['labelPairs']).toEqual(pairs.slice(1));
    expect(total(own)).toMatchObject({ truePositives: 1, missed: 1 });
    const other = await write('other.json', JSON.stringify({ labels: [], pairs: [{ label: 'couch', modelLabel: 'sofa' }] })); // prettier-ignore
    expect(total(await run([...service, '--map', other]))).toMatchObject({ truePositives: 2 });
    await write('label-scheme.json', '{');
    await expect(run(service)).rejects.toThrow(/label-scheme\.json" is not a label scheme\. It is not valid JSON/);
  });

  it('may lie in a folder of another format', async () => {
    await mkdir(at('yolo/images'), { recursive: true });
    await mkdir(at('yolo/labels'), { recursive: true });
    await copyFile(at('a.png'), at('yolo/images/a.png'));
    await write('yolo/labels/a.txt', '0 0.6875 0.125 0.125 0.25\n');
    await write('yolo/data.yaml', "train: images\nnames: ['couch']\n");
    await write('yolo/label-scheme.json', JSON.stringify({ labels: [], pairs: [{ label: 'couch', modelLabel: 'sofa' }] })); // prettier-ignore
    const inFolder = [...service.slice(0, -1), at('yolo')];
    expect(total(await run(inFolder))).toMatchObject({ truePositives: 1, missed: 0 });
    await rm(at('yolo/label-scheme.json'));
    expect(total(await run(inFolder))).toMatchObject({ truePositives: 0, missed: 1 });
  });

  it('say what they do not change', async () => {
    const { said, printed } = await run([...service, '--map', 'couch=sofaa', '--map', 'stool=chair']);
    expect(said).toContain('the model has no label "sofaa"');
    expect(said).toContain('the data has no label "stool"');
    expect(printed['labelPairs']).toEqual([{ label: 'stool', modelLabel: 'chair' }]);
  });

  it.each([
    [['couch=sofa', 'Couch=chair'], '“couch” counts as “sofa” already'],
    [['couch='], 'A name is empty'],
    [['=sofa'], 'A name is empty'],
    [['Sofa=sofa'], 'compared without case'],
    [['couch'], '--map wants LABEL=NAME'],
    [['a=b=c'], '--map wants LABEL=NAME'],
  ])('are refused as %j', (texts, words) =>
    expect(() => parseCommand([...service, ...texts.flatMap((text) => ['--map', text])])).toThrow(words),
  );

  it('are not those of result files, which name the labels of their truth', () => {
    const files = ['--data', at('truth.json'), '--map', 'couch=sofa'];
    expect(() => parseCommand(['evaluate', '--detections', 'r.json', ...files])).toThrow('--map says nothing');
    expect(() => parseCommand(['compare', ...files, 'a.json', 'b.json'])).toThrow('--map does not apply');
  });

  it('count for both sides of a comparison', async () => {
    const [, , , ...rest] = service;
    const { printed } = await run(['compare', ...rest, '--map', 'couch=sofa', at('machine.json'), at('machine.json')]);
    expect(printed).toMatchObject({ labelPairs: [{ label: 'couch', modelLabel: 'sofa' }], first: { truth: 2 } });
  });

  it('are those by which a certificate is checked again', async () => {
    const certified = async (...more: readonly string[]) => {
      const claim = ['--claim', 'recall:sofa=0.01', '--confidence', '0.51', '--independent-frames'];
      return run([...service, ...more, '--certificate', at('made.json'), ...claim]);
    };
    await certified('--map', 'couch=sofa');
    const { evidence } = readCertificate(await readFile(at('made.json'), 'utf8'));
    expect(evidence.labelPairs).toEqual([{ label: 'couch', modelLabel: 'sofa' }]);
    const again = ['check', at('made.json'), '--config', at('machine.json'), '--data', at('truth.json')];
    const given = ['--model', at('bright.onnx'), '--labels', at('names.txt')];
    // What lies with the data now is not what it was made by.
    await write('label-scheme.json', JSON.stringify({ labels: [], pairs: [{ label: 'settee', modelLabel: 'sofa' }] }));
    const { printed, said } = await run([...again, ...given]);
    expect(printed['void']).toBe(false);
    expect(said).toContain('the same images give the same counts again');
    expect(said).toContain('of the labels of the dataset, “couch” counts as “sofa”');
  });
});
