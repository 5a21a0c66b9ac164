import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { evaluate } from './evaluate.ts';

const { at, base } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await evaluate(parseCommand(['evaluate', ...argv]) as Extract<Command, { name: 'evaluate' }>, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text) => void said.push(text),
  });
  return { code, lines, said };
}

/** The model says of every picture which colour it has most of: blue, class 2. */
let given: string[] = [];
beforeAll(async () => {
  for (const [label, picture] of [
    ['2', 'a'],
    ['2', 'b'],
    ['0', 'a'],
    ['cow', 'b'],
  ] as const) {
    await mkdir(at(`classes/${label}`), { recursive: true });
    await copyFile(at('a.png'), at(`classes/${label}/${picture}.png`));
  }
  const [, ...options] = base('evaluate', 'means', 'means.onnx');
  given = [...options, '--data', at('classes')];
});

it('says how often a classifier is right, of pictures whose label it can report', async () => {
  const { code, lines } = await run(given);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    {
      images: 3,
      leftOut: 1,
      metrics: { accuracy: 2 / 3, top3: 1, top5: 1 },
      perLabel: [
        { label: '0', truth: 1, precision: null, recall: 0 },
        { label: '2', truth: 2, precision: 2 / 3, recall: 1 },
      ],
      failed: [],
    },
  ]);
});

it('takes the tags of a machine’s own data for labels of pictures', async () => {
  const line = { image_path: 'a.png', classification_annotations: [{ annotation_label: '2' }] };
  await mkdir(at('own'), { recursive: true });
  await copyFile(at('a.png'), at('own/a.png'));
  await writeFile(at('own/data.jsonl'), JSON.stringify(line));
  const [, ...options] = base('evaluate', 'means', 'means.onnx');
  const { lines } = await run([...options, '--data', at('own/data.jsonl')]);
  expect(lines).toMatchObject([{ images: 1, metrics: { accuracy: 1 } }]);
});

it('exits with 1 where it is right less often than is wanted, and refuses figures that only boxes have', async () => {
  expect(await run([...given, '--fail-under', 'accuracy=0.6,recall:2=1'])).toMatchObject({ code: 0 });
  const { code, said } = await run([...given, '--fail-under', 'accuracy=0.9,recall:0=0.5']);
  expect(code).toBe(1);
  expect(said.join('\n')).toContain('recall:0 is 0, and is wanted to be at least 0.5.');
  await expect(run([...given, '--fail-under', 'mAP50=0.5'])).rejects.toThrow('AP50, which a classifier lacks');
  await expect(run([...given, '--fail-under', 'recall:cow=0.5'])).rejects.toThrow('"cow", which the data lacks');
});

it('writes its figures as JSON, as CSV and as a page that loads nothing', async () => {
  await run([...given, '--report', at('classes.csv')]);
  expect(await readFile(at('classes.csv'), 'utf8')).toBe(
    `label,truth,precision,recall,f1\r\n0,1,,0,0\r\n2,2,${2 / 3},1,0.8\r\n`,
  );
  await run([...given, '--report', at('classes.json')]);
  expect(JSON.parse(await readFile(at('classes.json'), 'utf8'))).toMatchObject({
    title: 'Evaluation of means',
    facts: { 'Vision service': 'means' },
    images: 3,
    calibration: [{ count: 3, right: { value: 2 / 3 } }],
  });
  await run([...given, '--report', at('classes.html')]);
  const page = await readFile(at('classes.html'), 'utf8');
  expect(page).toContain('<td>2<td>2<td>0.667<td>1.000<td>0.800');
  expect(page).toContain('<h2>Configuration</h2>');
  expect(page).not.toMatch(/src=|href=|url\(/);
});

it('counts a label by the name that the model has for it', async () => {
  for (const label of ['zero', 'cow']) {
    await mkdir(at(`named/${label}`), { recursive: true });
    await copyFile(at('a.png'), at(`named/${label}/a.png`));
  }
  const [, ...options] = base('evaluate', 'means', 'means.onnx');
  const given = [...options, '--data', at('named'), '--report', at('named.json')];
  expect((await run(given)).lines[0]).toMatchObject({ images: 0, leftOut: 2 });
  expect((await run([...given, '--map', 'zero=0'])).lines[0]).toMatchObject({ images: 1, leftOut: 1 });
  expect(JSON.parse(await readFile(at('named.json'), 'utf8'))).toMatchObject({
    facts: { 'Labels by the model’s names': '“zero” counts as “0”' },
  });
});

it('leaves a picture that fails out, and says where no label is spelt alike', async () => {
  for (const label of ['cow', 'horse']) {
    await mkdir(at(`odd/${label}`), { recursive: true });
    await copyFile(at('a.png'), at(`odd/${label}/a.png`));
  }
  const [, ...options] = base('evaluate', 'means', 'means.onnx');
  const { code, lines, said } = await run([...options, '--data', at('odd')]);
  expect([code, lines[0]!['images'], lines[0]!['metrics']]).toEqual([
    0,
    0,
    { accuracy: null, top3: null, top5: null, calibrationError: null },
  ]);
  expect(said.join('\n')).toContain('has a label that the model can report');
  await writeFile(at('classes/2/broken.png'), (await readFile(at('a.png'))).subarray(0, 45));
  expect((await run([...given, '--report', at('classes.json')])).code).toBe(1);
});
