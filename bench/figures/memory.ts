import type { Figure } from '../figure.ts';

const megabytes = (bytes: number) => bytes / 2 ** 20;

/** After this many frames the history of 2,000 frames is full and its entries have been replaced. */
const filledAt = 2500;
const lastAt = 10_000;

export const figure: Figure = {
  title: 'what page and workers hold after 10,000 frames over after 2,500, when the history is full; a tiny model',
  limitMinutes: 10,
  async measure({ openWatchedPage, note, at }) {
    const { page, memoryInUse } = await openWatchedPage('memory');
    const after = async (frameCount: number): Promise<{ all: number; wasm: number }> => {
      await page.evaluate(
        (count) => (globalThis as unknown as { measure: (count: number) => Promise<number> }).measure(count),
        frameCount,
      );
      at(`at the question what is held after ${frameCount} frames`);
      const { heapBytes, bufferBytes, wasmBytes, gpuBytes } = await memoryInUse();
      const parts = { heap: heapBytes, buffers: bufferBytes, WASM: wasmBytes, GPU: gpuBytes };
      const texts = Object.entries(parts).map(([name, bytes]) => `${name} ${megabytes(bytes).toFixed(2)} MB`);
      note(`after ${frameCount.toLocaleString('en')}: ${texts.join(', ')}`);
      return { all: megabytes(heapBytes + bufferBytes + wasmBytes + gpuBytes), wasm: megabytes(wasmBytes) };
    };
    const filled = await after(filledAt);
    await after(5000);
    const late = await after(lastAt);
    await page.close();
    return [
      { name: `heap, buffers, WASM and GPU memory after ${filledAt} frames`, value: filled.all, unit: 'MB' },
      { name: `after ${lastAt}`, value: late.all, unit: 'MB' },
      { name: `after ${lastAt} over after ${filledAt}`, value: late.all / filled.all, unit: '×', atMost: 1.02 },
      { name: 'the same of WASM memory alone', value: late.wasm / filled.wasm, unit: '×', atMost: 1.02 },
    ];
  },
};
