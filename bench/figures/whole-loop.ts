import { availableParallelism } from 'node:os';
import { median, type Figure } from '../figure.ts';

const model = './builtin/models/face-detector.onnx';

export const figure: Figure = {
  title: 'frames a second of the whole loop over bare session.run, 1280×720 camera, built-in detector, WASM',
  async measure({ measureOnPage }) {
    const threads = Math.min(4, availableParallelism());
    const bareMs = median(await measureOnPage<number[]>('native', model, threads, 200));
    const loop = await measureOnPage<{ framesPerSecond: number }>('whole-loop', 10);
    return [
      { name: `session.run alone, ${threads} threads`, value: 1000 / bareMs, unit: 'fps' },
      { name: 'camera to boxes on the stage', value: loop.framesPerSecond, unit: 'fps' },
      { name: 'whole loop over session.run', value: (loop.framesPerSecond * bareMs) / 1000, unit: '×', atLeast: 0.95 },
    ];
  },
};
