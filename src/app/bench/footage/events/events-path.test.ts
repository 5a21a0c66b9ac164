import { expect, it } from 'vitest';
import { eventsPath } from './events-path.ts';

it('draws a bar for each event, none too thin to be seen', () => {
  const at = (startMs: number, endMs: number) => ({
    index: 0,
    name: '',
    event: { label: 'cat', firstMs: 0, startMs, endMs, peakScore: 1, isTold: true },
  });
  expect(eventsPath([at(0, 500), at(900, 900)], 1000, 200, 80)).toBe(
    'M0.00 100V80H100.00V100zM180.00 100V80H180.50V100z',
  );
  expect(eventsPath([], 1000, 200, 80)).toBe('');
});
