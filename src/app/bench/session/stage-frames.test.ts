import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FrameSchedule } from '../../../../workers/vision/client/frame-schedule.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { WorkerCrash, WorkerInterrupted } from '../../../../workers/vision/client/worker-errors.ts';
import type { BenchPlan, FrameResult, PictureOrder, ShownFrame } from '../../../../workers/vision/protocol.ts';
import type { FrameInfo } from '../../../machine/vision/frame/frame-info.ts';
import { SessionState } from './session-state.svelte.ts';

/** A picture says which frame was drawn, and when it was let go. */
interface Drawn {
  readonly info: FrameInfo;
  readonly isReduced: boolean;
  isClosed: boolean;
}

const timings = {
  decodeMs: 0,
  transformMs: 0,
  preprocessMs: 0,
  inferenceMs: 5,
  postprocessMs: 0,
  totalMs: 5,
  modelWaitMs: 0,
  pictureMs: 0,
};

function pictureOf(info: FrameInfo, { within }: PictureOrder): ImageBitmap {
  const drawn: Drawn = { info, isReduced: within !== null, isClosed: false };
  const size = within ? { width: within.widthPx, height: within.heightPx } : { width: 1920, height: 1080 };
  return { ...drawn, ...size, close: () => void (drawn.isClosed = true) } as unknown as ImageBitmap;
}

function shownFrame(info: FrameInfo, order: PictureOrder): ShownFrame {
  const picture = pictureOf(info, order);
  const result = { frame: info, stages: [], detections: null, classifications: null, problems: [], timings };
  return { picture, isReduced: order.within !== null, result: result as FrameResult };
}

/** A call to the worker that the test answers: the frame's result, null, or an error. */
interface Call {
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

/** The page's schedule and session over a worker that answers in any order, hangs, and dies. */
function bench() {
  let calls: Call[] = [];
  /** the frame that the worker holds */
  let held: { frameId: number; info: FrameInfo } | null = null;
  /** what it ran last */
  let ran: { runId: number; info: FrameInfo } | null = null;
  let onCanvas: Drawn | null = null;

  function ask<T>(answer: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = (settle: () => void) => () => {
        calls = calls.filter((other) => other !== call);
        settle();
      };
      const call: Call = { answer: done(() => resolve(answer())), fail: (error) => done(() => reject(error))() };
      calls.push(call);
    });
  }
  function runOf(info: FrameInfo, order: PictureOrder): ShownFrame {
    if (order.runId > (ran?.runId ?? 0)) ran = { runId: order.runId, info };
    return shownFrame(info, order);
  }
  const api = {
    run: (_image, info, frameId, order) =>
      ask(() => {
        if (!held || held.frameId < frameId) held = { frameId, info };
        return runOf(info, order);
      }),
    rerun: (frameId, order) => {
      const asked = held?.frameId === frameId ? held : null;
      return ask(() => asked && runOf(asked.info, order));
    },
    redraw: (order) => ask(() => (ran?.runId === order.runId ? pictureOf(ran.info, order) : null)),
  } satisfies ConstructorParameters<typeof FrameSchedule>[0];

  let tell: (result: FrameResult) => void = () => {};
  let tellFailure: (error: unknown) => void = () => {};
  const schedule = new FrameSchedule(api, {
    onResult: (result) => tell(result),
    onStall: () => {},
    onFailure: (error) => tellFailure(error),
  });
  schedule.stage.canvas = {
    show: (picture) => (onCanvas = picture as unknown as Drawn),
    copy: () => Promise.reject(new Error('No picture is copied here.')),
  };
  const endWorker = (error: Error, showsStill: boolean): void => {
    schedule.forgetWorker();
    held = ran = null;
    for (const call of [...calls]) call.fail(error);
    if (showsStill) void settle().then(() => schedule.restoreStill()); // a worker takes longer to start than to end
  };
  const quiet = () => () => {};
  const session = new SessionState({
    run: (frame, info) => schedule.show(frame, info),
    rerun: () => schedule.showAgain(),
    changeSource: () => schedule.changeSource(),
    setPlan: async () => ({ detector: unable, classifier: unable, problems: [] }),
    fillStage: (within, restsWithin = null) => {
      schedule.stage.within = within;
      schedule.stage.restsWithin = restsWithin;
    },
    endRun: () => endWorker(new WorkerInterrupted('stopped'), false),
    onResult: (listener) => {
      tell = listener;
      return () => {};
    },
    onFailure: (listener) => {
      tellFailure = listener;
      return () => {};
    },
    onStats: quiet,
    onNotice: quiet,
    onStall: quiet,
  } as Partial<VisionClient> as VisionClient);

  return {
    session,
    get calls() {
      return calls;
    },
    get onCanvas() {
      return onCanvas;
    },
    /** the frame that the worker ran last; null = none */
    get ranLast() {
      return ran?.info ?? null;
    },
    crash: () => endWorker(new WorkerCrash('gone'), true),
    /** another call did not heed its abort */
    endHungLoad: () => endWorker(new WorkerInterrupted('hung'), true),
  };
}

