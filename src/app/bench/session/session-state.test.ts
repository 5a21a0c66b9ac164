import { noTimings } from '../../../../tests/no-timings.ts';
import { describe, expect, it, vi } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { BenchPlan, FrameResult, Notice, StreamStats } from '../../../../workers/vision/protocol.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import { resultsKey } from './plan-in-force.svelte.ts';
import { SessionState } from './session-state.svelte.ts';

const plan: BenchPlan = {
  config: { cameras: [], visionServices: [] },
  visionName: 'v',
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: null,
  thumbnails: false,
};
const unable = { able: false, tensors: [], warnings: [], reason: '', code: '' };
const classifications = { labels: ['cat'], score: Float64Array.of(0.5) };
const frame = (name: string, index = 0): FrameResult => ({
  frame: { name, index, timestampMs: 0 },
  stages: [],
  detections: null,
  classifications,
  problems: [],
  timings: noTimings,
});

/** A worker's stand-in that notes what it is asked, and answers when the test says so. */
function fakeClient() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let announce: (result: FrameResult) => void = () => {};
  let notify: (notice: Notice) => void = () => {};
  let measure: (stats: StreamStats) => void = () => {};
  let failWith: Error | null = null;
  const client: Partial<VisionClient> = {
    setPlan: (wanted) => {
      asked.push(`plan ${wanted.visionName}`);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ detector: unable, classifier: unable, problems: [] }));
      });
    },
    run: async (_frame, info) => {
      asked.push(`run ${info.name}`);
      if (failWith) throw failWith;
      const result = frame(info.name, info.index);
      announce(result);
      return result;
    },
    rerun: async () => {
      asked.push('rerun');
      return null;
    },
    follow: async () => undefined,
    changeSource: () => void asked.push('source'),
    attachStage: () => void asked.push('stage'),
    onResult: (listener) => {
      announce = listener;
      return () => {};
    },
    onStall: () => () => {},
    onFailure: () => () => {},
    onStats: (listener) => {
      measure = listener;
      return () => {};
    },
    onNotice: (listener) => {
      notify = listener;
      return () => {};
    },
  };
  return {
    client: client as VisionClient,
    asked,
    answer: () => waiting.shift()?.(),
    announce: (result: FrameResult) => announce(result),
    notify: (notice: Notice) => notify(notice),
    measure: (stats: StreamStats) => measure(stats),
    fail: (error: Error | null) => (failWith = error),
  };
}

