import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { median, medianRatio, type BenchTools, type Figure, type Measurement } from '../figure.ts';
import { sharedModel, sharedModelPath } from '../shared-data.ts';

const models = ['mobilenet_v2_1.0_224_quant.tflite', 'ssd_mobilenet_v1_coco_quant.tflite'];
const blocks = 5;
const runs = 12;
const warmUp = 5;

export const figure: Figure = {
  title: 'TensorFlow Lite models in the page over the native interpreter, block by block in turn (printed)',
  async measure(tools) {
    const python = process.env['PYTHON'] ?? 'python3';
    const hasNative = ['ai_edge_litert', 'tflite_runtime'].some(
      (name) => spawnSync(python, ['-c', `import ${name}.interpreter`]).status === 0,
    );
    if (!hasNative) {
      tools.note(`no native interpreter here: "pip install ai-edge-litert" for ${python}, or name another by PYTHON`);
    }
    const measurements: Measurement[] = [];
    for (const model of models) {
      const bytes = await sharedModel(model);
      if (!bytes) {
        tools.note(`left out, as ../shared/data/models/${model} is not at hand`);
        continue;
      }
      for (const threads of availableParallelism() > 1 ? [1, 2] : [1]) {
        measurements.push(...(await compared(tools, model, bytes, threads, hasNative ? python : null)));
      }
    }
    return measurements;
  },
};

async function compared(
  { openPage }: BenchTools,
  model: string,
  bytes: Uint8Array,
  threads: number,
  python: string | null,
): Promise<Measurement[]> {
  const page = await openPage('tflite');
  const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  const runInPage = (count: number) =>
    page.evaluate(
      ([modelUrl, ofThreads, rounds]) => {
        const { measure } = globalThis as unknown as {
          measure: (modelUrl: string, threads: number, runs: number) => Promise<readonly number[]>;
        };
        return measure(modelUrl, ofThreads, rounds);
      },
      [url, threads, count] as const,
    );
  await runInPage(warmUp);
  const [inPage, native]: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks; block++) {
    inPage.push(median(await runInPage(runs)));
    if (python !== null) native.push(median(runNative(python, model, threads)));
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

function runNative(python: string, model: string, threads: number): number[] {
  const script = new URL('../peers/native-tflite.py', import.meta.url).pathname;
  const given = [script, sharedModelPath(model), String(threads), String(warmUp), String(runs)];
  const { status, stdout, stderr } = spawnSync(python, given, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The native interpreter failed: ${stderr.trim().split('\n').at(-1)}`);
  return JSON.parse(stdout) as number[];
}
