import type { Figure } from '../figure.ts';
import { memoryInUse } from '../memory-in-use.ts';

const megabytes = (bytes: number) => bytes / 2 ** 20;

export const figure: Figure = {
  title:
    'heap and buffers of page and workers (V8 does not tell WASM) after 10,000 frames over after 500, a tiny model',
  async measure({ openPage, note }) {
    const page = await openPage('memory');
    const after = async (frameCount: number) => {
      await page.evaluate(
        (count) => (globalThis as unknown as { measure: (count: number) => Promise<number> }).measure(count),
        frameCount,
      );
      const { heapBytes, bufferBytes } = await memoryInUse(page.url());
      note(
        `after ${frameCount.toLocaleString('en')}: heap ${megabytes(heapBytes).toFixed(1)} MB, buffers ${megabytes(bufferBytes).toFixed(1)} MB`,
      );
      return megabytes(heapBytes + bufferBytes);
    };
    const early = await after(500);
    const late = await after(10_000);
    await page.close();
    return [
      { name: 'heap and buffers after 500 frames', value: early, unit: 'MB' },
      { name: 'after 10,000 frames', value: late, unit: 'MB' },
      { name: 'after 10,000 over after 500', value: late / early, unit: '×', atMost: 1.02 },
    ];
  },
};