/** Lets promises that are ready run on. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('SessionState', () => {
  it('knows which model made what is on the stage, also while another one takes its place', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const planOf = (modelId: string): BenchPlan => ({
      ...plan,
      models: { v: { modelId, labels: null, dropsFirstLabel: false } },
    });
    expect(session.isMadeBy('v', undefined)).toBe(true);
    for (const modelId of ['old', 'new']) {
      const applied = session.applyPlan(planOf(modelId));
      await settle();
      worker.answer();
      await applied;
      if (modelId === 'new') {
        worker.announce({ ...frame('late'), givenAtMs: 0 }); // given to the worker under the plan before
        expect([session.isMadeBy('v', 'old'), session.isMadeBy('v', 'new')]).toEqual([true, false]);
      }
      worker.announce(frame('a.png'));
      expect([session.isMadeBy('v', 'old'), session.isMadeBy('v', 'new')]).toEqual([
        modelId === 'old',
        modelId === 'new',
      ]);
    }
    expect(session.isMadeBy('v', undefined)).toBe(false);
  });

  it('knows under which plan each result was made, also of a frame that was given before the plan changed', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const take = (result: FrameResult) => (worker.announce(result), session.resultsKeyOf(result));
    expect(take(frame('before any plan'))).toBeUndefined();
    const plans = ['v', 'w'].map((visionName) => ({ ...plan, visionName }));
    for (const wanted of plans) {
      const applied = session.applyPlan(wanted);
      await settle();
      worker.answer();
      await applied;
      expect(take(frame('a.png'))).toBe(resultsKey(wanted));
    }
    expect(take({ ...frame('late'), givenAtMs: 0 })).toBeUndefined();
    expect(take({ ...frame('now'), givenAtMs: performance.now() })).toBe(resultsKey(plans[1]!));
  });

  it('sets a plan and runs the frame again; the same plan costs nothing', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const applied = session.applyPlan(plan);
    worker.answer();
    await applied;
    await session.applyPlan({ ...plan });
    expect(worker.asked).toEqual(['plan v', 'rerun']);
    expect(session.report?.detector.able).toBe(false);
  });

  it('runs the frame under a plan that is wanted once more while it is set', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const applied = session.applyPlan(plan);
    void session.applyPlan({ ...plan });
    worker.answer();
    await applied;
    expect(worker.asked).toEqual(['plan v', 'rerun']);
    expect(session.applied).toEqual(plan);
  });

  it('keeps the scores seen when the list of labels leaves the first one out, and forgets them with the model', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const planned = async (modelId: string, dropsFirstLabel: boolean): Promise<number> => {
      const applied = session.applyPlan({ ...plan, models: { v: { modelId, labels: ['a'], dropsFirstLabel } } });
      worker.answer();
      await applied;
      return session.history.results.length;
    };
    await planned('first', false);
    worker.announce(frame('a.png'));
    expect([await planned('first', true), worker.asked.length]).toEqual([1, 4]);
    expect(await planned('second', true)).toBe(0);
  });

  it('says which model the stage was run with: the new one only once the frame was run again', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const withModel = (modelId: string) => ({ ...plan, models: { v: { modelId, labels: null } } });
    expect(session.ranWith('v', 'first')).toBe(false);
    for (const modelId of ['first', 'second']) {
      const applied = session.applyPlan(withModel(modelId));
      await settle();
      expect(session.ranWith('v', modelId)).toBe(false);
      worker.answer();
      await applied;
      expect(session.ranWith('v', modelId)).toBe(true);
    }
    expect(session.ranWith('v', 'first')).toBe(false);
    expect(session.ranWith('w', 'second')).toBe(false);
  });

  it('skips plans that a later one overtook', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const applied = session.applyPlan({ ...plan, visionName: 'a' });
    void session.applyPlan({ ...plan, visionName: 'b' });
    void session.applyPlan({ ...plan, visionName: 'c' });
    worker.answer();
    await settle();
    worker.answer();
    await applied;
    expect(worker.asked).toEqual(['plan a', 'plan c', 'rerun']);
  });

  it('does not run a frame under a plan that is being replaced', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    void session.applyPlan(plan);
    const ran = session.run(new Blob(), { name: 'a.png', index: 0, timestampMs: 0 });
    await settle();
    expect(worker.asked).toEqual(['plan v']);
    worker.answer();
    await ran;
    expect(worker.asked).toEqual(['plan v', 'rerun', 'run a.png']);
  });

  it('forgets the frames seen when raw results would differ, and keeps them when only the picture does', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const apply = async (wanted: BenchPlan): Promise<void> => {
      const applied = session.applyPlan(wanted);
      worker.answer();
      await applied;
    };
    await apply(plan);
    worker.announce(frame('a.png'));
    await apply({ ...plan, shownStage: -1, thumbnails: true });
    expect(session.history.results).toHaveLength(1);
    await apply({ ...plan, cameraName: 'cropped' });
    expect(session.history.results).toHaveLength(0);
  });

  it('does not count a frame that was under way when the plan changed', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const givenAtMs = performance.now() - 1;
    const applied = session.applyPlan(plan);
    worker.answer();
    await applied;
    worker.announce({ ...frame('cam', 1), givenAtMs });
    expect([session.current?.frame.index, session.history.results.length]).toEqual([1, 0]);
    worker.announce({ ...frame('cam', 2), givenAtMs: performance.now() });
    expect([session.current?.frame.index, session.history.results.length]).toEqual([2, 1]);
  });

  it('tries a plan again that the worker refused', async () => {
    const worker = fakeClient();
    const session = new SessionState({
      ...worker.client,
      setPlan: async () => {
        worker.asked.push('refused');
        throw Object.assign(new Error('model is gone'), { code: 'unknown-model' });
      },
    } as VisionClient);
    await session.applyPlan(plan);
    await session.applyPlan(plan);
    expect(worker.asked).toEqual(['refused', 'refused']);
    expect(session.failure).toEqual({ code: 'unknown-model', message: 'model is gone', where: 'plan' });
  });

  it('says why a frame failed until the next result', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    worker.fail(new Error('truncated JPEG'));
    await session.run(new Blob(), { name: 'bad.jpg', index: 0, timestampMs: 0 });
    expect(session.failure?.message).toBe('truncated JPEG');
    expect(session.busy).toBe(false);
    worker.fail(null);
    await session.run(new Blob(), { name: 'good.jpg', index: 1, timestampMs: 0 });
    expect(session.failure).toBeNull();
    expect(session.current?.frame.name).toBe('good.jpg');
  });

  it('closes the small pictures of a frame with the next one, of a stream with the next that has some, and with its source', () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const closed: string[] = [];
    const pictured = (name: string): FrameResult => {
      const thumbnail = { close: () => closed.push(name) } as unknown as ImageBitmap;
      return { ...frame(name), stages: [{ type: '', step: -1, widthPx: 1, heightPx: 1, thumbnail }] };
    };
    const without = { ...frame('none'), stages: [{ type: '', step: -1, widthPx: 1, heightPx: 1, thumbnail: null }] };
    worker.announce(pictured('a.png'));
    expect(closed).toEqual([]);
    worker.announce(without);
    expect(closed).toEqual(['a.png']);
    session.changeSource('Webcam');
    void session.follow({} as ReadableStream<VideoFrame>, 'Webcam');
    worker.announce(pictured('first'));
    worker.announce(without);
    expect(closed).toEqual(['a.png']);
    worker.announce(pictured('second'));
    expect(closed).toEqual(['a.png', 'first']);
    session.changeSource('b.png');
    expect([closed, session.way.stages]).toEqual([['a.png', 'first', 'second'], []]);
  });

  it('forgets the verdicts on a model’s boxes with the source that they were made on', () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const verdicts = {} as NonNullable<FrameResult['verdicts']>;
    worker.announce({ ...frame('a.png'), verdicts });
    expect(session.verdicts).toBe(verdicts);
    session.changeSource('b.png');
    expect(session.verdicts).toBeNull();
  });

  it('counts no frame that ends after its stream for the next one', async () => {
    const worker = fakeClient();
    let finish = (): void => {};
    const session = new SessionState({
      ...worker.client,
      run: () => new Promise((resolve) => (finish = () => resolve(null))),
    } as VisionClient);
    const streamed = session.runStreamed({} as VideoFrame, { name: 'Webcam', index: 0, timestampMs: 0 });
    await settle();
    session.endStream();
    finish();
    await streamed;
    expect(session.rates.stats).toBeNull();
  });

  it('lists what comes to rest at once, and runs it once more for small pictures that only one before it had', () => {
    vi.useFakeTimers();
    try {
      const worker = fakeClient();
      const session = new SessionState(worker.client);
      const withPicture = (thumbnail: ImageBitmap | null, index: number): FrameResult => ({
        ...frame('Webcam', index),
        stages: [{ type: '', step: -1, widthPx: 1, heightPx: 1, thumbnail }],
      });
      const bitmap = { close: () => undefined } as ImageBitmap;
      const reruns = () => (vi.advanceTimersByTime(200), worker.asked.filter((asked) => asked === 'rerun').length);
      const listed = () => session.listed?.frame.index;
      session.changeSource('Webcam');
      void session.follow({} as ReadableStream<VideoFrame>, 'Webcam');
      worker.announce(withPicture(bitmap, 1));
      worker.announce(withPicture(null, 2));
      expect([listed(), reruns()]).toEqual([undefined, 0]);
      session.isAtRest = true;
      expect([listed(), reruns()]).toEqual([2, 1]);
      worker.announce(withPicture(bitmap, 2));
      worker.announce(withPicture(null, 3)); // the next frame of what is paused
      expect(listed()).toBe(3);
      worker.announce(withPicture(null, 4));
      expect([listed(), reruns()]).toEqual([4, 2]);
      worker.announce(withPicture(null, 4)); // nobody looks at small pictures any more
      expect(reruns()).toBe(2);
      session.isAtRest = false;
      worker.announce(withPicture(bitmap, 5));
      worker.announce(withPicture(null, 6));
      expect(reruns()).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('draws the frame again on a canvas that takes the place of another', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const canvas = {} as HTMLCanvasElement;
    session.attachStage(canvas);
    worker.announce(frame('a'));
    session.attachStage(canvas);
    await settle();
    expect(worker.asked).toEqual(['stage', 'stage', 'rerun']);
  });

  it('runs the frame again that a GPU gave up, if there is one, and no frame for another notice', async () => {
    const worker = fakeClient();
    new SessionState(worker.client);
    worker.notify({ code: 'gpu-lost', message: 'before any frame' });
    worker.announce(frame('a'));
    worker.notify({ code: 'storage-full', message: 'no room' });
    await settle();
    expect(worker.asked).toEqual([]);
    worker.notify({ code: 'gpu-lost', message: 'wrong boxes' });
    await settle();
    expect(worker.asked).toEqual(['rerun']);
  });

  it('shows one notice of a kind', () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    worker.notify({ code: 'gpu-lost', message: 'first' });
    worker.notify({ code: 'gpu-lost', message: 'second' });
    expect(session.notices.list.map(({ message }) => message)).toEqual(['second']);
    session.notices.dismiss(session.notices.list[0]!);
    expect(session.notices.list).toEqual([]);
  });

  it('forgets that a model was ended once another one runs, not when one is gone', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    const planned = async (models: BenchPlan['models']): Promise<number> => {
      const applied = session.applyPlan({ ...plan, models });
      worker.answer();
      await applied;
      return session.notices.list.length;
    };
    const model = (modelId: string) => ({ modelId, labels: null, dropsFirstLabel: false });
    await planned({ v: model('first') });
    worker.notify({ code: 'worker-restarted', message: 'It was ended.' });
    expect(await planned({})).toBe(1);
    expect(await planned({ v: model('second') })).toBe(0);
  });

  it('counts the frames of a video from its first to its last', async () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    await session.runStreamed({} as VideoFrame, { name: 'a.mp4', index: 0, timestampMs: 0 });
    expect(session.rates.stats?.droppedFrames).toBe(0);
    expect(session.rates.stats?.sourceFps).toBeGreaterThan(0);
    session.endStream();
    expect(session.rates.stats).toBeNull();
  });

  it('lists frames of a stream throttled, the last one in the end, and others at once', async () => {
    const worker = fakeClient();
    let nowMs = 0;
    let wake = () => {};
    const clock = { nowMs: () => nowMs, after: (_ms: number, task: () => void) => void (wake = task) };
    const session = new SessionState(worker.client, null, { throttle: new Throttle(100, clock) });
    const places = () => [session.current, session.listed].map((result) => result?.frame.index ?? null);
    session.changeSource('Webcam');
    const following = session.follow({} as ReadableStream<VideoFrame>, 'Webcam');
    worker.announce(frame('Webcam', 1));
    expect(places()).toEqual([1, null]); // a source that changes is told at once, and counts
    nowMs = 200;
    wake();
    expect([...places(), session.history.results.length]).toEqual([1, 1, 1]);
    nowMs = 230;
    worker.announce(frame('Webcam', 2));
    worker.announce(frame('Webcam', 3));
    expect([...places(), session.history.results.length]).toEqual([3, 1, 1]);
    await following;
    session.endStream();
    nowMs = 400;
    wake();
    expect([...places(), session.history.results.length]).toEqual([3, 3, 3]);
    worker.announce(frame('a.png', 4));
    expect(places()).toEqual([4, 4]);
    session.changeSource('another');
    expect(places()).toEqual([null, null]);
  });

  it('hands on the figures of a stream', () => {
    const worker = fakeClient();
    const session = new SessionState(worker.client);
    worker.measure({ sourceFps: 30, inferenceFps: 12, droppedFrames: 18, latencyMs: 80 });
    expect(session.rates.stats?.droppedFrames).toBe(18);
  });
});
