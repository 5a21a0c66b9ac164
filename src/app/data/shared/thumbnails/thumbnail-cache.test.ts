import { expect, it } from 'vitest';
import { ThumbnailCache, type FetchBytes } from './thumbnail-cache.ts';

function open(known: readonly string[] = []) {
  const asked: string[][] = [];
  const aborted: string[] = [];
  const pending: (() => void)[] = [];
  const answers: (() => void)[] = [];
  const fetch: FetchBytes = (ids, signal) =>
    new Promise((resolve, reject) => {
      asked.push([...ids]);
      signal.addEventListener('abort', () => {
        aborted.push(...ids);
        reject(signal.reason as Error);
      });
      answers.push(() =>
        resolve(ids.flatMap((id) => (id === 'gone' ? [] : [{ id, bytes: new Uint8Array(1), mimeType: 'image/png' }]))),
      );
    });
  const cache = new ThumbnailCache({
    fetch,
    client: {
      find: async (ids) => new Map(ids.filter((id) => known.includes(id)).map((id) => [id, `data:,${id}`])),
      draw: (pictures) =>
        pictures.map(async ({ id }) => (id === 'broken' ? { reason: 'It is broken.' } : `data:,${id}`)),
    },
    later: (run) => pending.push(run),
  });
  const turn = async (): Promise<void> => {
    pending.splice(0).forEach((run) => run());
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  const answer = async (): Promise<void> => {
    answers.splice(0).forEach((give) => give());
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { cache, asked, aborted, turn, answer };
}

const item = (id: string, sizeBytes = 1000) => ({ id, sizeBytes });

it('fetches what came into sight last first, some at a time', async () => {
  const { cache, asked, turn, answer } = open();
  for (let i = 0; i < 20; i++) cache.request(item(`i${i}`), () => undefined);
  await turn();
  expect(asked.map((ids) => [ids.length, ids[0]])).toEqual([
    [8, 'i0'],
    [8, 'i8'],
  ]);
  cache.request(item('later'), () => undefined);
  await turn();
  await answer();
  await turn();
  expect(asked[2]!.slice(0, 2)).toEqual(['later', 'i16']);
});

it('puts large pictures into batches of few', async () => {
  const { cache, asked, turn } = open();
  for (let i = 0; i < 3; i++) cache.request(item(`i${i}`, 5_000_000), () => undefined);
  await turn();
  expect(asked).toEqual([['i0'], ['i1']]);
});

it('asks for nothing that scrolled past before its turn', async () => {
  const { cache, asked, turn } = open();
  const past = Array.from({ length: 50 }, (_, i) => cache.request(item(`past${i}`), () => undefined));
  past.forEach((cancel) => cancel());
  cache.request(item('here'), () => undefined);
  await turn();
  expect(asked).toEqual([['here']]);
});

it('cancels a fetch when nobody waits for any of it', async () => {
  const { cache, aborted, turn } = open();
  const cancels = ['a', 'b'].map((id) => cache.request(item(id), () => undefined));
  await turn();
  cancels[0]!();
  expect(aborted).toEqual([]);
  cancels[1]!();
  expect(aborted.toSorted()).toEqual(['a', 'b']);
});

it('fetches nothing that was drawn before, and draws nothing twice', async () => {
  const { cache, asked, turn, answer } = open(['old']);
  const urls: unknown[] = [];
  cache.request(item('old'), (url) => urls.push(url));
  cache.request(item('broken'), (url) => urls.push(url));
  cache.request(item('new'), (url) => urls.push(url));
  cache.request(item('gone'), (url) => urls.push(url));
  await turn();
  expect(asked).toEqual([['broken', 'new', 'gone']]);
  await answer();
  const [broken, gone] = [{ reason: 'It is broken.' }, { reason: 'The image is no longer stored.' }];
  expect(urls).toEqual(['data:,old', broken, 'data:,new', gone]);
  cache.request(item('old'), (url) => urls.push(url));
  await turn();
  expect([urls.length, asked.length]).toEqual([5, 1]);
  expect([cache.get('broken'), cache.get('gone')]).toEqual([broken, gone]);
});

it('has nothing left once it is closed', async () => {
  const { cache, turn } = open(['a']);
  cache.request(item('a'), () => undefined);
  await turn();
  expect(cache.get('a')).toBe('data:,a');
  cache.close();
  expect(cache.get('a')).toBeUndefined();
});

/** A cache whose service answers also what nobody waits for any more. */
function openDeaf() {
  let answer = (): void => undefined;
  let drawn = 0;
  const cache = new ThumbnailCache({
    fetch: (ids) =>
      new Promise((resolve) => {
        answer = () => resolve(ids.map((id) => ({ id, bytes: new Uint8Array(1), mimeType: 'image/png' })));
      }),
    client: {
      find: async () => new Map(),
      draw: (pictures) => pictures.map(async ({ id }) => (drawn++, `data:,${id}`)),
    },
    later: (run) => run(),
  });
  return { cache, answer: () => answer(), drawn: () => drawn };
}
const soon = () => new Promise((resolve) => setTimeout(resolve));

it('draws nothing of a fetch that ends after everybody left', async () => {
  const { cache, answer, drawn } = openDeaf();
  const cancel = cache.request(item('a'), () => undefined);
  await soon();
  cancel();
  answer();
  await soon();
  expect(drawn()).toBe(0);
});

it('keeps the last 2,000', async () => {
  const ids = Array.from({ length: 2001 }, (_, number) => `i${number}`);
  const { cache, turn } = open(ids);
  for (const id of ids) cache.request(item(id), () => undefined);
  for (let turns = 0; turns < 400 && cache.get('i2000') === undefined; turns++) await turn();
  const kept = ids.filter((id) => cache.get(id) !== undefined);
  expect(kept).toHaveLength(2000);
});
