import { describe, expect, it } from 'vitest';
import type { OverlayBox } from '../../kit/picture/draw-overlay.ts';
import { detailsOfBoxes } from './draw-details.ts';

const boxOf = (row: number, kept = true): OverlayBox => ({
  row,
  label: 'person',
  score: 0.9,
  colour: '#ff0000',
  corners: [],
  kept,
  selected: false,
  hovered: false,
  faded: false,
});

const doubled = ({ x, y }: { x: number; y: number }) => ({ x: 2 * x, y: 2 * y });

describe('detailsOfBoxes', () => {
  it('gives each box the points of its own row, without those that the model is not sure of', () => {
    const values = Float32Array.of(1, 2, 1, 3, 4, 0.2, 5, 6, 0.25, 7, 8, 0.9);
    const details = { keyPoints: { perRow: 2, values }, masks: null };
    const found = detailsOfBoxes(details, [boxOf(1), boxOf(0)], doubled);
    expect(found.map(({ box, points }) => [box.row, points])).toEqual([
      [1, [{ x: 10, y: 12 }, { x: 14, y: 16 }]],
      [0, [{ x: 2, y: 4 }, null]],
    ]); // prettier-ignore
  });

  it('leaves out boxes that the thresholds drop, and rows that are no boxes of this list', () => {
    const masks = {
      points: Float32Array.of(0, 0, 1, 0, 1, 1, 5, 5, 6, 5, 6, 6, 2, 2, 3, 2, 3, 3),
      ends: Uint32Array.of(3, 6, 9),
      rows: Uint32Array.of(0, 1, 0),
    };
    const found = detailsOfBoxes({ keyPoints: null, masks }, [boxOf(1, false), boxOf(0)], doubled);
    expect(found).toHaveLength(1);
    expect(found[0]!.box.row).toBe(0);
    expect(found[0]!.rings.map((ring) => ring[0])).toEqual([{ x: 0, y: 0 }, { x: 4, y: 4 }]); // prettier-ignore
    expect(found[0]!.rings.map((ring) => ring.length)).toEqual([3, 3]);
  });
});
