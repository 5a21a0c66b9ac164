import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { createReplayApi } from '../../../../../workers/replay/api.ts';
import { deferred } from '../../../../../tests/deferred.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import { storedColumns } from '../../../../../tests/stored-columns.ts';
import type { ServiceFilterRule } from '../../../../machine/vision/filter/thresholds.ts';
import type { BenchService } from '../../../captures/bench-services.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { Recording, ReplaySource, ResultPiece } from './replay-source.ts';
import { ReplayState } from './replay-state.svelte.ts';

const recording: Recording = {
  locationId: 'yard',
  robotName: 'porch',
  partId: 'p',
  partName: 'porch-main',
  serviceName: 'watch-recorder',
  frameCount: 3,
  firstMs: 1000,
  lastMs: 3000,
  kinds: ['detections'],
};
const choice = { partId: 'p', serviceName: 'watch-recorder', kind: 'detections', startMs: null, endMs: null } as const;
const benchRule: ServiceFilterRule = { defaultMinimumConfidence: 0.6, labelConfidences: {} };
const pieces: readonly ResultPiece[] = [
  {
    columns: storedColumns(
      [
        [1000, [0, 0.4]],
        [2000, [0, 0.65]],
      ],
      ['cat'],
    ),
    progress: 0.5,
  },
  { columns: storedColumns([[3000, [0, 0.9]]], ['cat']), progress: 1 },
];

function open({
  rest = '',
  read = async function* () {
    yield* pieces;
  } as ReplaySource['read'],
  services = [{ name: 'watch', rule: benchRule }] as readonly BenchService[],
  filters = [] as readonly object[],
  memory = memoryStorage(),
  list = (): Promise<readonly Recording[]> => Promise.resolve([recording]),
  engine = createReplayApi(),
} = {}) {
  const written: [string, ServiceFilterRule][] = [];
  const at = { tab: 'replay' as DataContext['place']['tab'], rest };
  const said: string[] = [];
  const asked: unknown[] = [];
  const state = new ReplayState({
    context: {
      benchServices: {
        all: services,
        configText: JSON.stringify({ components: filters }),
        tunedBy: (recorder) => services.find(({ name }) => `${name}-recorder` === recorder) ?? null,
        write: (name, rule) => written.push([name, rule]) > 0,
      },
      place: {
        get tab() {
          return at.tab;
        },
        get rest() {
          return at.rest;
        },
        href: () => '',
        go: (tab, to = '') => Object.assign(at, { tab, rest: to }),
      },
      announce: (sentence) => said.push(sentence),
    },
    source: {
      list,
      read: (...given) => {
        asked.push(given.slice(0, 2));
        return read(...given);
      },
    },
    openEngine: async () => engine,
    memory,
  });
  return { state, at, said, written, asked };
}

const signal = new AbortController().signal;

const filterOf = (name: string, vision: string) => ({
  name,
  api: 'rdk:component:camera',
  model: 'viam:camera:filtered-camera',
  attributes: { camera: 'cam', vision_services: [{ vision, objects: { cat: 0.5 } }], window_seconds_after: 1 },
});

