import { encode } from 'fast-png';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { keepResults } from '../../src/evidence/replay/keep-results.ts';
import type { ResultColumns } from '../../src/evidence/replay/result-columns.ts';
import type { ServiceFilterRule } from '../../src/machine/vision/filter/thresholds.ts';
import { randomSource } from '../random-frame.ts';
import { storedColumns, type StoredFrame } from '../stored-columns.ts';
import { visionName, visionServices } from './cases/seeded-case.ts';
import { hasOracleModels, openOracle, type Oracle, type OracleFrame } from './oracle.ts';

// A frame is a row of 8 pixels, each a result: red is its score in 255ths, green its label.
const boxCount = 8;
const frameCount = 1000;
const names = ['person', 'Parcel', 'cat', 'dog'];

const random = randomSource(7);
const frames = Array.from({ length: frameCount }, () => {
  const data = Uint8Array.from({ length: 3 * boxCount }, (_, at) => {
    if (at % 3 === 1) return Math.floor(names.length * random());
    // Many scores lie on a threshold, or next to it.
    return random() < 0.3 ? 127 + Math.floor(3 * random()) : Math.floor(256 * random());
  });
  return encode({ width: boxCount, height: 1, channels: 3, depth: 8, data });
});

/** A detector whose scores and labels are the pixels: score = red / 255 as a float32. */
function modelOfPixels(): Uint8Array {
  const build = new GraphBuilder();
  const image = build.input('image', 'uint8', [1, 1, boxCount, 3]);
  const floats = build.add('Cast', [image], { to: { int: 1 } });
  const channel = (number: number): string => {
    const slice = build.add('Slice', [
      floats,
      build.ints([1], [number]),
      build.ints([1], [number + 1]),
      build.ints([1], [3]),
    ]);
    return build.add('Reshape', [slice, build.ints([2], [1, boxCount])]);
  };
  build.output('score', build.add('Div', [channel(0), build.floats([1], [255])]), 'float32', [1, boxCount]);
  build.output('category', channel(1), 'float32', [1, boxCount]);
  const boxes = Array.from({ length: boxCount }, () => [0.1, 0.1, 0.9, 0.9]).flat();
  const location = build.constant('float32', [1, boxCount, 4], Float32Array.from(boxes));
  build.output('location', location, 'float32', [1, boxCount, 4]);
  return build.build({ graphName: 'pixels', producer: 'sightglass-tests', opset: 18 });
}

/** Thresholds on scores, half a float32 beside them, and lists that leave labels out. */
const rules: readonly ServiceFilterRule[] = [
  { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  { defaultMinimumConfidence: 128 / 255, labelConfidences: {} },
  { defaultMinimumConfidence: Math.fround(128 / 255), labelConfidences: {} },
  { defaultMinimumConfidence: 0.9, labelConfidences: { PERSON: 0.3, parcel: Math.fround(127 / 255) } },
  { defaultMinimumConfidence: 0, labelConfidences: { cat: 0.501960813999176, dog: 0.75 } },
  { defaultMinimumConfidence: 0, labelConfidences: {} },
];

describe.skipIf(!hasOracleModels())(
  'what a replay keeps (skipped without ../shared/machine-oracle and Python’s onnxruntime)',
  () => {
    let oracle: Oracle;
    let folder: string;
    beforeAll(async () => {
      oracle = await openOracle({ patienceMs: 300_000 });
      folder = await mkdtemp(join(tmpdir(), 'sightglass-replay-'));
      await writeFile(join(folder, 'model.onnx'), modelOfPixels());
      await writeFile(join(folder, 'labels.txt'), names.join('\n'));
      await Promise.all(frames.map((png, at) => writeFile(join(folder, `${at}.png`), png)));
    });
    afterAll(async () => {
      await oracle.close();
      await rm(folder, { recursive: true });
    });

    it(
      `is what the machine says under the same thresholds, on ${frameCount} frames`,
      { timeout: 600_000 },
      async () => {
        const recorder: ServiceFilterRule = { defaultMinimumConfidence: 0.05, labelConfidences: {} };
        const answers = await oracle.ask(
          [recorder, ...rules].map((rule) => ({
            op: 'detect',
            vision: visionName,
            config: {
              services: visionServices({
                label_path: join(folder, 'labels.txt'),
                default_minimum_confidence: rule.defaultMinimumConfidence,
                label_confidences: rule.labelConfidences,
              }),
            },
            models: { [visionName]: join(folder, 'model.onnx') },
            frames: frames.map((_, at) => join(folder, `${at}.png`)),
          })),
        );
        const [recorded, ...said] = answers.map((answer) => answer.frames.map(asStored));
        expect(recorded).toHaveLength(frameCount);
        const columns = storedColumns(recorded!, names);
        expect(columns.scores.length).toBeGreaterThan(6 * frameCount);
        for (const [at, rule] of rules.entries()) {
          // What the recorder dropped is in no capture.
          const stored = said[at]!.map(([timeMs, ...found]): StoredFrame => [
            timeMs,
            ...found.filter(([, score]) => score >= 0.05),
          ]);
          expect(keptFrames(columns, rule), JSON.stringify(rule)).toEqual(stored);
        }
      },
    );
  },
);

function asStored({ error, results }: OracleFrame, at: number): StoredFrame {
  if (error !== null) throw new Error(`The machine refused frame ${at}: ${error}`);
  return [at, ...results.map(({ label, score }) => [names.indexOf(label), score] as const)];
}

function keptFrames(columns: ResultColumns, rule: ServiceFilterRule): readonly StoredFrame[] {
  const kept = new Set(keepResults(columns, rule));
  return Array.from(columns.timesMs, (timeMs, frame): StoredFrame => {
    const rows = Array.from(
      { length: columns.starts[frame + 1]! - columns.starts[frame]! },
      (_, at) => columns.starts[frame]! + at,
    );
    return [
      timeMs,
      ...rows.filter((row) => kept.has(row)).map((row) => [columns.labels[row]!, columns.scores[row]!] as const),
    ];
  });
}
