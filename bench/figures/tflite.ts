import { availableParallelism } from 'node:os';
import { median, medianRatio, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { sharedModel, sharedModelPath } from '../shared-data.ts';
import { nativePython, openTflitePage, runNative } from '../tflite-runs.ts';

const models = ['mobilenet_v2_1.0_224_quant.tflite', 'ssd_mobilenet_v1_coco_quant.tflite'];
const blocks = 5;
const runs = 12;

export const figure: Figure = {
  title: 'TensorFlow Lite models in the page over the native interpreter, block by block in turn (printed)',
  async measure(tools) {
    const python = nativePython(tools);
    const measurements: Measurement[] = [];
    for (const model of models) {
      const bytes = await sharedModel(model);
      if (!bytes) {
        tools.note(`left out, as ../shared/data/models/${model} is not at hand`);
        continue;
      }
      for (const threads of availableParallelism() > 1 ? [1, 2] : [1]) {
        measurements.push(...(await compared(tools, model, bytes, threads, python)));
      }
    }
    return measurements;
  },
};

async function compared(
  tools: BenchTools,
  model: string,
  bytes: Uint8Array,
  threads: number,
  python: string | null,
): Promise<Measurement[]> {
  const page = await openTflitePage(tools, bytes, threads);
  const [inPage, native]: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks; block++) {
    inPage.push(median(await page.run(runs)));
    if (python !== null) native.push(median(runNative(python, sharedModelPath(model), threads, runs)));
  }
  await page.close();
  const on = `${model.replace(/_quant\.tflite$/, '')}, ${threads} thread${threads > 1 ? 's' : ''}`;
  const measurement = { name: `page, ${on}`, value: median(inPage), unit: 'ms' };
  if (python === null) return [measurement];
  return [
    measurement,
    { name: `native, ${on}`, value: median(native), unit: 'ms' },
    { name: `page over native, ${on}`, value: medianRatio(inPage, native), unit: '×' },
  ];
}
