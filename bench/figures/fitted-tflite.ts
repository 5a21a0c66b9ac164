import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import type { FitRequest } from '../../src/models/fit/source/fit-request.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { sharedModel, sharedModelPath } from '../shared-data.ts';
import { nativePython, openTflitePage, runNative } from '../tflite-runs.ts';

const models = ['light_person.tflite', 'face_detection_back.tflite'];
const requests: readonly (readonly [string, FitRequest])[] = [
  ['stretched', {}],
  ['padded from 16:9', { frameSize: { widthPx: 16, heightPx: 9 } }],
];
const blocks = 8;
const runs = 15;
const atMost = 1.1;

export const figure: Figure = {
  title: 'a fitted TensorFlow Lite model over the network alone, one thread, block by block in turn',
  async measure(tools) {
    const python = nativePython(tools);
    const folder = await mkdtemp(join(tmpdir(), 'fitted-tflite-'));
    try {
      const measurements: Measurement[] = [];
      for (const model of models) {
        const bytes = await sharedModel(model);
        if (!bytes) {
          tools.note(`left out, as ../shared/data/models/${model} is not at hand`);
          continue;
        }
        for (const [kind, request] of requests) {
          const fitted = fitModel(bytes, request).model;
          const name = `${model.replace(/\.tflite$/, '')}, ${kind}`;
          measurements.push(await inPage(tools, name, bytes, fitted));
          if (python === null) continue;
          const path = join(folder, model);
          await writeFile(path, fitted);
          measurements.push(
            await inTurn(tools, `${name}, native`, [sharedModelPath(model), path], (file) =>
              runNative(python, file, 1, runs),
            ),
          );
        }
      }
      return measurements;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function inPage(tools: BenchTools, name: string, bare: Uint8Array, fitted: Uint8Array): Promise<Measurement> {
  const pages = [await openTflitePage(tools, bare, 1), await openTflitePage(tools, fitted, 1)] as const;
  const measurement = await inTurn(tools, `${name}, page`, pages, ({ run }) => run(runs));
  for (const page of pages) await page.close();
  return measurement;
}

/** Blocks of both in turn. A run is never faster than the work that it does, so the fastest of each are compared. */
async function inTurn<T>(
  { note }: Pick<BenchTools, 'note'>,
  name: string,
  [bare, fitted]: readonly [T, T],
  run: (of: T) => Promise<readonly number[]> | readonly number[],
): Promise<Measurement> {
  const [alone, whole]: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks; block++) {
    alone.push(...(await run(bare)));
    whole.push(...(await run(fitted)));
  }
  const least = [Math.min(...alone), Math.min(...whole)] as const;
  note(
    `${name}: ${median(alone).toFixed(1)} → ${median(whole).toFixed(1)} ms in the middle, least ${least[0].toFixed(1)} → ${least[1].toFixed(1)} ms`,
  );
  return { name, value: least[1] / least[0], unit: '×', atMost };
}
