import { strToU8, unzipSync, zipSync, strFromU8, type Unzipped } from 'fflate'; // another's zips, both ways
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RawDetections } from '../../../machine/vision/results/detections.ts';
import type { RawResults } from '../../../machine/vision/run-result.ts';
import type { Capture } from '../capture.ts';
import { compareBench, type BenchNow } from './compare-bench.ts';
import { rawResultsFromJson, rawResultsToJson } from './raw-results-json.ts';
import { readBenchFile, whyNoBench } from './read-bench-file.ts';
import type { SavedBench } from './saved-bench.ts';
import { writeBenchFile } from './write-bench-file.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const read = (bytes: Uint8Array<ArrayBuffer>) => readBenchFile(new Blob([bytes]), async (content) => sha256(content));
const written = async (saved: SavedBench) => new Uint8Array(await (await writeBenchFile(saved)).arrayBuffer());

const rawDetections = (scores: readonly number[], changes: Partial<RawDetections> = {}): RawDetections => ({
  count: scores.length,
  labels: ['cat', 'dog'],
  labelIndex: Uint32Array.from(scores, (_, row) => row % 2),
  score: Float64Array.from(scores),
  box: Int32Array.from({ length: 4 * scores.length }, (_, at) => at),
  frameWidthPx: 64,
  frameHeightPx: 48,
  boxSpace: 'proportional',
  droppedNaN: 1,
  ...changes,
});
const raw = (detections: RawDetections | null): RawResults => ({ detections, classifications: null });
const image = Uint8Array.of(1, 2, 3);
const model = Uint8Array.of(9, 9);

const capture: Capture = {
  id: '0-a',
  reason: { kind: 'person' },
  source: { kind: 'file', name: 'a.png', index: 0, timestampMs: 0 },
  image: {
    mediaType: 'image/png',
    widthPx: 64,
    heightPx: 48,
    sizeBytes: 3,
    sha256: sha256(image),
    encoding: 'original',
  },
  timeRequestedMs: 1,
  timeReceivedMs: 2,
  setup: {
    serviceName: 'v',
    cameraName: null,
    steps: [],
    seenWidthPx: 64,
    seenHeightPx: 48,
    configText: '{"key":"very secret"}',
    configSha256: 'c',
    model: null,
    backend: 'wasm',
  },
  timings: null,
  detections: null,
  classifications: null,
  problems: [],
  tags: [],
  boxes: [],
  classes: [],
  correctedAtMs: null,
};
const bench: SavedBench = {
  savedAtMs: 1000,
  environment: { version: '0.1.0', host: 'a browser', backend: 'webgpu' },
  configText: '{"services": [], "api_key": "very secret"}',
  serviceName: 'v',
  cameraName: null,
  models: [{ serviceName: 'v', fileName: 'm.onnx', sha256: sha256(model), labels: ['x'], bytes: model }],
  frames: [{ capture, image, raw: raw(rawDetections([0.5, NaN, Infinity])), rawOf: 'image' }],
};
const repacked = async (change: (files: Unzipped) => void): Promise<Uint8Array<ArrayBuffer>> => {
  const files = unzipSync(await written(bench));
  change(files);
  return zipSync(files);
};

/** Says in the directory that the configuration unpacks to so many bytes (APPNOTE 4.3.12: 24 bytes into its record). */
async function saying(configurationBytes: number, level: 0 | 9 = 9): Promise<Uint8Array<ArrayBuffer>> {
  const file = zipSync(unzipSync(await written(bench)), { level });
  const view = new DataView(file.buffer);
  for (let at = 0; at < file.length - 46; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const name = strFromU8(file.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    if (name === 'configuration.json') view.setUint32(at + 24, configurationBytes, true);
  }
  return file;
}

describe('a bench file', () => {
  it('brings everything back but secrets', async () => {
    const file = await written(bench);
    const again = await read(file);
    expect(again).toEqual({
      ...bench,
      configText: again.configText,
      frames: [{ ...bench.frames[0], capture: { ...capture, setup: { ...capture.setup!, configText: '' } } }],
    });
    expect(JSON.parse(again.configText)).toEqual({ services: [], api_key: '' });
    const texts = Object.values(unzipSync(file)).map((content) => strFromU8(content));
    expect(texts.join()).not.toContain('very secret');
  });

  it('may name a model by its hash only', async () => {
    const named = { ...bench, models: [{ ...bench.models[0]!, bytes: null }] };
    expect((await read(await written(named))).models).toEqual(named.models);
  });

  it.each<[string, string, Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
    ['not-a-bench', 'bytes of another kind', strToU8('hello')],
    ['not-a-bench', 'another zip', zipSync({ 'a.txt': strToU8('a') })],
    ['not-a-bench', 'half of it', written(bench).then((bytes) => bytes.slice(0, 200))],
    ['damaged', 'an image that was changed', repacked((files) => (files['frames/00001.png'] = Uint8Array.of(1, 2, 4)))],
    ['damaged', 'a model that is missing', repacked((files) => delete files[`models/${sha256(model)}.onnx`])],
    ['damaged', 'raw results cut off', repacked((files) => (files['raw/00001.json'] = strToU8('{"detections":{')))],
    ['damaged', 'a manifest without frames', repacked((files) => edit(files, (manifest) => delete manifest['frames']))],
    ['damaged', 'a file that holds more than it says', saying(3)],
    ['newer-version', 'a newer one', repacked((files) => edit(files, (manifest) => (manifest['version'] = 2)))],
  ])('is refused as %s: %s', async (code, _, bytes) => {
    await expect(read(await bytes)).rejects.toMatchObject({ name: 'BenchFileError', code });
    const why = await whyNoBench(new Blob([await bytes]));
    expect(why?.startsWith('This is not a saved bench: ') ?? false).toBe(code === 'not-a-bench');
  });
});

