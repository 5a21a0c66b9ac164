import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CaptureParcel, ImageBox } from '../../src/evidence/capture/capture.ts';
import { StoreError } from '../../src/data-service/ports/store-error.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { everythingOf } from '../../src/data-service/ports/capture-filter.ts';
import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { createLog } from '../../src/server/http/log.ts';
import { defaultServerLimits } from '../../src/server/limits/server-limits.ts';
import { startServer, type RunningServer } from '../../src/server/start-server.ts';
import { startDataService, startTime, type TestService } from '../data-service-fixture.ts';
import { randomSource } from '../random-frame.ts';
import { startFaultProxy, type Fault } from './fault-proxy.ts';
import { randomBox, randomParcel, startBench, type Bench, type Fate } from './outbox-bench.ts';

/** Each night five times as many. */
const batches = process.env['NIGHTLY'] ? 15 : 3;
const runsInBatch = 40;
const mostFaults = 8;

/** The run of a seed, with the same frames and the same faults at the same steps. */
function seededRun(seed: number) {
  const random = randomSource(seed);
  let faultsLeft = 1 + Math.floor(random() * mostFaults);
  const takeFault = (chance: number): boolean => {
    if (faultsLeft === 0 || random() >= chance) return false;
    faultsLeft--;
    return true;
  };
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const nextFault = (): Fault => {
    if (!takeFault(0.3)) return { kind: 'none' };
    return pick<Fault>([
      { kind: 'refuse' },
      { kind: 'cut-request', share: random() },
      { kind: 'lose-answer' },
      { kind: 'lose-answer' },
      { kind: 'cut-answer' },
      { kind: 'status', status: 401, retryAfter: null },
      { kind: 'status', status: 413, retryAfter: null },
      { kind: 'status', status: 429, retryAfter: pick([null, '7']) },
      { kind: 'status', status: 503, retryAfter: null },
      { kind: 'forget-token' },
      { kind: 'server-dies', share: random() },
      { kind: 'client-dies' },
    ]);
  };
  const fate: Fate = { next: () => (takeFault(0.08) ? pick(['before', 'after', 'full']) : null) };
  return {
    random,
    nextFault,
    fate,
    isPlainHost: random() < 0.4,
    frames: 1 + Math.floor(random() * 5),
    startsWithWrongKey: random() < 0.1,
    disk: (): 'full' | 'full-after' | null => (takeFault(0.1) ? pick(['full', 'full-after']) : null),
  };
}

type Run = ReturnType<typeof seededRun>;

/** A store whose disk is sometimes full: before an upload is stored, or after its rows are. */
function faultyStore(store: DataStore, disk: () => ReturnType<Run['disk']>): DataStore {
  const full = () => new StoreError('resource-exhausted', 'The disk is full.');
  return {
    ...store,
    blobs: {
      ...store.blobs,
      put: (content, signal) => (disk() === null ? store.blobs.put(content, signal) : Promise.reject(full())),
    },
    as(actor) {
      const own = store.as(actor);
      const insert: DataStore['binary']['insert'] = async (records, receipt) => {
        const fault = disk();
        if (fault === 'full') throw full();
        await own.binary.insert(records, receipt);
        if (fault === 'full-after') throw new StoreError('unavailable', 'The disk went away.');
      };
      return { ...own, binary: { ...own.binary, insert } };
    },
  };
}

/** A real server that can be killed, and restarts on another port with the same store. */
async function startMortalServer(disk: () => ReturnType<Run['disk']>) {
  const clock = { now: () => startTime };
  const service = await startDataService({ store: faultyStore(memoryDataStore(clock), disk) });
  const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const start = (): Promise<RunningServer> =>
    startServer(service.dependencies, log, {
      host: '127.0.0.1',
      port: 0,
      tls: null,
      appFolder: 'no-app-here',
      limits: { ...defaultServerLimits, shutdownGraceMs: 0, authenticateBurst: 1e9 },
    });
  let server = await start();
  return {
    service,
    port: () => server.port,
    async restart() {
      await server.close();
      server = await start();
    },
    close: () => server.close(),
  };
}

const comparable = ({ id: _, ...box }: ImageBox): string => JSON.stringify(Object.entries(box).sort());

function storedOf({ dependencies }: TestService, componentName: string): Promise<readonly BinaryRecord[]> {
  const filter = { ...everythingOf('a'), componentName, mimeTypes: [], boxLabels: [], datasetId: '' };
  return dependencies.store.binary.page({ filter, order: 'ascending', after: null, limit: 100 });
}

async function countRows({ owner }: TestService, componentName: string): Promise<number> {
  const answer = await owner.data.tabularDataByFilter({ dataRequest: { filter: { componentName } }, countOnly: true });
  return Number(answer.count);
}

