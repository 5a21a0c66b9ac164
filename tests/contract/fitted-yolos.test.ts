import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import { cocoPhotographs, hasSharedData, openPair, sharedData, type SourceFeeding } from '../fit/photographs.ts';
import { aroundCentre, bestClass, suppressPlainly, type PlainCandidate } from '../fit/plain-detections.ts';
import { expectSameRows } from '../fit/run-fitted.ts';

const count = process.env['NIGHTLY'] ? 20 : 6;
const photographs = hasSharedData ? cocoPhotographs(count) : Promise.resolve([]);
const limits = { scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };
const byteBgr = { bgr: true, mean: [0, 0, 0], stdDev: [1 / 255, 1 / 255, 1 / 255] } as const;
const unitBgr = { bgr: true, mean: [0, 0, 0], stdDev: [1, 1, 1] } as const;

const cells = [8, 16, 32].flatMap((stride) => {
  const side = 416 / stride;
  return Array.from({ length: side * side }, (_, cell) => ({ stride, x: cell % side, y: Math.floor(cell / side) }));
});

function onGrid([x, y, width, height]: readonly number[], row: number): number[] {
  const cell = cells[row]!;
  return [
    (x! + cell.x) * cell.stride,
    (y! + cell.y) * cell.stride,
    Math.exp(width!) * cell.stride,
    Math.exp(height!) * cell.stride,
  ];
}

/** Decodes rows of box, objectness and 80 classes like the model's own code. */
function candidates(
  values: readonly number[],
  decode: (box: readonly number[], row: number) => readonly number[],
): PlainCandidate[] {
  return Array.from({ length: values.length / 85 }, (_, row) => {
    const numbers = values.slice(85 * row, 85 * row + 85);
    const { category, score } = bestClass(numbers.slice(5));
    return { corners: aroundCentre(decode(numbers.slice(0, 4), row)), category, score: score * numbers[4]! };
  });
}

interface Published {
  readonly name: string;
  readonly file: string;
  readonly family: string;
  readonly feeding: SourceFeeding;
  readonly options: Readonly<Record<string, string>>;
  readonly decode: (box: readonly number[], row: number) => readonly number[];
}

const published: readonly Published[] = [
  {
    name: 'YOLOX, stretched',
    file: 'yolox_nano_416.onnx',
    family: 'yolox',
    feeding: byteBgr,
    options: { letterbox: 'stretch' },
    decode: onGrid,
  },
  {
    name: 'YOLOX, padded as by its own code',
    file: 'yolox_nano_416.onnx',
    family: 'yolox',
    feeding: { ...byteBgr, letterbox: { border: 114, at: 'top-left', bgr: true } },
    options: { letterbox: 'pad' },
    decode: onGrid,
  },
  {
    name: 'FastestDet',
    file: 'FastestDet_ortx.onnx',
    family: 'fastestdet',
    feeding: unitBgr,
    options: {},
    decode: (box) => box,
  },
];

describe.skipIf(!hasSharedData)('published YOLOs, fitted (skipped without ../shared/data)', () => {
  it.each(published)(
    '$name: what its own post-processing gives',
    async ({ file, family, feeding, options, decode }) => {
      const { fitted, run, close } = await openPair(file, feeding, { options });
      expect(fitted.family.id).toBe(family);
      let seen = 0;
      for (const { frame } of await photographs) {
        const { source, rows, ontoFrame } = await run(frame);
        const found = suppressPlainly(candidates(source['output']!.values, decode), { ...fitted.inputSize, ...limits });
        const wanted = found.map((row) => ({ ...row, box: ontoFrame(row.box) }));
        expectSameRows(rows, wanted, feeding.letterbox ? frame : fitted.inputSize);
        seen += wanted.filter(({ score }) => score > 0.4).length;
      }
      expect(seen).toBeGreaterThan(count);
      await close();
    },
    300_000,
  );

  it('the machine sees a person by the configuration alone', async () => {
    const text = await readFile(new URL('models/coco80.labels.txt', sharedData), 'utf8');
    const labels = text.trim().split('\n');
    const source = new Uint8Array(await readFile(new URL('models/yolox_nano_416.onnx', sharedData)));
    const fitted = fitModel(source, { labels });
    const session = await openNodeSession(fitted.model);
    const { config } = parseMachineConfig(JSON.stringify(fitted.configuration));
    const mask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
    const font = { advanceOf: () => 0, maskOf: () => mask };
    const machine = createMachine(config, { v: { session, labels } }, { font });
    const frame = await readFrameFile(new URL('images/satya.jpg', sharedData).pathname);
    const people = (await machine.detections('v', frame)).filter(({ label }) => label === 'person');
    expect(people.length).toBeGreaterThan(0);
    for (const { xMin, xMax, yMin, yMax } of people) {
      expect(xMax - xMin).toBeGreaterThan(frame.widthPx / 10);
      expect(yMax - yMin).toBeGreaterThan(frame.heightPx / 10);
    }
    await session.release();
  });
});
