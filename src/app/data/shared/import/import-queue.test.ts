import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { ImportQueue, type ImportPorts } from './import-queue.svelte.ts';

const file = (name: string, size = 10): File => new File([new Uint8Array(size)], name);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

type UploadOptions = Parameters<ImportPorts['uploadFile']>[1];

function open(answer: (name: string, options: UploadOptions) => Promise<{ wasThere: boolean; isNoPicture?: boolean }>) {
  const said: string[] = [];
  const rests: [run: () => void, ms: number][] = [];
  const queue = new ImportQueue({
    uploadFile: async (sent, options) => ({ isNoPicture: false, ...(await answer(sent.name, options)) }),
    uploadRows: async () => undefined,
    announce: (sentence) => said.push(sentence),
    later: (run, ms) => void rests.push([run, ms]),
  });
  const states = () => Object.fromEntries(queue.items.map((item) => [item.file.name, item.state]));
  const restEnds = (wantedMs: number): void => {
    for (const [run, ms] of rests.splice(0)) if (ms === wantedMs) run();
  };
  return { queue, said, states, restEnds };
}

it('sends every file, and says which were here', async () => {
  const { queue, said, states } = open(async (name) => ({ wasThere: name === 'b' }));
  queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => ({ file: file(name), plan: null })));
  await settle();
  expect(states()).toEqual({ a: 'stored', b: 'was-there', c: 'stored', d: 'stored', e: 'stored' });
  expect([said, queue.storedCount, queue.fraction]).toEqual([['Import: 4 stored, 1 here already.'], 5, 1]);
});

it('says how many rows a table had', async () => {
  const { queue } = open(async () => ({ wasThere: false }));
  const rows = Array.from({ length: 1_500 }, () => ({ celsius: 20 }));
  const table = { columns: ['celsius'], rows, timeColumns: [] };
  queue.add([{ file: file('a.csv'), plan: { table, componentName: 'oven', timeColumn: '', tags: [] } }]);
  await settle();
  expect(queue.summary).toBe('Import: 1 stored. With 1,500 readings.');
});

it('says how many are in the Files tab, for they are no pictures', async () => {
  const { queue } = open(async (name) => ({ wasThere: name === 'a.jpg', isNoPicture: name.endsWith('.jpg') }));
  queue.add(['a.jpg', 'b.jpg', 'c.png'].map((name) => ({ file: file(name), plan: null })));
  await settle();
  expect(queue.summary).toBe(
    'Import: 2 stored, 1 here already. 1 file is named as a picture but is not one: it is in the Files tab.',
  );
  queue.add([{ file: file('d.jpg'), plan: null }]);
  await settle();
  expect(queue.summary).toMatch(/2 files are named as pictures but are not: they are in the Files tab\.$/);
});

it('keeps what failed, with its reason, and sends it again', async () => {
  let full = true;
  const { queue, states } = open(async (name) => {
    if (full && name === 'b') throw new ConnectError('The storage is full.', Code.ResourceExhausted);
    return { wasThere: false };
  });
  queue.add(['a', 'b'].map((name) => ({ file: file(name), plan: null })));
  await settle();
  expect(states()).toEqual({ a: 'stored', b: 'failed' });
  expect(queue.items[1]!.failure?.message).toBe('The storage is full.');
  full = false;
  queue.retry();
  await settle();
  expect(states()).toEqual({ a: 'stored', b: 'stored' });
});

/** More than is waited for when an import is cancelled. */
const large = (name: string): File => new File([new Uint8Array(5 * 2 ** 20)], name);

it('stops, and goes on later', async () => {
  const started: string[] = [];
  let hold = true;
  const { queue, states } = open((name, { signal }) => {
    started.push(name);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new ConnectError('cancelled', Code.Canceled)));
      if (!hold) resolve({ wasThere: false });
    });
  });
  const names = [...'abcdefghij'];
  queue.add(names.map((name) => ({ file: large(name), plan: null })));
  queue.dismiss(); // not while they are on their way
  expect(started).toEqual([...'abcdefgh']);
  queue.cancel();
  expect([queue.count('cancelled'), queue.isEnding]).toEqual([10, false]);
  await settle();
  expect([states(), started.length]).toEqual([Object.fromEntries(names.map((name) => [name, 'cancelled'])), 8]);
  hold = false;
  queue.retry();
  await settle();
  expect(queue.count('stored')).toBe(10);
});