describe('a replay', () => {
  it('asks the chosen filtered camera, as the service that was recorded', async () => {
    const { state } = open({ filters: [filterOf('cats', 'watch'), filterOf('other', 'people')] });
    await state.open(signal);
    await state.read(choice);
    expect([state.filters.map(({ name }) => name), state.filtered]).toEqual([['cats'], null]);
    state.filterName = 'cats';
    await state.look();
    // Once a second, at 1.5 and 2.5 s: the bench's own threshold of 0.6 lets 0.65 through.
    expect(state.replay?.filtered).toMatchObject({ asked: 2, keptMs: Float64Array.of(2500) });
    state.filterName = '';
    await state.look();
    expect(state.replay?.filtered).toBeNull();
  });

  it('begins with the thresholds of the service that was recorded, and keeps its choice in the address', async () => {
    const { state, at, asked } = open();
    await state.open(signal);
    expect(at.rest).toBe('');
    await state.read(choice);
    await state.look();
    expect(asked).toEqual([[choice, { startMs: 1000, endMs: 3000.001 }]]);
    expect([state.replay?.frameCount, state.replay?.side.keptCount, state.isBehind]).toEqual([3, 2, false]);
    expect(at.rest).toBe('?part=p&service=watch-recorder&kind=detections&rule=0.6');
  });

  it('reads again what the address names, with its thresholds, after a reload', async () => {
    const { state } = open({
      rest: '?part=p&service=watch-recorder&rule=0.3&other={"cat":0.8}&until=1970-01-01T00:00:03.000Z',
    });
    await state.open(signal);
    await state.look();
    const { side, other, order } = state.replay!;
    expect([order.span, side.keptCount, other!.keptCount]).toEqual([{ startMs: 1000, endMs: 3000 }, 3, 1]);
  });

  it('says so where the address names what is not stored', async () => {
    const { state } = open({ rest: '?part=p&service=gone' });
    await state.open(signal);
    expect(state.failure?.message).toBe('The captures of this address are not stored here.');
  });

  it('is behind while thresholds moved and nothing answered yet, and lets the latest win', async () => {
    const { state } = open();
    await state.open(signal);
    await state.read(choice);
    await state.look();
    state.setRule({ defaultMinimumConfidence: 0.7, labelConfidences: {} });
    const overtaken = state.look();
    state.setRule({ defaultMinimumConfidence: 0.95, labelConfidences: {} });
    expect(state.isBehind).toBe(true);
    await Promise.all([overtaken, state.look()]);
    expect([state.replay?.side.keptCount, state.isBehind]).toEqual([0, false]);
  });

  it('has a picture of moved thresholds before their events, and asks for none of thresholds that went on', async () => {
    const api = createReplayApi();
    const found: ReturnType<typeof deferred<void>>[] = [];
    const engine = {
      ...api,
      async events(reading: number) {
        const turn = deferred<void>();
        found.push(turn);
        await turn.promise;
        return api.events(reading);
      },
    };
    const { state } = open({ engine });
    await state.open(signal);
    await state.read(choice);
    const first = state.look();
    await expect.poll(() => [state.picture?.side.keptCount, found.length]).toEqual([2, 1]);
    expect([state.replay, state.isBehind]).toEqual([null, true]);
    found[0]!.resolve();
    await first;
    expect([state.replay?.side.toldCounts[0], state.isBehind]).toEqual([1, false]);

    state.setRule({ defaultMinimumConfidence: 0.7, labelConfidences: {} });
    const overtaken = state.look();
    state.setRule({ defaultMinimumConfidence: 0.95, labelConfidences: {} });
    const last = state.look();
    await expect.poll(() => [state.picture?.side.keptCount, found.length]).toEqual([0, 2]);
    expect([state.replay?.side.keptCount, state.isBehind]).toEqual([2, true]);
    found[1]!.resolve();
    await Promise.all([overtaken, last]);
    expect([state.replay?.side.keptCount, state.replay?.order, state.isBehind]).toEqual([
      0,
      state.picture?.order,
      false,
    ]);
  });

  it('lets go what was read when it is cancelled', async () => {
    const more = deferred<void>();
    const isReading = deferred<void>();
    const { state } = open({
      async *read() {
        yield pieces[0]!;
        isReading.resolve();
        await more.promise;
        yield pieces[1]!;
      },
    });
    await state.open(signal);
    const reading = state.read(choice);
    await isReading.promise;
    expect(state.reading).toMatchObject({ progress: 0.5, frameCount: 2 });
    state.cancel();
    more.resolve();
    await reading;
    expect([state.reading, state.held, state.failure]).toEqual([null, null, null]);
  });

  it('keeps what is read later when an earlier reading is overtaken', async () => {
    const more = deferred<void>();
    const isReading = deferred<void>();
    let calls = 0;
    const { state } = open({
      async *read() {
        if (calls++ > 0) return yield* pieces;
        yield pieces[0]!;
        isReading.resolve();
        await more.promise;
        yield pieces[1]!;
      },
    });
    await state.open(signal);
    const first = state.read(choice);
    await isReading.promise;
    const second = state.read(choice);
    more.resolve();
    await Promise.all([first, second]);
    await state.look();
    expect(state.replay?.frameCount).toBe(3);
  });

  it('reads again also what was captured since', async () => {
    let lastMs = 2000;
    const { state, asked } = open({ list: () => Promise.resolve([{ ...recording, lastMs }]) });
    await state.open(signal);
    await state.read(choice);
    lastMs = 3000;
    await state.read(choice);
    expect(asked.map((given) => (given as [unknown, { endMs: number }])[1].endMs)).toEqual([2000.001, 3000.001]);
    expect([state.held?.recording.lastMs, state.recordings?.[0]?.lastMs]).toEqual([3000, 3000]);
  });

  it('keeps its thresholds when another span of the same service is read, and for no other service', async () => {
    const door = { ...recording, serviceName: 'door-recorder' };
    const { state } = open({ list: () => Promise.resolve([recording, door]) });
    await state.open(signal);
    await state.read(choice);
    const tuned = { defaultMinimumConfidence: 0.8, labelConfidences: {} };
    state.setRule(tuned);
    state.setOther(benchRule);
    await state.read({ ...choice, startMs: 2000 });
    expect([state.rule, state.other]).toEqual([tuned, benchRule]);
    await state.read({ ...choice, serviceName: 'door-recorder' });
    expect([state.rule.defaultMinimumConfidence, state.other]).toEqual([0.5, null]);
  });

  it('asks to read again when another data service was read meanwhile, instead of showing its results', async () => {
    const engine = createReplayApi();
    const [here, there] = [open({ engine }).state, open({ engine }).state];
    await here.open(signal);
    await here.read(choice);
    await there.open(signal);
    await there.read(choice);
    await here.look();
    await there.look();
    expect([here.held, here.replay, here.failure?.message]).toEqual([
      null,
      null,
      'Other captures were read meanwhile. Read the captures again.',
    ]);
    expect(there.replay?.frameCount).toBe(3);
  });

  it('leaves the address alone when its captures are read after it was left', async () => {
    const { state, at } = open();
    const left = new AbortController();
    await state.open(left.signal);
    Object.assign(at, { tab: 'images' });
    left.abort();
    await state.read(choice);
    expect([state.held?.choice, at]).toEqual([choice, { tab: 'images', rest: '' }]);
  });

  it('says what a data service is that does not know replays', async () => {
    const { state } = open({ list: () => Promise.reject(new ConnectError('404', Code.Unimplemented)) });
    await state.open(signal);
    expect(state.failure?.message).toBe('This data service cannot replay captures.');
  });

  it('shows why reading failed', async () => {
    const { state } = open({
      read: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('The line broke.')) }) }),
    });
    await state.open(signal);
    await state.read(choice);
    expect([state.failure?.message, state.held, state.reading]).toEqual(['The line broke.', null, null]);
  });

  it('writes thresholds to the bench, and says so', async () => {
    const { state, written, said } = open();
    await state.open(signal);
    await state.read(choice);
    state.setRule({ defaultMinimumConfidence: 0, labelConfidences: { cat: 0.7 } });
    state.writeToBench();
    expect(written).toEqual([['watch', { defaultMinimumConfidence: 0, labelConfidences: { cat: 0.7 } }]]);
    expect(said.at(-1)).toBe('The bench has these thresholds for watch.');
  });

  it('has no service to write to where the bench has another configuration', async () => {
    const { state, written } = open({ services: [] });
    await state.open(signal);
    await state.read(choice);
    state.writeToBench();
    expect([state.tuned, state.rule.defaultMinimumConfidence, written]).toEqual([null, 0.5, []]);
  });

  it('keeps labelled spans for the next visit, in the order of time', async () => {
    const memory = memoryStorage();
    const { state } = open({ memory });
    await state.open(signal);
    await state.read(choice);
    const [late, early] = [
      { label: 'cat', startMs: 2000, endMs: 2500 },
      { label: null, startMs: 0, endMs: 900 },
    ];
    state.label([late, early]);
    const again = open({ memory }).state;
    await again.open(signal);
    await again.read(choice);
    expect([state.areSpansKept, again.spans]).toEqual([true, [early, late]]);
  });

  it('says in its report what was replayed, and under which rules', async () => {
    const { state } = open();
    await state.open(signal);
    await state.read(choice);
    const report = JSON.parse(await state.report('json')) as object;
    expect(report).toMatchObject({
      title: 'Replay of watch-recorder',
      facts: { Machine: 'porch', Part: 'porch-main', 'Thresholds for': 'watch' },
      filterFollows: { commit: 'b0d2f62e' },
    });
  });
});
