import type { Figure } from '../figure.ts';

const frames = [500, 10_000] as const;

export const figure: Figure = {
  title: 'JavaScript heaps and WebAssembly memory of page and worker, the whole loop on 640×480 camera frames',
  async measure({ measureOnPage }) {
    const [early, late] = (await measureOnPage<number[]>('memory', frames)) as [number, number];
    return [
      { name: `after ${frames[0]} frames`, value: early / 2 ** 20, unit: 'MiB' },
      { name: `after ${frames[1]} frames`, value: late / 2 ** 20, unit: 'MiB' },
      { name: 'growth', value: late / early, unit: '×', atMost: 1.02 },
    ];
  },
};
