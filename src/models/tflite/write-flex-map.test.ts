import { describe, expect, it } from 'vitest';
import { readFlexInts } from './flex-map.ts';
import { writeFlexMap } from './write-flex-map.ts';

describe('writeFlexMap', () => {
  it('writes numbers that are read again, by keys in any order', () => {
    const bytes = writeFlexMap({ max_detections: { int: 100 }, num_classes: { int: 80 }, a: { float: 0.5 }, b: true });
    expect([...readFlexInts(bytes)]).toEqual([
      ['max_detections', 100],
      ['num_classes', 80],
    ]);
  });
});
