import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesKept, frameStages, FrameTimes, type FrameStage, type WorkerTimes } from './frame-times.ts';

const worker: WorkerTimes = {
  decodeMs: 1,
  transformMs: 2,
  preprocessMs: 3,
  modelWaitMs: 4,
  inferenceMs: 50,
  postprocessMs: 5,
  pictureMs: 6,
};
/** 71 ms in the worker, 9 between threads; before, 7 ms until it was this frame's turn */
const marks = { offeredAtMs: 1000, givenAtMs: 1007, answeredAtMs: 1087 };

function seen(times: FrameTimes, inferenceMs = 50): void {
  times.answered({ ...worker, inferenceMs }, { ...marks, answeredAtMs: 1037 + inferenceMs });
}

function medians(times: FrameTimes): Record<FrameStage, number> {
  const { stages } = times.statistics()!;
  return Object.fromEntries(stages.map(({ stage, medianMs }) => [stage, medianMs])) as Record<FrameStage, number>;
}

describe('the times of frames', () => {
  it('say of one frame where each millisecond went', () => {
    const times = new FrameTimes();
    times.answered(worker, marks);
    times.filtered(0.5);
    times.filtered(0.25);
    times.drawn(1089, 1092);
    expect(medians(times)).toEqual({
      decode: 1,
      steps: 2,
      pack: 3,
      wait: 11,
      inference: 50,
      outputs: 5,
      picture: 6,
      handover: 9,
      filter: 0.75,
      page: 1.25,
      draw: 3,
    });
    expect(times.statistics()!.total).toEqual({ medianMs: 92, p95Ms: 92 });
  });

  it('sum to the time from the offer to the drawn boxes, whatever was measured', () => {
    const ms = fc.double({ min: 0, max: 1e4, noNaN: true });
    const measured = fc.record({
      decodeMs: ms,
      transformMs: ms,
      preprocessMs: ms,
      modelWaitMs: ms,
      inferenceMs: ms,
      postprocessMs: ms,
      pictureMs: ms,
    });
    const onPage = fc.record({ queuedMs: ms, betweenMs: ms, filterMs: ms, listsMs: ms, drawMs: ms });
    fc.assert(
      fc.property(measured, onPage, (inWorker, { queuedMs, betweenMs, filterMs, listsMs, drawMs }) => {
        const insideMs = Object.values(inWorker).reduce((sum, one) => sum + one, 0);
        const answeredAtMs = queuedMs + insideMs + betweenMs;
        const fromMs = answeredAtMs + filterMs + listsMs;
        const times = new FrameTimes();
        times.answered(inWorker, { offeredAtMs: 0, givenAtMs: queuedMs, answeredAtMs });
        times.filtered(filterMs);
        times.drawn(fromMs, fromMs + drawMs);
        const [{ total, ...stages }] = times.list() as [Record<FrameStage | 'total', number>];
        expect(Object.values(stages).reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
        expect(total).toBeCloseTo(fromMs + drawMs, 6);
      }),
      { seed: 20261130 },
    );
  });

  it('are of the last 300, the oldest first', () => {
    const times = new FrameTimes();
    for (let frame = 0; frame < framesKept + 20; frame++) seen(times, frame);
    expect(times.statistics()!.frames).toBe(framesKept);
    const listed = times.list().map(({ inference }) => inference);
    expect(listed).toEqual(Array.from({ length: framesKept }, (_, at) => at + 20));
    expect(times.statistics()!.stages.find(({ stage }) => stage === 'inference')).toMatchObject({
      medianMs: 169,
      p95Ms: 304,
    });
  });

  it('have shares that make up the whole', () => {
    const times = new FrameTimes();
    seen(times);
    const { stages } = times.statistics()!;
    expect(stages.map(({ stage }) => stage)).toEqual(frameStages);
    expect(stages.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(stages.find(({ stage }) => stage === 'inference')!.share).toBeCloseTo(50 / 87, 12);
  });

  it('of a frame that took no time are no numbers that cannot be shown', () => {
    const times = new FrameTimes();
    const nothing = Object.fromEntries(Object.keys(worker).map((key) => [key, 0])) as unknown as WorkerTimes;
    times.answered(nothing, { offeredAtMs: 5, givenAtMs: 5, answeredAtMs: 5 });
    expect(times.statistics()!.stages.map(({ share }) => share)).toEqual(frameStages.map(() => 0));
  });

  it('count what is filtered and drawn for the frame once: a threshold that moves later is no part of its way', () => {
    const times = new FrameTimes();
    seen(times);
    times.filtered(1);
    times.drawn(1090, 1092);
    times.filtered(40);
    times.drawn(2000, 2040);
    expect(medians(times)).toMatchObject({ filter: 1, draw: 2 });
    expect(times.statistics()!.total.medianMs).toBe(92);
  });

  it('give a frame that takes the place of an old one none of its times', () => {
    const times = new FrameTimes();
    for (let frame = 0; frame < framesKept; frame++) {
      seen(times);
      times.filtered(7);
      times.drawn(1100, 1110);
    }
    seen(times);
    expect(times.list().at(-1)).toMatchObject({ filter: 0, page: 0, draw: 0, total: 87 });
  });

  it('take nothing for negative where clocks are coarse', () => {
    const times = new FrameTimes();
    times.answered(worker, { ...marks, answeredAtMs: 1077 });
    times.filtered(3);
    times.drawn(1078, 1079);
    expect(medians(times)).toMatchObject({ handover: 0, page: 0 });
  });

  it('begin anew where frames go another way, and are none before the first', () => {
    const times = new FrameTimes();
    expect(times.statistics()).toBeNull();
    expect(times.list()).toEqual([]);
    seen(times);
    times.clear();
    times.drawn(1090, 1092);
    expect(times.statistics()).toBeNull();
    seen(times, 10);
    expect(times.list()).toHaveLength(1);
    expect(medians(times).inference).toBe(10);
  });
});
