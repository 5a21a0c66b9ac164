import type { Figure } from '../figure.ts';
import { memoryInUse } from '../memory-in-use.ts';

const megabytes = (bytes: number) => bytes / 2 ** 20;

export const figure: Figure = {
  title: 'heap, buffers and WASM memory of page and workers after 10,000 frames over after 500, a tiny model',
  async measure({ openPage, note }) {
    const page = await openPage('memory');
    const after = async (frameCount: number) => {
      await page.evaluate(
        (count) => (globalThis as unknown as { measure: (count: number) => Promise<number> }).measure(count),
        frameCount,
      );
      const { heapBytes, bufferBytes, wasmBytes } = await memoryInUse(page.url());
      note(
        `after ${frameCount.toLocaleString('en')}: heap ${megabytes(heapBytes).toFixed(2)} MB, buffers ${megabytes(bufferBytes).toFixed(2)} MB, WASM ${megabytes(wasmBytes).toFixed(2)} MB`,
      );
      return { scripts: megabytes(heapBytes + bufferBytes), wasm: megabytes(wasmBytes) };
    };
    const early = await after(500);
    const late = await after(10_000);
    await page.close();
    return [
      { name: 'heap and buffers after 500 frames', value: early.scripts, unit: 'MB' },
      { name: 'after 10,000 frames', value: late.scripts, unit: 'MB' },
      { name: 'after 10,000 over after 500', value: late.scripts / early.scripts, unit: '×', atMost: 1.02 },
      { name: 'the same of WASM memory', value: late.wasm / early.wasm, unit: '×', atMost: 1.02 },
    ];
  },
};
