import { median, type Figure } from '../figure.ts';

interface Moves {
  readonly times: readonly number[];
  readonly inferences: number;
  readonly boxesInMemory: number;
  readonly changed: boolean;
}

export const figure: Figure = {
  title: 'threshold change with 2,000 frames × 300 raw boxes in memory, until the app has repainted',
  async measure({ measureOnPage, note }) {
    const { times, inferences, boxesInMemory, changed } = await measureOnPage<Moves>('thresholds', 2000, 300, 120);
    if (!changed) throw new Error('Moving the threshold changed nothing on the stage.');
    note(
      `${boxesInMemory.toLocaleString('en')} boxes in memory; slowest of ${times.length}: ${Math.max(...times).toFixed(1)} ms`,
    );
    return [
      { name: 'threshold moved, page painted', value: median(times), unit: 'ms', atMost: 16 },
      { name: 'inferences', value: inferences, unit: '', atMost: 0 },
    ];
  },
};
