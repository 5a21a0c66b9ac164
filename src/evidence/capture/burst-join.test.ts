import { describe, expect, it } from 'vitest';
import { BurstJoin } from './burst-join.ts';
import type { FilteredResult } from './filtered-result.ts';
import type { KeptImage } from './kept-image.ts';

const frame = (index: number) => ({ name: 'webcam', index, timestampMs: index * 33 });
const kept = (index: number) => ({ info: frame(index) }) as KeptImage;
const seen = (index: number) => ({ frame: frame(index) }) as FilteredResult;

/** The frames that are handed on for a row of events: k = kept, s = seen, ! = the end. */
function joined(events: string): string {
  const out: string[] = [];
  const join = new BurstJoin(({ info }, result) => out.push(`${info.index}${result ? '' : '-'}`));
  for (const event of events.split(' ')) {
    if (event === '!') join.flush();
    else if (event.startsWith('k')) join.kept(kept(Number(event.slice(1))));
    else join.seen(seen(Number(event.slice(1))));
  }
  return out.join(' ');
}

describe('BurstJoin', () => {
  it.each([
    ['a result before its frame', 's0 k0', '0'],
    ['a frame before its result', 'k0 s0', '0'],
    ['a frame without one, once a later result is there', 'k0 k1 k2 s2', '0- 1- 2'],
    ['frames in their order', 'k0 k1 s1 k2 k3 s3', '0- 1 2- 3'],
    ['nothing before it is known', 'k0 k1', ''],
    ['all at the end', 'k0 s0 k1 !', '0 1-'],
  ])('hands on %s', (_, events, expected) => {
    expect(joined(events)).toBe(expected);
  });

  it('waits for no result for ever', () => {
    const events = Array.from({ length: 302 }, (_, index) => `k${index}`).join(' ');
    expect(joined(events)).toBe('0- 1-');
  });
});