it('stops a file that is sent again, though its first try ends late', async () => {
  const tries: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
  const { queue } = open(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        tries.push({ signal, end: () => reject(new ConnectError('cancelled', Code.Canceled)) });
      }),
  );
  queue.add([{ file: large('a'), plan: null }]);
  queue.cancel();
  queue.retry();
  tries[0]!.end();
  await settle();
  queue.cancel();
  expect(tries.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

/** An import of a small file, a large one and a large one with 4 MiB to go, cancelled while they are on their way. */
function openEnding() {
  const onTheirWay = new Map<string, { readonly signal: AbortSignal; readonly arrive: () => void }>();
  const opened = open(
    (name, { signal, onProgress }) =>
      new Promise((resolve) => {
        onTheirWay.set(name, { signal, arrive: () => resolve({ wasThere: false }) });
        if (name === 'nearly') onProgress(2 ** 20);
      }),
  );
  const waiting = [...'123456'].map((name) => file(name));
  opened.queue.add(
    [large('far'), large('nearly'), ...waiting, file('late')].map((sent) => ({ file: sent, plan: null })),
  );
  opened.queue.cancel();
  return {
    ...opened,
    arrive: (name: string) => onTheirWay.get(name)!.arrive(),
    isStopped: (name: string) => onTheirWay.get(name)!.signal.aborted,
  };
}

it('lets small files and what is nearly there end when it is cancelled, and its figures are right once it says them', async () => {
  const { queue, said, states, arrive, isStopped } = openEnding();
  expect(['far', 'nearly', '1'].map(isStopped)).toEqual([true, false, false]);
  expect([queue.count('cancelled'), queue.count('sending'), queue.isEnding]).toEqual([2, 7, true]);
  arrive('far'); // stopped too late
  for (const name of ['nearly', ...'123456']) arrive(name);
  await settle();
  expect([states()['far'], states()['nearly'], states()['1'], states()['late']]).toEqual([
    'stored',
    'stored',
    'stored',
    'cancelled',
  ]);
  expect([said, queue.isEnding]).toEqual([['Import: 8 stored, 1 cancelled.'], false]);
});

it('stops at once when it is cancelled again, and begins anew with what is added', () => {
  const { queue, isStopped } = openEnding();
  queue.cancel();
  expect(['nearly', '1'].map(isStopped)).toEqual([true, true]);
  expect([queue.count('cancelled'), queue.isBusy, queue.isEnding]).toEqual([9, false, false]);

  const next = openEnding();
  next.queue.add([{ file: file('more'), plan: null }]);
  expect(next.queue.isEnding).toBe(false);
  next.queue.cancel();
  expect([next.isStopped('1'), next.queue.isEnding]).toEqual([false, true]);
  next.queue.retry();
  expect(next.queue.isEnding).toBe(false);
});

it('is empty again once dismissed, and counts what comes after', async () => {
  const { queue, states } = open(async (name) => {
    if (name === 'b') throw new ConnectError('The storage is full.', Code.ResourceExhausted);
    return { wasThere: false };
  });
  queue.add(['a', 'b'].map((name) => ({ file: file(name), plan: null })));
  await settle();
  queue.dismiss();
  expect([queue.items, queue.count('stored', 'failed'), queue.fraction, queue.summary]).toEqual([[], 0, 0, '']);
  queue.add(['c', 'b'].map((name) => ({ file: file(name, 30), plan: null })));
  await settle();
  expect(states()).toEqual({ c: 'stored', b: 'failed' });
  expect([queue.count('stored'), queue.count('failed'), queue.isBusy, queue.fraction]).toEqual([1, 1, false, 1]);
});

it('counts as stored what was, though it was cancelled meanwhile', async () => {
  let arrive = (): void => {};
  const { queue, said, states } = open((name) =>
    name === 'a' ? new Promise((resolve) => (arrive = () => resolve({ wasThere: false }))) : new Promise(() => {}),
  );
  queue.add(['a', 'b'].map((name) => ({ file: large(name), plan: null })));
  queue.cancel();
  arrive();
  await settle();
  expect(states()).toEqual({ a: 'stored', b: 'cancelled' });
  expect([queue.count('stored'), queue.count('cancelled'), said]).toEqual([1, 1, []]);
});

it('has lists read anew with the first that is stored, then at times, and with the last', async () => {
  const arrivals: (() => void)[] = [];
  const { queue, restEnds } = open(() => new Promise((resolve) => arrivals.push(() => resolve({ wasThere: false }))));
  queue.add(['a', 'b', 'c', 'd'].map((name) => ({ file: file(name), plan: null })));
  const arriveNext = async (): Promise<number> => {
    arrivals.shift()!();
    await settle();
    return queue.storedCount;
  };
  expect([await arriveNext(), await arriveNext(), await arriveNext()]).toEqual([1, 1, 1]);
  restEnds(2000);
  expect(queue.storedCount).toBe(3);
  expect(await arriveNext()).toBe(4);
});

it('sends many small files at once, and few large ones', () => {
  const startedOf = (files: readonly File[]): number => {
    const started: string[] = [];
    const { queue } = open((name) => {
      started.push(name);
      return new Promise(() => {});
    });
    queue.add(files.map((sent) => ({ file: sent, plan: null })));
    return started.length;
  };
  const thirty = Array.from({ length: 30 }, (_, index) => String(index));
  expect(startedOf(thirty.map((name) => file(name, 30_000)))).toBe(24);
  expect(startedOf(thirty.map((name) => file(name, 900_000)))).toBe(10);
  expect(startedOf(thirty.map((name) => file(name, 3_000_000)))).toBe(8);
});
