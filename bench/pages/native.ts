import { openBareInference } from './bare-inference.ts';

async function measure(modelPath: string, threads: number, rounds: number): Promise<readonly number[]> {
  return (await openBareInference(modelPath, threads))(rounds);
}

Object.assign(globalThis, { measure });
