import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModelFile } from '../../src/models/read-model-file.ts';
import { things, type Box, type Thing } from './things.ts';

/**
 * Says of every model file of a folder what becomes of it, as rows of a Markdown table: `npm run foreign -- FOLDER`. It asks the command
 * line itself. Detectors run on two of the sample photographs, and what they find is held against the faces and persons there.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give the folder of the model files: npm run foreign -- FOLDER');
const out = mkdtempSync(join(tmpdir(), 'foreign-'));
const pictures = things.map(({ file }) => join('assets/photographs', file));

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly family?: string;
  readonly out?: string;
  readonly machine?: string;
  readonly detections?: readonly (Box & { readonly label: string; readonly score: number })[];
  readonly classifications?: readonly { readonly label: string; readonly score: number }[];
}

console.log('| File | Verdict | On two photographs, or in words |\n|---|---|---|');
for (const name of readdirSync(folder).toSorted()) console.log(`| \`${name}\` | ${judge(name).join(' | ')} |`);
rmSync(out, { recursive: true });

function judge(name: string): readonly [verdict: string, more: string] {
  const path = join(folder!, name);
  const stem = join(out, name.replace(/\.[^.]*$/, ''));
  const isTflite = name.endsWith('.tflite');
  let refusal = { code: 'usage', message: '' };
  for (const ending of isTflite ? ['tflite', 'onnx'] : ['onnx']) {
    const fit = (...more: string[]) => sightglass('fit', path, '--out', `${stem}.${ending}`, ...more)[0];
    const first = fit();
    // Which size a person knows; this one suits all here.
    const answer = first?.error?.code === 'size-unknown' ? fit('--size', '320x320') : first;
    if (answer?.family !== undefined) return [`fitted: ${answer.family}`, seen(answer.machine!, answer.out!)];
    if (answer?.error) refusal = answer.error;
  }
  const { code, message } = refusal;
  if (code === 'other-kind') return ['refused, named', `${message.split('. ')[0]}.`];
  if (code === 'lost-in-steps') return ['refused', message];
  const opens = code !== 'not-onnx' && (isTflite || code === 'already-fits');
  const shipped = opens ? asShipped(path, isTflite) : '!';
  if (!shipped.startsWith('!')) return ['as shipped', shipped];
  return [code === 'unrecognised' ? 'unknown' : 'refused', message || shipped];
}

/** With a configuration that names nothing but the file. */
function asShipped(path: string, isTflite: boolean): string {
  const [input] = readModelFile(readFileSync(path)).summary.inputs;
  const model = isTflite ? 'viam:mlmodel-tflite:tflite_cpu' : 'viam:mlmodel:onnx-cpu';
  const services = [
    { name: 'm', api: 'rdk:service:mlmodel', model, attributes: { model_path: path } },
    {
      name: 'v',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      // The page writes this by itself.
      attributes: { mlmodel_name: 'm', ...(input && { remap_input_names: { [input.name]: 'image' } }) },
    },
  ];
  const config = join(out, 'shipped.json');
  writeFileSync(config, JSON.stringify({ services }));
  return seen(config, path);
}

function seen(config: string, model: string): string {
  const run = (command: string, ...more: string[]) =>
    sightglass(command, ...more, '--config', config, '--vision', 'v', '--model', model, ...pictures);
  const detected = run('detect');
  if (detected.some(({ detections }) => detections)) return found(detected);
  const classified = run('classify', '--top=1');
  const best = classified.flatMap(({ classifications }) => classifications?.[0] ?? []);
  if (best.length > 0) return `classes: ${best.map(({ label, score }) => `${label} ${score.toFixed(2)}`).join(', ')}`;
  return `! ${[...detected, ...classified].find(({ error }) => error)?.error?.message ?? 'no answer'}`;
}

/** How many of the faces, and of the persons, a box covers; the better of the two is what the model detects. */
function found(frames: readonly Answer[]): string {
  const counted = (kind: 'faces' | 'persons') => {
    const wanted = things.flatMap((thing, at) => thing[kind].map((box) => ({ box, at })));
    const hits = wanted.filter(({ box, at }) =>
      frames[at]?.detections?.some((one) => one.score >= 0.25 && overlap(one, box) >= 0.5),
    );
    return { kind, hits: hits.length, all: wanted.length };
  };
  const best = [counted('faces'), counted('persons')].toSorted((a, b) => b.hits - a.hits)[0]!;
  const boxes = frames.flatMap(({ detections }) => detections?.filter(({ score }) => score >= 0.25) ?? []);
  return `${best.hits} of ${best.all} ${best.kind}, ${boxes.length} boxes`;
}

function overlap(a: Box, b: Thing['faces'][number]): number {
  const width = Math.max(0, Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin));
  const height = Math.max(0, Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin));
  const area = (box: Box) => (box.xMax - box.xMin) * (box.yMax - box.yMin);
  return (width * height) / (area(a) + area(b) - width * height);
}

function sightglass(...args: readonly string[]): Answer[] {
  const { stdout } = spawnSync(process.execPath, ['bin/sightglass.js', ...args], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Answer);
}
