import { encode } from 'fast-png';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { bestClassHead, bestClassOnnx, bestClassSize } from '../fit/best-class-heads.ts';
import { suppressPlainly } from '../fit/plain-detections.ts';
import { hasOracleModels, openOracle, type Oracle } from './oracle.ts';

const labels = ['a', 'b', 'c', 'd'];
const limits = { ...bestClassSize, scoreThreshold: 0.01, iouThreshold: 0.7, maxDetections: 100 };
/** the minimum confidence that is written with a fitted detector */
const minimumConfidence = 0.25;

describe.skipIf(!hasOracleModels())(
  "boxes with each cell's best class, fitted, as the machine has them (skipped without ../shared/machine-oracle or Python’s onnxruntime)",
  () => {
    let oracle: Oracle;
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sightglass-best-classes-'));
      oracle = await openOracle();
    });
    afterAll(async () => {
      await oracle.close();
      await rm(folder, { recursive: true });
    });

    it.each([11, 12, 13])('are the same detections there, seed %i', async (seed) => {
      const rows = bestClassHead(seed, seed !== 13);
      const [modelFile, labelFile] = [join(folder, `${seed}.onnx`), join(folder, `${seed}.labels.txt`)];
      const fitted = fitModel(bestClassOnnx(rows, seed === 12 ? 'int64' : 'float32'), {
        options: { letterbox: 'stretch' },
        labels,
        modelFile,
        labelFile,
      });
      expect(fitted.family.id).toBe('best-classes');
      await Promise.all([writeFile(modelFile, fitted.model), writeFile(labelFile, labels.join('\n'))]);
      // Twice the input's size: boxes are fractions, whatever the frame is.
      const frame = encode({ width: 192, height: 128, channels: 3, data: new Uint8Array(192 * 128 * 3).fill(90) });
      const [answer] = await oracle.ask([
        { op: 'detect', config: fitted.configuration, camera: '', vision: 'v', frames: [frame], models: { v: modelFile }, modelLabels: labelFile },
      ]); // prettier-ignore
      expect(answer!.error).toBeNull();
      const [found] = answer!.frames;
      expect(found).toMatchObject({ error: null, ability: [false, true] });
      const wanted = suppressPlainly(rows, limits).filter(({ score }) => score >= minimumConfidence);
      expect(wanted.length).toBeGreaterThan(15);
      const said = found!.results.toSorted((a, b) => b.score - a.score);
      expect(said.map(({ label, score }) => [label, score])).toEqual(
        wanted.map(({ category, score }) => [labels[category], expect.closeTo(score, 5)]),
      );
      for (const [row, { box }] of said.entries()) {
        const [yMin, xMin, yMax, xMax] = wanted[row]!.box;
        // The machine counts to the last pixel, and cuts fractions off.
        const inFrame = [xMin! * 191, yMin! * 127, xMax! * 191, yMax! * 127];
        inFrame.forEach((edge, at) => expect(Math.abs(box![at]! + 0.5 - edge)).toBeLessThan(0.501));
      }
    });
  },
);
