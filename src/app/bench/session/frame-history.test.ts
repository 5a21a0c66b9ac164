import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { noTimings } from '../../../../tests/no-timings.ts';
import { describe, expect, it } from 'vitest';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { FrameHistory } from './frame-history.svelte.ts';

const seen = (name: string, index: number, labels = ['cat'], score = index): FrameResult => ({
  frame: { name, index, timestampMs: 0 },
  stages: [],
  detections: {
    count: 1,
    labels,
    labelIndex: new Uint32Array(1),
    score: Float64Array.of(score),
    box: new Int32Array(4),
    frameWidthPx: 1,
    frameHeightPx: 1,
    boxSpace: 'proportional',
    droppedNaN: 0,
  },
  classifications: null,
  problems: [],
  timings: noTimings,
});

/** Takes frames in and counts them at once. */
function add(history: FrameHistory, ...frames: readonly FrameResult[]): void {
  for (const frame of frames) history.add(frame);
  history.renew();
}

describe('FrameHistory', () => {
  it('counts what was added once it is renewed', () => {
    const history = new FrameHistory();
    history.add(seen('a', 0));
    expect(history.results).toEqual([]);
    history.renew();
    expect(history.results).toHaveLength(1);
  });

  it('counts a frame that runs again once', () => {
    const history = new FrameHistory();
    add(history, seen('a', 0, ['cat'], 0.25));
    add(history, seen('b', 1, ['cat'], 0.5));
    add(history, seen('a', 0, ['cat'], 0.75));
    expect(history.results.map(({ detections }) => detections!.score[0])).toEqual([0.75, 0.5]);
  });

  it('counts no frame that no model saw', () => {
    const history = new FrameHistory();
    add(history, { ...seen('a', 0), detections: null });
    expect(history.results).toEqual([]);
  });

  it('tells frames of one stream apart', () => {
    const history = new FrameHistory();
    add(history, seen('webcam', 0));
    add(history, seen('webcam', 1));
    expect(history.results).toHaveLength(2);
  });

  it('keeps the last 2,000', () => {
    const history = new FrameHistory();
    add(history, ...Array.from({ length: 2003 }, (_, index) => seen('webcam', index)));
    expect(history.results).toHaveLength(2000);
    expect(history.results[0]!.detections!.score[0]).toBe(3);
  });

  it('shares one label table between frames, of detections and of classifications', () => {
    const history = new FrameHistory();
    for (const name of ['a', 'b']) {
      const classifications = { labels: ['cat', 'dog'], score: Float64Array.of(0.5, 0.25) };
      add(history, { ...seen(name, 0, ['cat', 'dog']), classifications });
    }
    const [first, second] = history.results;
    expect(first!.detections!.labels).toBe(second!.detections!.labels);
    expect(first!.classifications!.labels).toBe(second!.classifications!.labels);
  });

  it('counts the frames of the source on the stage, or all that were seen, and says when there are others', () => {
    const history = new FrameHistory();
    const scores = () => history.results.map(({ detections }) => detections!.score[0]);
    history.enter('the samples');
    add(history, seen('a', 0, ['cat'], 0.25));
    expect([scores(), history.hasOthers]).toEqual([[0.25], false]);
    history.enter('Webcam');
    expect([scores(), history.hasOthers, history.source]).toEqual([[], true, 'Webcam']);
    add(history, seen('a', 0, ['cat'], 0.5));
    expect(scores()).toEqual([0.5]);
    history.scope = 'all';
    expect(scores()).toEqual([0.25, 0.5]);
    history.scope = 'source';
    history.enter('the samples');
    expect(scores()).toEqual([0.25]);
    history.clear();
    expect([scores(), history.hasOthers]).toEqual([[], false]);
  });

  it('has the scores of a model again that comes back, of a few before', () => {
    const history = new FrameHistory();
    const seenUnder = (plan: string) => {
      history.enterPlan(plan);
      return history.results.map(({ detections }) => detections!.score[0]);
    };
    for (const [at, plan] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      expect(seenUnder(plan)).toEqual([]);
      add(history, seen('f', 0, ['cat'], at));
    }
    expect(['a', 'e', 'd', 'c'].map(seenUnder)).toEqual([[], [4], [3], [2]]);
    history.clear();
    expect(['e', 'd'].map(seenUnder)).toEqual([[], []]);
  });

  it('keeps neither pictures nor what made the scores', () => {
    const history = new FrameHistory();
    add(history, { ...seen('a', 0), grey: new Uint8Array(256) });
    expect(Object.keys(history.results[0]!)).toEqual(['source', 'detections', 'classifications']);
    expect(Object.keys(history.results[0]!.detections!)).toEqual(['count', 'labels', 'labelIndex', 'score']);
  });
});

describe('scores over a reload', () => {
  const scores = (history: FrameHistory) => history.results.map(({ detections }) => detections!.score[0]);

  it('are forgotten with those on show, and only where they are of the same plan', () => {
    const memory = memoryStorage();
    const kept = new FrameHistory(memory);
    kept.enterPlan('model a');
    add(kept, seen('f', 1));
    kept.keep();

    const other = new FrameHistory(memory);
    other.enterPlan('model b');
    other.clear();
    other.enterPlan('model a');
    expect(scores(other)).toEqual([1]);
    other.clear();
    other.enterPlan('model a');
    expect(scores(other)).toEqual([]);
  });

  it('come back with the same model and configuration, each frame once, and with no other', () => {
    const memory = memoryStorage();
    const before = new FrameHistory(memory);
    before.enter('film');
    before.enterPlan('model a');
    add(before, seen('f', 1), seen('f', 2));
    before.keep();

    const after = new FrameHistory(memory);
    after.enter('film');
    after.enterPlan('no model yet');
    after.keep();
    expect(scores(after)).toEqual([]);
    after.enterPlan('model a');
    expect(scores(after)).toEqual([1, 2]);
    add(after, seen('f', 2, ['cat'], 7), seen('f', 3));
    expect(scores(after)).toEqual([1, 7, 3]);
    after.enterPlan('model b');
    expect(scores(after)).toEqual([]);
    add(after, seen('f', 1));
    after.keep();
    const next = new FrameHistory(memory);
    next.enter('film');
    next.enterPlan('model b');
    expect(scores(next)).toEqual([1]);
    next.enterPlan('model a');
    expect(scores(next)).toEqual([1, 7, 3]);
    next.enterPlan('model c');
    expect(scores(next)).toEqual([]);
  });

  it('come back on going back to a model of an earlier visit, of the latest few', () => {
    const memory = memoryStorage();
    for (const [at, plan] of ['a', 'b', 'c', 'd'].entries()) {
      const visit = new FrameHistory(memory);
      visit.enterPlan(plan);
      add(visit, seen('f', at));
      visit.keep();
    }
    const last = new FrameHistory(memory);
    const seenUnder = (plan: string) => {
      last.enterPlan(plan);
      return scores(last);
    };
    expect(['d', 'c', 'b', 'a'].map(seenUnder)).toEqual([[3], [2], [1], []]);
    last.clear();
    const after = new FrameHistory(memory);
    after.enterPlan('b');
    expect(scores(after)).toEqual([]);
  });

  it('are gone for good once they were forgotten', () => {
    const memory = memoryStorage();
    const before = new FrameHistory(memory);
    before.enterPlan('model a');
    add(before, seen('f', 1));
    before.keep();
    before.clear();
    before.keep();
    const after = new FrameHistory(memory);
    after.enterPlan('model a');
    expect(after.results).toEqual([]);
  });
});
