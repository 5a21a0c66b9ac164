import { expect, it, vi } from 'vitest';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import type { RunSetup } from '../../../evidence/footage/run-setup.ts';
import type { FootageReader } from '../../../platform/ports/footage-reader.ts';
import { collect } from '../../../../tests/collect.ts';
import { memoryFootageStore } from '../../../../tests/footage-frames.ts';
import { ModelRunError } from '../../captures/run-model.ts';
import { FootageRun } from './footage-run.svelte.ts';

const setup = (configKey: string, labels: readonly string[] | null): RunSetup => ({
  version: '1',
  source: { kind: 'folder', name: 'yard', sha256: 'slices:f' },
  serviceName: 'finder',
  cameraName: null,
  steps: [],
  filter: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  models: { finder: { fileName: 'm.onnx', sha256: 'ab', labelsSha256: JSON.stringify(labels) } },
  configKey,
  configText: '{}',
  choice: { every: 1, fromMs: 0, toMs: null, framesPerSecond: 1 },
});

interface Answer {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function open(): Answer {
  let resolve!: Answer['resolve'];
  let reject!: Answer['reject'];
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** Footage of some pictures, and a model that answers when it is told to. */
function lab(count: number, store = memoryFootageStore(), configKey = 'key') {
  const now: { configKey: string; labels: readonly string[] | null } = { configKey, labels: ['cat'] };
  const asked: number[] = [];
  const answers = new Map<number, Answer>();
  const answerOf = (index: number): Answer => {
    const known = answers.get(index) ?? open();
    answers.set(index, known);
    return known;
  };
  const reader: FootageReader = {
    name: 'yard',
    kind: 'pictures',
    fingerprint: 'f',
    frameCount: count,
    durationMs: 1000 * count,
    whySlow: '',
    async *frames(behind, signal) {
      for (let index = behind ? behind.index + 1 : 0; index < count && !signal.aborted; index++)
        yield { image: new Blob(), index, timeMs: 1000 * index, name: `${index}.png` };
    },
    frameAt: async () => null,
  };
  let nowMs = 0;
  const run = new FootageRun({
    open: async () => reader,
    prepare: async () => ({
      see: async (_, { index }) => {
        asked.push(index);
        await answerOf(index).promise;
        const labels = now.labels ?? ['0'];
        return {
          stages: [],
          detections: null,
          classifications: { labels, score: Float64Array.of(index / 10) },
          problems: [],
        } as never;
      },
      draw: () => Promise.reject(new Error('Nothing is drawn.')),
    }),
    setupOf: async () => setup(now.configKey, now.labels),
    names: () => ({ service: 'finder', labels: now.labels }),
    store,
    newId: () => `run ${store.kept.size}`,
    now: () => (nowMs += 600),
  });
  return {
    run,
    asked,
    now,
    store,
    answerOf,
    answer: (...indices: number[]) => indices.forEach((index) => answerOf(index).resolve()),
  };
}

const framesOf = (run: FootageRun): Promise<FootageFrame[]> => collect(run.frames.all());
const indices = async (run: FootageRun): Promise<number[]> => (await framesOf(run)).map(({ index }) => index);

it('runs two frames at once, and keeps their order whatever is ready first', async () => {
  const { run, asked, answer, store } = lab(4);
  const started = run.start();
  await vi.waitFor(() => expect(asked).toEqual([0, 1]));
  answer(1, 3);
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked, await indices(run)]).toEqual([[0, 1], []]);
  answer(0, 2);
  await started;
  expect([run.state.kind, await indices(run), run.count, run.fraction]).toEqual(['done', [0, 1, 2, 3], 4, 1]);
  expect([...store.kept.values()]).toMatchObject([
    { run: { isWhole: true }, frames: [{ index: 0 }, {}, {}, { index: 3 }] },
  ]);
});

it('goes on behind the last frame that is kept, also in another visit', async () => {
  const first = lab(4);
  const started = first.run.start();
  first.answer(0, 1);
  await vi.waitFor(() => expect(first.run.frames.count).toBe(2));
  first.run.cancel();
  first.answer(2, 3);
  await started;
  expect(first.run.state.kind).toBe('cancelled');
  const second = lab(4, first.store);
  second.answer(2, 3);
  await second.run.start();
  expect([second.asked, await indices(second.run), second.run.resumedCount]).toEqual([[2, 3], [0, 1, 2, 3], 2]);
  expect(first.store.kept.size).toBe(1);
  // All frames hold one list of labels, those that were read back too.
  expect(new Set((await framesOf(second.run)).map(({ classifications }) => classifications!.labels)).size).toBe(1);
});

