import { spawnSync } from 'node:child_process';
import type { BenchTools } from './figure.ts';

// Runs of TensorFlow Lite models, in the page as the app runs them and in the native interpreter.

const warmUp = 5;

/** The Python that has a native interpreter; null if there is none, with a note on what to install. */
export function nativePython({ note }: Pick<BenchTools, 'note'>): string | null {
  const python = process.env['PYTHON'] ?? 'python3';
  const isThere = ['ai_edge_litert', 'tflite_runtime'].some(
    (name) => spawnSync(python, ['-c', `import ${name}.interpreter`]).status === 0,
  );
  if (isThere) return python;
  note(`no native interpreter here: "pip install ai-edge-litert" for ${python}, or name another by PYTHON`);
  return null;
}

/** Milliseconds of `runs` runs of the model in the native interpreter. */
export function runNative(python: string, modelPath: string, threads: number, runs: number): number[] {
  const script = new URL('peers/native-tflite.py', import.meta.url).pathname;
  const given = [script, modelPath, String(threads), String(warmUp), String(runs)];
  const { status, stdout, stderr } = spawnSync(python, given, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The native interpreter failed: ${stderr.trim().split('\n').at(-1)}`);
  return JSON.parse(stdout) as number[];
}

/** Opens a page that runs the model, warm. It gives the milliseconds of each run. */
export async function openTflitePage(
  { openPage }: Pick<BenchTools, 'openPage'>,
  bytes: Uint8Array,
  threads: number,
): Promise<{ readonly run: (count: number) => Promise<readonly number[]>; readonly close: () => Promise<void> }> {
  const page = await openPage('tflite');
  const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  const run = (count: number) =>
    page.evaluate(
      ([modelUrl, ofThreads, rounds]) => {
        const { measure } = globalThis as unknown as {
          measure: (modelUrl: string, threads: number, runs: number) => Promise<readonly number[]>;
        };
        return measure(modelUrl, ofThreads, rounds);
      },
      [url, threads, count] as const,
    );
  await run(warmUp);
  return { run, close: () => page.close() };
}
