import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brightestPixelDetector } from '../../../tests/models.ts';
import type { SavedBench, SavedFrame } from '../../evidence/capture/bench-file/saved-bench.ts';
import { writeBenchFile } from '../../evidence/capture/bench-file/write-bench-file.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { replay } from './replay.ts';

let folder = '';
let picture = new Uint8Array();
const model = brightestPixelDetector();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-replay-'));
  const samples = new Uint8ClampedArray(4 * 8 * 4).fill(255);
  for (let i = 0; i < samples.length; i += 4) samples.set([10, 20, 30, 255], i);
  samples.set([255, 255, 255, 255], 4 * (8 * 1 + 6));
  const path = join(folder, 'a.png');
  await writePngFile(path, { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
  picture = new Uint8Array(await readFile(path));
});
afterAll(() => rm(folder, { recursive: true }));

/** A bench that saw the white pixel with this score. */
function benchWith(score: number, changes: Partial<SavedBench> = {}): SavedBench {
  const service = { name: 'bright', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
  const frame: SavedFrame = {
    capture: {
      id: '0-a',
      reason: { kind: 'person' },
      source: { kind: 'file', name: 'a.png', index: 0, timestampMs: 0 },
      image: {
        mediaType: 'image/png',
        widthPx: 8,
        heightPx: 4,
        sizeBytes: picture.length,
        sha256: sha256(picture),
        encoding: 'original',
      },
      timeRequestedMs: 0,
      timeReceivedMs: 0,
      setup: null,
      timings: null,
      detections: null,
      classifications: null,
      problems: [],
      tags: [],
      boxes: [],
      classes: [],
      correctedAtMs: null,
    },
    image: picture as Uint8Array<ArrayBuffer>,
    raw: {
      detections: {
        count: 1,
        labels: ['0'],
        labelIndex: Uint32Array.of(0),
        score: Float64Array.of(score),
        box: Int32Array.of(5, 0, 6, 1),
        frameWidthPx: 8,
        frameHeightPx: 4,
        boxSpace: 'proportional',
        droppedNaN: 0,
      },
      classifications: null,
    },
    rawOf: 'image',
  };
  return {
    savedAtMs: 0,
    environment: { version: '0.0.0', host: 'a browser', backend: 'webgpu' },
    configText: JSON.stringify({ services: [service] }),
    serviceName: 'bright',
    cameraName: null,
    models: [{ serviceName: 'bright', fileName: 'm.onnx', sha256: sha256(model), labels: null, bytes: model }],
    frames: [frame],
    ...changes,
  };
}

async function replayed(bench: SavedBench, ...options: string[]) {
  const path = join(folder, 'bench.zip');
  await writeFile(path, (await writeBenchFile(bench)).stream());
  const printed: Record<string, unknown>[] = [];
  const command = parseCommand(['replay', ...options, path]) as Extract<Command, { readonly name: 'replay' }>;
  const exitCode = await replay(command, {
    print: (value) => printed.push(value as Record<string, unknown>),
    say: () => undefined,
  });
  return { exitCode, printed };
}

describe('replay', () => {
  it('finds the same, and says on what it ran', async () => {
    const { exitCode, printed } = await replayed(benchWith(1));
    expect([exitCode, printed[0]!['verdict'], printed[1]!['message']]).toEqual([0, 'same', '']);
    const differences = printed[0]!['differences'] as { what: string }[];
    expect(differences.map(({ what }) => what)).toEqual(['version', 'host', 'backend']);
  });

  it('fails when a frame gives other results', async () => {
    const { exitCode, printed } = await replayed(benchWith(0.5));
    expect([exitCode, printed[1]]).toMatchObject([1, { verdict: 'different', largestScoreDifference: 0.5 }]);
  });

  it('asks for a model that is only named, and takes it', async () => {
    const named = benchWith(1);
    const bench = { ...named, models: [{ ...named.models[0]!, bytes: null }] };
    await expect(replayed(bench)).rejects.toMatchObject({ code: 'no-model', message: /--model bright=FILE/ });
    const path = join(folder, 'm.onnx');
    await writeFile(path, model);
    expect((await replayed(bench, '--model', `bright=${path}`)).exitCode).toBe(0);
  });

  it('wants one file', () => {
    expect(() => parseCommand(['replay'])).toThrow(/got 0 paths/);
  });
});
