import { expect, it, vi } from 'vitest';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { ResultStore } from '../../../platform/ports/result-store.ts';
import { ModelRunError } from '../../captures/run-model.ts';
import type { TruthImage, TruthSource } from '../ports/truth-source.ts';
import { EvaluationRun } from './evaluation-run.svelte.ts';

const image = (id: string, labels: readonly string[] = []): TruthImage => ({
  id,
  name: `${id}.jpg`,
  sizeBytes: 100,
  boxes: [],
  labels,
  sequence: '',
});

const raw = (name: string): RawImage => ({
  widthPx: 10,
  heightPx: 10,
  labels: [name],
  labelIndex: Uint32Array.of(0),
  score: Float64Array.of(0.5),
  box: Float64Array.of(0, 0, 1, 1),
  seen: null,
  classes: null,
});

function memoryStore(): Pick<ResultStore, 'find' | 'put'> & { readonly kept: Map<string, RawImage> } {
  const kept = new Map<string, RawImage>();
  return {
    kept,
    find: async (key, ids) => new Map(ids.flatMap((id) => (kept.has(key + id) ? [[id, kept.get(key + id)!]] : []))),
    put: async (key, id, result) => {
      kept.set(key + id, result);
      return true;
    },
  };
}

interface Answer {
  readonly promise: Promise<RawImage>;
  readonly resolve: (result: RawImage) => void;
  readonly reject: (error: Error) => void;
}

