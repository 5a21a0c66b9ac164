import { mkdir, readFile, rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { frameOfHash, photoHash } from '../../../tests/photo-like.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { compare } from './compare.ts';
import { drift } from './drift.ts';
import { evaluate } from './evaluate.ts';

const { at, write, base } = cliFolder();
const count = 30;

interface Printed {
  readonly independence: { readonly units: number; readonly basis: string; readonly isKnown: boolean };
  readonly certificate: { readonly path: string | null; readonly refused: readonly string[] };
  readonly laterUnits: number;
  readonly canTell: boolean;
}

async function run(argv: readonly string[]) {
  const [lines, said]: [Printed[], string[]] = [[], []];
  const terminal = { print: (value: object) => void lines.push(value as Printed), say: (text: string) => void said.push(text) }; // prettier-ignore
  const command = parseCommand(argv) as Extract<Command, { name: 'evaluate' | 'compare' | 'drift' }>;
  if (command.name === 'evaluate') await evaluate(command, terminal);
  else if (command.name === 'compare') await compare(command, terminal);
  else await drift(command, terminal);
  return { printed: lines[0]!, said: said.join('\n') };
}

type Hash = (at: number) => bigint;
/** Frames of a fixed camera: little of the picture changes. */
const video: Hash = (at) => photoHash(1) ^ (1n << BigInt(at % 7));

/** A COCO file with a box a picture, its pictures beside it. */
async function cocoOf(folder: string, hash: Hash, more: (at: number) => object = () => ({})): Promise<string> {
  await mkdir(at(folder), { recursive: true });
  const numbers = Array.from({ length: count }, (_, number) => number);
  for (const number of numbers) await writePngFile(at(`${folder}/${number}.png`), frameOfHash(hash(number)));
  const coco = {
    images: numbers.map((id) => ({ id, file_name: `${id}.png`, width: 72, height: 64, ...more(id) })),
    categories: [{ id: 1, name: '0' }],
    annotations: numbers.map((id) => ({ id: id + 1, image_id: id, category_id: 1, bbox: [0, 0, 9, 8], area: 72, iscrowd: 0 })), // prettier-ignore
  };
  return write(`${folder}/coco.json`, JSON.stringify(coco));
}
/** What a machine exports, its frames a second apart. */
async function jsonlOf(folder: string, secondsApart: number): Promise<string> {
  await cocoOf(folder, video);
  await rm(at(`${folder}/coco.json`));
  const lines = Array.from({ length: count }, (_, number) => ({
    image_path: `${number}.png`,
    part_id: 'part',
    component_name: 'yard',
    timestamp: new Date(Date.UTC(2026, 4, 1, 8) + 1000 * secondsApart * number).toISOString(),
    bounding_box_annotations: [{ annotation_label: '0', x_min_normalized: 0, y_min_normalized: 0, x_max_normalized: 0.1, y_max_normalized: 0.1 }], // prettier-ignore
  }));
  return write(`${folder}/data.jsonl`, lines.map((line) => JSON.stringify(line)).join('\n'));
}

const service = ['bright', 'bright.onnx'] as const;
async function unitsOf(data: string, ...more: readonly string[]) {
  const results = await write('results.json', '[]');
  const certifying = ['--certificate', at('made.json'), '--claim', 'recall:0=0.9'];
  const config = at('machine.json');
  const evaluated = await run([...base('evaluate', ...service), '--data', data, ...certifying, ...more]);
  const compared = await run(['compare', config, config, '--vision', service[0], '--model', at(service[1]), '--data', data, ...more]); // prettier-ignore
  const drifted = await run(['drift', '--reference', data, '--later', await cocoOf('later', (one) => photoHash(900 + one)), ...more]); // prettier-ignore
  const ofResults = data.endsWith('coco.json')
    ? await run(['evaluate', '--data', data, '--detections', results, '--report', at('report.json'), ...more])
    : null;
  return { evaluated, compared, drifted, ofResults };
}

describe('the independent units of one set', () => {
  it.each([
    ['photographs, no two of which look alike', () => cocoOf('photos', photoHash), count, 'pictures'],
    ['the frames of a fixed camera, of which nothing is recorded', () => cocoOf('fixed', video), 1, 'alike'],
    ['videos that the file names', () => cocoOf('videos', video, (id) => ({ video_id: id % 3 })), 3, 'recorded'],
    ['one camera within a minute', () => jsonlOf('minute', 1), 1, 'recorded'],
    ['one camera over half an hour', () => jsonlOf('hour', 60), count, 'recorded'],
  ] as const)('are the same for all commands: %s', async (_, make, units, basis) => {
    const { evaluated, compared, drifted, ofResults } = await unitsOf(await make());
    const independence = { units, basis, isKnown: basis !== 'alike' };
    expect(evaluated.printed.independence).toEqual(independence);
    expect(compared.printed.independence).toEqual(independence);
    if (ofResults) expect(ofResults.printed.independence).toEqual(independence);
    expect(drifted.said.includes('it is unknown which frames depend')).toBe(basis === 'alike');
    const { refused } = evaluated.printed.certificate;
    expect(refused.some((why) => why.includes('It is not known which images are independent'))).toBe(basis === 'alike');
    expect([evaluated.said, compared.said].every((said) => said.includes('Intervals are based on'))).toBe(true);
  });

  it('are each picture where somebody says so, and the certificate says that', async () => {
    const { evaluated, compared, ofResults, drifted } = await unitsOf(at('fixed/coco.json'), '--independent-frames');
    for (const one of [evaluated, compared, ofResults!])
      expect(one.printed.independence).toEqual({ units: count, basis: 'stated', isKnown: true });
    expect(drifted.said).not.toContain('it is unknown which frames depend');
    expect(evaluated.printed.certificate.refused.join()).not.toContain('It is not known which images');
  });

  it('of results are unknown where their pictures are not at hand', async () => {
    await cocoOf('lost', photoHash);
    await rm(at('lost/7.png'));
    const results = await write('results.json', '[]');
    const given = ['evaluate', '--data', at('lost/coco.json'), '--detections', results, '--report', at('report.json')];
    const { printed, said } = await run(given);
    expect(printed.independence).toEqual({ units: count, basis: 'unseen', isKnown: false });
    expect(said).toContain('it was not looked whether they look alike');
    const { facts } = JSON.parse(await readFile(at('report.json'), 'utf8')) as { facts: Record<string, string> };
    expect(facts['Independent units']).toBe('30 images, 30 units at most: it is not known which are independent');
  });
});