it('begins anew under another configuration, and says why', async () => {
  const first = lab(2);
  first.answer(0, 1);
  await first.run.start();
  const second = lab(2, first.store, 'other');
  second.answer(0, 1);
  await second.run.start();
  expect([second.asked, second.run.whyNew]).toEqual([
    [0, 1],
    'the configuration differs in more than the thresholds of the service',
  ]);
  expect(first.store.kept.size).toBe(2);
});

it('names classes anew under another label file, and runs no frame again', async () => {
  const namesOf = async (run: FootageRun) =>
    (await framesOf(run)).map(({ classifications }) => classifications!.labels.join());
  const { run, asked, answer, now, store } = lab(3);
  answer(0, 1);
  const started = run.start();
  await vi.waitFor(() => expect(run.frames.count).toBe(2));
  run.cancel();
  answer(2);
  await started;
  now.labels = ['lynx'];
  await run.start();
  expect([asked, await namesOf(run)]).toEqual([
    [0, 1, 2, 2],
    ['lynx', 'lynx', 'lynx'],
  ]);
  // Another visit reads frames that lie under the former names.
  const second = lab(3, store);
  second.now.labels = ['lynx'];
  await second.run.start();
  expect([second.asked, await namesOf(second.run)]).toEqual([[], ['lynx', 'lynx', 'lynx']]);
  second.now.labels = null;
  await second.run.renew();
  expect([second.asked, await namesOf(second.run), store.kept.size]).toEqual([[], ['0', '0', '0'], 1]);
  // A list of other classes is another run.
  second.now.labels = ['lynx', 'wolf'];
  second.answer(0, 1, 2);
  await second.run.renew();
  expect([second.asked, second.run.whyNew]).toEqual([[0, 1, 2], 'the labels of "finder" were others']);
});

it('begins again when it is shown again under another configuration, and not under the same one', async () => {
  const { run, asked, answer, now } = lab(2);
  answer(0, 1);
  await run.start();
  await run.renew();
  expect([asked, run.state.kind]).toEqual([[0, 1], 'done']);
  now.configKey = 'other';
  await run.renew();
  expect([asked, run.state.kind, run.setup!.configKey]).toEqual([[0, 1, 0, 1], 'done', 'other']);
});

it('pauses between frames, keeps what it has, and goes on', async () => {
  const { run, asked, answer, store } = lab(5);
  const started = run.start();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  run.pause();
  answer(0, 1, 2, 3, 4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([0, 1]);
  expect(run.state).toEqual({ kind: 'running', isPaused: true });
  run.resume();
  await started;
  expect([...store.kept.values()][0]!.frames).toHaveLength(5);
});

it('goes on behind a frame that failed, which stays among the others with its reason', async () => {
  const { run, answer, answerOf } = lab(3);
  answerOf(1).reject(new Error('It is not a picture.'));
  answer(0, 2);
  await run.start();
  expect((await framesOf(run)).map(({ failure }) => failure?.message ?? null)).toEqual([
    null,
    'It is not a picture.',
    null,
  ]);
});

it('stops where every frame would fail alike, and keeps what was run', async () => {
  const { run, answer, answerOf, store } = lab(3);
  answer(0);
  answerOf(1).reject(new ModelRunError('changed', 'The configuration was changed.'));
  await run.start();
  expect(run.state).toMatchObject({ kind: 'failed', words: { message: 'The configuration was changed.' } });
  expect([...store.kept.values()][0]!.frames.map(({ index }) => index)).toEqual([0]);
});

it('runs on where nothing can be kept, and says so', async () => {
  const store = { ...memoryFootageStore(), append: () => Promise.reject(new Error('The disk is full.')) };
  const { run, answer } = lab(2, store);
  answer(0, 1);
  await run.start();
  expect([run.state.kind, run.count, run.whyNotKept]).toEqual(['done', 2, 'The disk is full.']);
});