it.each([
  [3, 9],
  [3, 0],
  [4000, 9],
  [4000, 0],
] as const)('cannot be unpacked where its directory says %i bytes for others, at level %i', async (bytes, level) => {
  await expect(read(await saying(bytes, level))).rejects.toThrow('configuration.json cannot be unpacked: ');
});

function edit(files: Unzipped, change: (manifest: Record<string, unknown>) => void): void {
  const manifest = JSON.parse(strFromU8(files['bench.json']!)) as Record<string, unknown>;
  change(manifest);
  files['bench.json'] = strToU8(JSON.stringify(manifest));
}

describe('raw results as JSON', () => {
  it.each([
    ['{"detections":null,"classifications":{"labels":["a"],"score":["many"]}}'],
    ['{"detections":null,"classifications":{"labels":[1],"score":[]}}'],
    [rawResultsToJson(raw(rawDetections([0.5]))).replace('"box":[0,', '"box":[')],
    [rawResultsToJson(raw(rawDetections([0.5], { labels: [] })))],
  ])('refuse what is none: %s', (text) => {
    expect(() => rawResultsFromJson(text)).toThrow(TypeError);
  });
});

describe('compareBench', () => {
  const now = (outcome: BenchNow['outcomes'][number], changes: Partial<BenchNow> = {}): BenchNow => ({
    environment: bench.environment,
    configText: bench.configText,
    models: { v: sha256(model) },
    outcomes: [outcome],
    ...changes,
  });
  const saved = [0.5, 0.25];
  const savedBench: SavedBench = { ...bench, frames: [{ ...bench.frames[0]!, raw: raw(rawDetections(saved)) }] };

  it.each<[string, BenchNow['outcomes'][number], object]>([
    ['same', raw(rawDetections(saved)), { message: '', largestScoreDifference: 0 }],
    [
      'close',
      raw(rawDetections([0.5005, 0.25], { box: Int32Array.of(1, 1, 2, 3, 4, 5, 6, 7) })),
      { message: 'scores differ by up to 0.00050; boxes by up to 1 px.' },
    ],
    ['different', raw(rawDetections([0.6, 0.25])), { message: 'scores differ by up to 0.10.' }],
    ['different', raw(rawDetections([NaN, 0.25])), { largestScoreDifference: Infinity }],
    ['different', raw(rawDetections([0.5])), { message: '2 rows became 1.' }],
    ['different', raw(null), { message: '2 rows became none.' }],
    ['different', raw(rawDetections(saved, { labels: ['cat', 'cow'] })), { message: '1 other labels.' }],
    ['failed', { failure: 'No model.' }, { message: 'No model.', rows: null }],
  ])('finds a frame %s', (verdict, outcome, expected) => {
    const comparison = compareBench(savedBench, now(outcome));
    expect(comparison).toMatchObject({ verdict, differences: [], frames: [{ verdict, ...expected }] });
  });

  it('names what it ran on', () => {
    const other = now(raw(rawDetections(saved)), {
      environment: { version: '0.2.0', host: 'Node 24', backend: 'wasm' },
      models: {},
    });
    expect(compareBench(savedBench, other).differences).toEqual([
      { what: 'version', saved: '0.1.0', now: '0.2.0' },
      { what: 'host', saved: 'a browser', now: 'Node 24' },
      { what: 'backend', saved: 'webgpu', now: 'wasm' },
      { what: 'model', saved: sha256(model), now: 'none' },
    ]);
  });
});
