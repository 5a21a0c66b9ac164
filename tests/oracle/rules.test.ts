import { encode } from 'fast-png';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { decodePng } from '../../src/platform/decode/png.ts';
import { decodeClassifications } from '../../src/machine/vision/decode/decode-classifications.ts';
import { parseLabels } from '../../src/machine/vision/decode/labels.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { toStraightRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import { crop } from '../../src/machine/vision/transforms/crop.ts';
import { resizeNearest } from '../../src/machine/vision/transforms/resize.ts';
import { rotate } from '../../src/machine/vision/transforms/rotate.ts';
import { hasOracle, hasOracleModels, openOracle, type Oracle } from './oracle.ts';

type Step = (frame: Frame) => Frame;
const webcam = { name: 'w', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
const resize: [object, Step] = [
  { type: 'resize', attributes: { width_px: 5, height_px: 4 } },
  (frame) => resizeNearest(frame, { widthPx: 5, heightPx: 4 }),
];
const cut: [object, Step] = [
  { type: 'crop', attributes: { x_min_px: 1, y_min_px: 1, x_max_px: 4, y_max_px: 4 } },
  (frame) => crop(frame, { xMin: 1, yMin: 1, xMax: 4, yMax: 4, overlayCropBox: false }),
];
const turn = (angleDegs: number): [object, Step] => [
  { type: 'rotate', attributes: { angle_degs: angleDegs } },
  (frame) => rotate(frame, { angleDegs }),
];

describe.skipIf(!hasOracle)(
  'transparent and depth pictures as the machine has them (skipped without ../shared/machine-oracle)',
  () => {
    let oracle: Oracle;
    beforeAll(async () => (oracle = await openOracle({ patienceMs: 2500 })));
    afterAll(() => oracle.close());

    const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7919 + (i >> 2) * 131) & 255);
    const transparent = encode({ width: 9, height: 7, channels: 4, data: noise(9 * 7 * 4) });
    const gray16 = Uint16Array.from({ length: 9 * 7 }, (_, i) => (i * 1021 + 77) & 0xffff);
    const depth = encode({ width: 9, height: 7, channels: 1, depth: 16, data: gray16 });

    it.each<[string, Uint8Array, [object, Step][]]>([
      ['resize', transparent, [resize]],
      ['resize, crop', transparent, [resize, cut]],
      ['resize, turn by 90', transparent, [resize, turn(90)]],
      ['resize, turn by 30', transparent, [resize, turn(30)]],
      ['resize twice', transparent, [resize, resize]],
      ['turn by 30, resize', transparent, [turn(30), resize]],
      ['depth: crop', depth, [cut]],
      ['depth: turn by 180', depth, [turn(180)]],
      ['depth: turn by 90.7', depth, [turn(90.7)]],
      ['depth: turn by -90', depth, [turn(-90)]],
      ['depth: turn by 45', depth, [turn(45)]],
      ['depth: turn by 360', depth, [turn(360)]],
    ])('%s', async (_, png, steps) => {
      const attributes = { source: 'w', pipeline: steps.map(([step]) => step) };
      const camera = { name: 't', api: 'rdk:component:camera', model: 'transform', attributes };
      const question = { op: 'transform', camera: 't', frames: [png], wantsPixels: true } as const;
      const [answer] = await oracle.ask([{ ...question, config: { components: [webcam, camera] } }]);
      const ours = () => steps.reduce((frame, [, step]) => step(frame), decodePng(png));
      const frame = answer!.frames[0];
      if (!frame || frame.error !== null) expect(ours).toThrow();
      else expect(onBlack(ours())).toEqual([...(await frame.pixels())]);
    });
  },
);

/** Pixels in the oracle's format: colours multiplied by alpha at 16 bits, reduced to the high byte. */
function onBlack(frame: Frame): number[] {
  if (frame.format === 'rgba8' && frame.alphaOnBlack)
    return Array.from(frame.samples, (sample, i) => (i % 4 === 3 ? frame.alphaOnBlack![i >> 2]! : sample));
  const { samples } = toStraightRgba8(frame);
  return Array.from(samples, (sample, i) =>
    i % 4 === 3 ? sample : Math.floor((sample * 257 * samples[i | 3]! * 257) / 0xffff) >> 8,
  );
}

describe.skipIf(!hasOracleModels())(
  'labels and scores as the machine has them (skipped without ../shared/machine-oracle or Python’s onnxruntime)',
  () => {
    let oracle: Oracle;
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sightglass-rules-'));
      oracle = await openOracle();
    });
    afterAll(async () => {
      await oracle.close();
      await rm(folder, { recursive: true });
    });

    /** A classifier with constant outputs, and with label names in its metadata, which the machine ignores. */
    async function modelOf(values: readonly number[]): Promise<string> {
      const build = new GraphBuilder();
      build.input('image', 'uint8', [1, 4, 4, 3]);
      build.output('probability', build.floats([1, values.length], values), 'float32', [1, values.length]);
      const metadata = { names: `{${values.map((_, i) => `${i}: 'named ${i}'`).join(', ')}}` };
      const path = join(folder, `${values.join('_')}.onnx`);
      await writeFile(path, build.build({ graphName: 'fixed', producer: 'sightglass-tests', opset: 18, metadata }));
      return path;
    }

    it.each([
      [[-1], null],
      [[-0.5], null],
      [[0.25], null],
      [[-2], null],
      [[2], null],
      [[0.25, 0.75], null],
      [[0.25, 0.75], `a\nb\n${'x'.repeat(65_536)}\nc`],
      [[0.25, 0.75], `${'x'.repeat(65_536)}\na\nb`],
      [[0.25, 0.75], `a\n${'x'.repeat(65_535)}\n`],
      [[0.25, 0.75], `a\nb\n${'x'.repeat(65_535)}\r\nc`],
      [[0.25, 0.75], `${'é'.repeat(32_767)}\na\n`],
    ])('%j', async (values, text) => {
      const labelPath = join(folder, 'labels.txt');
      if (text !== null) await writeFile(labelPath, text);
      const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
      const frame = encode({ width: 4, height: 4, channels: 3, data: new Uint8Array(48) });
      const [answer] = await oracle.ask([
        {
          op: 'classify',
          vision: 'v',
          camera: '',
          frames: [frame],
          models: { v: await modelOf(values) },
          config: { components: [webcam], services: [vision] },
          ...(text !== null && { modelLabels: labelPath }),
        },
      ]);
      const tensor = { dtype: 'float32', shape: [1, values.length], data: Float32Array.from(values) } as const;
      const ours = decodeClassifications(tensor, text === null ? null : parseLabels(text));
      const theirs = answer!.frames[0]!.results;
      expect(ours.labels.map((label, i) => ({ label, score: ours.score[i] }))).toEqual(theirs);
    });
  },
);