const unable = { able: false, tensors: [], warnings: [], reason: '', code: '' };
const settle = async (turns = 20): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
};
const planOf = (visionName: string): BenchPlan => ({
  config: { cameras: [], visionServices: [] },
  visionName,
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: null,
  thumbnails: false,
});

/** What happens next; `which` chooses among the calls under way. */
interface Step {
  readonly do:
    | 'still'
    | 'stream'
    | 'frame'
    | 'answer'
    | 'fail'
    | 'plan'
    | 'again'
    | 'crash'
    | 'stop'
    | 'endHungLoad'
    | 'zoom'
    | 'fit'
    | 'rest';
  readonly which: number;
}

const step = (weight: number, ...kinds: readonly Step['do'][]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...kinds), which: fc.nat(3) }),
});
const steps = fc.array(
  fc.oneof(
    step(2, 'still', 'stream'),
    step(5, 'frame'),
    step(5, 'answer', 'answer', 'answer', 'fail'),
    step(3, 'zoom', 'fit', 'rest'),
    step(2, 'plan', 'again', 'crash', 'stop', 'endHungLoad'),
  ),
  { minLength: 5, maxLength: 60 },
);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('what the stage shows', () => {
  it('is the frame of the source that was chosen last with its own result, or none, and the state says which', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (doing) => {
        const testBench = bench();
        const { session } = testBench;
        let sources = 0;
        let frames = 0;
        let newest = 0;
        let isLive = false;
        const run = (frame: Blob | VideoFrame) =>
          void session.run(frame, { name: session.sourceName, index: ++frames, timestampMs: 0 });
        const take = (step: Step): void => {
          const call = testBench.calls[step.which % testBench.calls.length];
          switch (step.do) {
            case 'still':
            case 'stream':
              session.changeSource(`source ${++sources}`);
              isLive = step.do === 'stream';
              return isLive ? undefined : run(new Blob());
            case 'frame':
              return isLive ? run({ close() {} } as VideoFrame) : undefined;
            case 'answer':
              return call?.answer();
            case 'fail':
              return call?.fail(new Error('This picture cannot be read.'));
            case 'plan':
              return void session.applyPlan(planOf(`plan ${frames++}`));
            case 'again':
              return void session.rerun();
            case 'stop':
              return sources > 0 ? session.stopModel() : undefined;
            case 'crash':
              return testBench.crash();
            case 'endHungLoad':
              return testBench.endHungLoad();
            case 'zoom':
              return session.fillStage(null);
            case 'fit':
              return session.fillStage({ widthPx: 640, heightPx: 360 });
            case 'rest':
              session.fillStage(null, { widthPx: 640, heightPx: 360 });
              vi.advanceTimersByTime(1000);
          }
        };
        const check = (): void => {
          const { current, stage, sourceName, failure } = session;
          if (current) {
            expect([current.frame.name, current.frame]).toEqual([sourceName, testBench.onCanvas?.info]);
            expect(current.frame.index).toBeGreaterThanOrEqual(newest);
            newest = current.frame.index;
          }
          expect(stage === 'shown').toBe(current !== null);
          expect(stage === 'empty').toBe(sources === 0);
          if (stage === 'failed') expect(failure).not.toBeNull();
          if (failure)
            expect([failure.where, failure.code]).toEqual([sourceName, expect.not.stringMatching('interrupted')]);
        };
        for (const step of doing) {
          take(step);
          await settle(60);
          check();
        }
        for (const _ of ['under way', 'at rest']) {
          while (testBench.calls.length > 0) {
            testBench.calls[0]!.answer();
            await settle(60);
            check();
          }
          session.fillStage(null);
        }
        // Of a worker that is gone, and of a frame that another took the place of, nothing can be drawn again.
        if (session.current && testBench.ranLast === session.current.frame)
          expect(testBench.onCanvas?.isReduced).toBe(false);
        // Nothing is under way any more: a still that is awaited now would be awaited for ever.
        if (sources > 0 && !isLive) expect(['shown', 'failed']).toContain(session.stage);
      }),
      { seed: 13, numRuns: 400 },
    );
  });
});