function open(): Answer {
  let resolve!: Answer['resolve'];
  let reject!: Answer['reject'];
  const promise = new Promise<RawImage>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** A set of images, and a model that answers when it is told to. */
function lab(ids: readonly string[], store = memoryStore()) {
  const asked: string[] = [];
  const answers = new Map<string, Answer>();
  const answerOf = (name: string): Answer => {
    const known = answers.get(name) ?? open();
    answers.set(name, known);
    return known;
  };
  const set = { images: ids.map((id) => image(id)) };
  const clock = { nowMs: 0 };
  const naming = { rename: (kept: RawImage): RawImage | null => kept };
  const source: TruthSource = {
    sets: async () => [],
    async images(_, signal) {
      signal.throwIfAborted();
      return set.images;
    },
    bytes: async (_, wanted) => new Map(wanted.filter((id) => id !== 'gone').map((id) => [id, new Uint8Array(1)])),
    pairs: async () => null,
    keepPairs: async () => undefined,
    editorHref: () => '',
  };
  const run = new EvaluationRun({
    prepare: async () => ({
      key: 'model',
      serviceName: 'finder',
      modelName: 'a.onnx',
      sha256: '',
      cameraName: null,
      models: [],
      backend: 'WASM',
      configText: '{}',
      isInForce: true,
      onBench: { serviceName: 'finder', modelName: 'a.onnx' },
      rename: (kept) => naming.rename(kept),
      setup: '',
      run: (_, name) => {
        asked.push(name);
        return answerOf(name).promise;
      },
    }),
    store,
    now: () => clock.nowMs,
  });
  return {
    run,
    source,
    set,
    clock,
    naming,
    asked,
    store,
    answer: (id: string) => answerOf(`${id}.jpg`).resolve(raw(id)),
    answerOf,
    /** The next run of these images gets answers of its own. */
    renew: (...names: readonly string[]) => names.forEach((name) => answers.delete(name)),
  };
}

it('runs two images at once, in order, and shows them in the order of the set', async () => {
  const { run, source, asked, answer } = lab(['a', 'b', 'c']);
  const started = run.start(source, 's');
  await vi.waitFor(() => expect(asked).toEqual(['a.jpg', 'b.jpg']));
  answer('b');
  await vi.waitFor(() => expect(asked).toEqual(['a.jpg', 'b.jpg', 'c.jpg']));
  answer('c');
  answer('a');
  await started;
  expect([run.state.kind, run.results.map(({ raw: { labels } }) => labels[0])]).toEqual(['done', ['a', 'b', 'c']]);
});

it('reads back what was run before under the same key, and runs only the others', async () => {
  const store = memoryStore();
  store.kept.set('modela', raw('a'));
  store.kept.set('otherb', raw('b'));
  const { run, source, asked, answer } = lab(['a', 'b'], store);
  answer('b');
  await run.start(source, 's');
  expect(asked).toEqual(['b.jpg']);
  expect(run.results).toHaveLength(2);
  expect(store.kept.has('modelb')).toBe(true);
});

it('names kept results anew, keeps them so, and runs only those that cannot be named', async () => {
  const store = { ...memoryStore() };
  const put = (store.put = vi.fn(store.put));
  for (const id of ['a', 'b']) store.kept.set(`model${id}`, raw(id));
  const { run, source, asked, answer, naming } = lab(['a', 'b'], store);
  naming.rename = (kept) => (kept.labels[0] === 'a' ? { ...kept, labels: ['lynx'] } : null);
  answer('b');
  await run.start(source, 's');
  expect(asked).toEqual(['b.jpg']);
  expect(run.results.map(({ raw: { labels } }) => labels)).toEqual([['lynx'], ['b']]);
  expect(store.kept.get('modela')!.labels).toEqual(['lynx']);
  expect(put.mock.calls.map(([, id]) => id)).toEqual(['a', 'b']);
  naming.rename = (kept) => ({ ...kept });
  await run.start(source, 's');
  expect(put).toHaveBeenCalledTimes(2); // what is named as it was is not written again
});

it('counts no image that failed, and says why', async () => {
  const { run, source, answer, answerOf } = lab(['a', 'gone', 'broken']);
  answer('a');
  answerOf('broken.jpg').reject(new Error('It is not a picture.'));
  await run.start(source, 's');
  expect(run.state.kind).toBe('done');
  expect(run.results.map(({ image: { id } }) => id)).toEqual(['a']);
  expect(run.failed.map(({ image: { id }, why }) => [id, why])).toEqual([
    ['gone', 'It is no longer stored.'],
    ['broken', 'It is not a picture.'],
  ]);
});

it('stops where every image would fail alike, and keeps what was run', async () => {
  const { run, source, asked, answer, answerOf } = lab(['a', 'b', 'c']);
  const started = run.start(source, 's');
  answer('a');
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  answerOf('b.jpg').reject(new ModelRunError('changed', 'The configuration was changed.'));
  await started;
  expect(run.state).toMatchObject({ kind: 'failed', words: { message: 'The configuration was changed.' } });
  expect(run.results.map(({ image: { id } }) => id)).toEqual(['a']);
  answer('c');
  await Promise.resolve();
  expect(run.results).toHaveLength(1);
});

it('begins again where the model moved to another backend: results of one run are of one backend', async () => {
  const store = memoryStore();
  const { run, source, asked, answer, answerOf, renew } = lab(['a', 'b'], store);
  const started = run.start(source, 's');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const late = answerOf('a.jpg');
  answerOf('b.jpg').reject(new ModelRunError('moved', 'The model moved.'));
  renew('a.jpg', 'b.jpg');
  await vi.waitFor(() => expect(asked).toHaveLength(4));
  late.resolve(raw('late'));
  answer('a');
  answer('b');
  await started;
  expect(run.state.kind).toBe('done');
  expect(run.results.map(({ raw: { labels } }) => labels[0])).toEqual(['a', 'b']);
});

it('pauses between images, and goes on', async () => {
  const { run, source, asked, answer } = lab(['a', 'b', 'c', 'd']);
  const started = run.start(source, 's');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  run.pause();
  answer('a');
  answer('b');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toHaveLength(2);
  expect(run.state).toEqual({ kind: 'running', isPaused: true });
  answer('c');
  answer('d');
  run.resume();
  await started;
  expect(run.results).toHaveLength(4);
});

it('measures its speed without the pauses', async () => {
  const { run, source, asked, answer, clock } = lab(['a', 'b', 'c', 'd']);
  const started = run.start(source, 's');
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pauseFor = async (ms: number) => {
    await settled();
    clock.nowMs += ms;
    run.resume();
    await settled();
  };
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  run.pause();
  clock.nowMs += 200;
  answer('a');
  answer('b');
  await pauseFor(60_000);
  run.pause();
  clock.nowMs += 200;
  answer('c');
  answer('d');
  await pauseFor(60_000);
  await started;
  expect(run.imagesPerSecond).toBe(10);
});

it('ends when it is cancelled, also while it is paused, and a late answer changes nothing', async () => {
  const { run, source, asked, answer } = lab(['a', 'b', 'c']);
  const started = run.start(source, 's');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  run.pause();
  answer('a');
  await new Promise((resolve) => setImmediate(resolve));
  run.cancel();
  answer('b');
  await started;
  expect(run.state.kind).toBe('cancelled');
  expect(run.results.map(({ image: { id } }) => id)).toEqual(['a']);
});

it('takes corrected truth without running anything again', async () => {
  const { run, source, set, asked, answer } = lab(['a', 'b']);
  answer('a');
  answer('b');
  await run.start(source, 's');
  set.images = [image('b', ['cat']), image('new')];
  await run.readTruthAgain(source);
  expect(run.results.map(({ image: { id, labels } }) => [id, labels])).toEqual([['b', ['cat']]]);
  expect(asked).toHaveLength(2);
});

it('takes corrected truth of what was run before it was cancelled, too', async () => {
  const { run, source, set, asked, answer } = lab(['a', 'b', 'c']);
  const started = run.start(source, 's');
  answer('a');
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  run.cancel();
  answer('b');
  answer('c');
  await started;
  set.images = [image('a', ['cat'])];
  expect(await run.readTruthAgain(source)).toBe(true);
  expect(run.results.map(({ image: { id, labels } }) => [id, labels])).toEqual([['a', ['cat']]]);
});

it('takes the truth that was asked for last, and none that was asked for before another run', async () => {
  const { run, source, set, answer } = lab(['a', 'b']);
  answer('a');
  answer('b');
  await run.start(source, 's');
  const reads: ((images: readonly TruthImage[]) => void)[] = [];
  const slow = { ...source, images: () => new Promise<readonly TruthImage[]>((resolve) => reads.push(resolve)) };
  const both = [run.readTruthAgain(slow), run.readTruthAgain(slow)];
  reads[1]!([image('a', ['cat'])]);
  reads[0]!([image('a', ['dog'])]);
  expect(await Promise.all(both)).toEqual([false, true]);
  expect(run.images.map(({ labels }) => labels)).toEqual([['cat']]);

  const late = run.readTruthAgain(slow);
  set.images = [image('b')];
  await run.start(source, 'other');
  reads[2]!([image('a', ['cat'])]);
  expect([await late, run.images.map(({ id }) => id), run.results.length]).toEqual([false, ['b'], 1]);
});

it('does not ask for the truth again while it runs', async () => {
  const store = memoryStore();
  await store.put('model', 'a', raw('a'));
  const { run, source, asked, answer } = lab(['a', 'b'], store);
  let reads = 0;
  const started = run.start(source, 's');
  await vi.waitFor(() => expect([asked.length, run.results.length]).toEqual([1, 1]));
  await run.readTruthAgain({ ...source, images: async () => (reads++, []) });
  answer('b');
  await started;
  expect([reads, run.results.length]).toEqual([0, 2]);
});

it('says of each run by itself whether its results are kept, and takes none that an earlier one has left', async () => {
  const store = memoryStore();
  const put = vi.fn(store.put).mockResolvedValueOnce(false);
  const { run, source, asked, answer, answerOf, renew } = lab(['a', 'b'], { ...store, put });
  const first = run.start(source, 's');
  answer('a');
  await vi.waitFor(() => expect(run.isKept).toBe(false));
  renew('a.jpg');
  const second = run.start(source, 's');
  answer('b');
  answerOf('a.jpg').reject(new Error('It is not a picture.'));
  await Promise.all([first, second]);
  expect([run.isKept, asked.length]).toEqual([true, 4]);
  expect(run.results.map(({ image: { id } }) => id)).toEqual(['b']);
});
