import { describe, expect, it } from 'vitest';
import type { FrameResult } from '../../rpc/vision-protocol.ts';
import { FrameHistory } from './frame-history.svelte.ts';

const seen = (name: string, index: number, labels = ['cat']): FrameResult => ({
  frame: { name, index, timestampMs: 0 },
  stages: [],
  detections: {
    count: 0,
    labels,
    labelIndex: new Uint32Array(),
    score: new Float64Array(),
    box: new Int32Array(),
    frameWidthPx: 1,
    frameHeightPx: 1,
    boxSpace: 'proportional',
    droppedNaN: 0,
  },
  classifications: null,
  problems: [],
  timings: { decodeMs: 0, transformMs: 0, preprocessMs: 0, inferenceMs: 0, postprocessMs: 0, totalMs: 0 },
});

describe('FrameHistory', () => {
  it('counts a frame that runs again once', () => {
    const history = new FrameHistory();
    history.add(seen('a', 0));
    history.add(seen('b', 1));
    history.add(seen('a', 0));
    expect(history.results.map(({ frame }) => frame.name)).toEqual(['a', 'b']);
  });

  it('tells frames of one stream apart', () => {
    const history = new FrameHistory();
    history.add(seen('webcam', 0));
    history.add(seen('webcam', 1));
    expect(history.results).toHaveLength(2);
  });

  it('keeps the last 2,000', () => {
    const history = new FrameHistory();
    for (let index = 0; index < 2003; index++) history.add(seen('webcam', index));
    expect(history.results).toHaveLength(2000);
    expect(history.results[0]!.frame.index).toBe(3);
  });

  it('shares one label table between frames', () => {
    const history = new FrameHistory();
    history.add(seen('a', 0, ['cat', 'dog']));
    history.add(seen('b', 1, ['cat', 'dog']));
    const [first, second] = history.results;
    expect(first!.detections!.labels).toBe(second!.detections!.labels);
  });
});