async function expectArrived(
  service: TestService,
  bench: Bench,
  parcels: readonly CaptureParcel[],
  expected: {
    readonly run: Pick<Run, 'isPlainHost'>;
    readonly datasetIds: readonly string[];
    readonly componentName: string;
    readonly context: string;
  },
): Promise<void> {
  const { run, datasetIds, componentName, context } = expected;
  const stored = await storedOf(service, componentName);
  const hashes = parcels.map(({ capture }) => capture.image.sha256);
  expect(stored.map(({ sha256 }) => sha256).sort(), context).toEqual(hashes.sort());
  for (const { capture } of parcels) {
    const record = stored.find(({ sha256 }) => sha256 === capture.image.sha256)!;
    const entries = await bench.store.ofCapture(capture.id);
    expect(new Set(entries.map(({ serverId, state }) => `${state} ${serverId}`)), context).toEqual(
      new Set([`sent ${record.id}`]),
    );
    expect(record.boundingBoxes.map(comparable).sort(), context).toEqual(capture.boxes.map(comparable).sort());
    const wanted = [...capture.tags, 'sent', ...datasetIds.map((id) => `SVC_DATASET_${id}`)];
    expect([...record.tags].sort(), context).toEqual(wanted.sort());
    expect(record.classifications.length, context).toBe(run.isPlainHost ? 0 : capture.classes.length);
  }
}

/** Moves the first box of each frame and adds another one, like a person. */
async function correctBoxes(
  { captures, nowMs }: Bench,
  parcels: readonly CaptureParcel[],
  random: () => number,
): Promise<CaptureParcel[]> {
  const corrected: CaptureParcel[] = [];
  for (const parcel of parcels) {
    const [first, ...others] = parcel.capture.boxes;
    const moved = first ? [{ ...first, xMaxNormalized: 0.875, confidence: null }] : [];
    const boxes = [...others, ...moved, randomBox(random, 9)];
    corrected.push({ ...parcel, capture: (await captures.correct(parcel.capture.id, { boxes }, nowMs))! });
  }
  return corrected;
}

describe('an outbox over a network that breaks', () => {
  // Concurrently, because a batch mostly waits for broken connections.
  it.concurrent.each(Array.from({ length: batches }, (_, batch) => batch))(
    'loses nothing and stores nothing twice, batch %i',
    async (batch) => {
      let run!: Run;
      let bench!: Bench;
      const server = await startMortalServer(() => run?.disk() ?? null);
      const proxy = await startFaultProxy({
        upstreamPort: server.port,
        nextFault: () => run.nextFault(),
        restartServer: server.restart,
        killClient: () => bench.kill(),
        isPlainHost: () => run.isPlainHost,
      });
      const { owner } = server.service;
      const datasetId = (await owner.datasets.createDataset({ name: 'd', organizationId: 'a' })).id;
      try {
        for (let number = 0; number < runsInBatch; number++) {
          const seed = batch * runsInBatch + number + 1;
          run = seededRun(seed);
          const { id: keyId, secret: key } = server.service.keys.owner;
          const componentName = `camera-${seed}`;
          bench = startBench(componentName, { url: proxy.origin, keyId, key, partId: 'lab-part' }, run.fate);
          const target = await bench.addTarget();
          if (run.startsWithWrongKey) await bench.keys.give(target, 'wrong', false);
          const parcels = Array.from({ length: run.frames }, (_, at) => randomParcel(run.random, at, componentName));
          await bench.captures.put(parcels);
          const datasetIds = run.random() < 0.5 ? [datasetId] : [];
          await bench.outbox.sendCaptures(
            parcels.map(({ capture }) => capture),
            target.id,
            { tags: ['sent'], datasetIds },
          );
          const rows = [
            { timeRequestedMs: 1_700_000_000_000 + seed, timeReceivedMs: 1_700_000_000_040 + seed, readings: { seed } },
          ];
          await bench.outbox.sendReadings(rows, target.id, { componentName });
          await bench.runToEnd();

          const context = `seed ${seed}`;
          expect((await bench.store.inState('sent')).length, context).toBe(parcels.length + 1);
          await expectArrived(server.service, bench, parcels, { run, datasetIds, componentName, context });
          expect(await countRows(server.service, componentName), context).toBe(1);
          if (number % 3 > 0) continue;

          // Corrections are sent to the stored images, again with faults.
          run = { ...seededRun(seed + 1_000_000), isPlainHost: run.isPlainHost };
          const corrected = await correctBoxes(bench, parcels, run.random);
          await bench.outbox.sendCaptures(
            corrected.map(({ capture }) => capture),
            target.id,
            { tags: ['sent'], datasetIds },
          );
          await bench.runToEnd();
          await expectArrived(server.service, bench, corrected, { run, datasetIds, componentName, context });
        }
        expect(server.service.defects).toEqual([]);
      } finally {
        await proxy.close();
        await server.close();
      }
    },
  );
});
