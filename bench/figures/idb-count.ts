import { median, type Figure } from '../figure.ts';

const count = 100_000;
const rounds = 7;

export const figure: Figure = {
  title: `count_only over ${count.toLocaleString('en')} images in IndexedDB`,
  async measure({ measureOnDisk }) {
    const times = await measureOnDisk<readonly number[]>('idb-count', count, rounds);
    return [{ name: 'count and bytes of all', value: median(times), unit: 'ms', atMost: 300 }];
  },
};
