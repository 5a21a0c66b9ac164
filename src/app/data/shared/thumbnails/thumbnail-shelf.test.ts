import { expect, it } from 'vitest';
import { ThumbnailShelf, type FetchBytes } from './thumbnail-shelf.ts';

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
  const shelf = new ThumbnailShelf({
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
  return { shelf, asked, aborted, turn, answer };
}

const item = (id: string, sizeBytes = 1000) => ({ id, sizeBytes });

it('fetches what came into sight last first, some at a time', async () => {
  const { shelf, asked, turn, answer } = open();
  for (let i = 0; i < 20; i++) shelf.request(item(`i${i}`), () => undefined);
  await turn();
  expect(asked.map((ids) => [ids.length, ids[0]])).toEqual([
    [8, 'i0'],
    [8, 'i8'],
  ]);
  shelf.request(item('later'), () => undefined);
  await turn();
  await answer();
  await turn();
  expect(asked[2]!.slice(0, 2)).toEqual(['later', 'i16']);
});

it('puts large pictures into batches of few', async () => {
  const { shelf, asked, turn } = open();
  for (let i = 0; i < 3; i++) shelf.request(item(`i${i}`, 5_000_000), () => undefined);
  await turn();
  expect(asked).toEqual([['i0'], ['i1']]);
});

it('asks for nothing that scrolled past before its turn', async () => {
  const { shelf, asked, turn } = open();
  const past = Array.from({ length: 50 }, (_, i) => shelf.request(item(`past${i}`), () => undefined));
  past.forEach((cancel) => cancel());
  shelf.request(item('here'), () => undefined);
  await turn();
  expect(asked).toEqual([['here']]);
});

it('cancels a fetch when nobody waits for any of it', async () => {
  const { shelf, aborted, turn } = open();
  const cancels = ['a', 'b'].map((id) => shelf.request(item(id), () => undefined));
  await turn();
  cancels[0]!();
  expect(aborted).toEqual([]);
  cancels[1]!();
  expect(aborted.toSorted()).toEqual(['a', 'b']);
});

it('fetches nothing that was drawn before, and draws nothing twice', async () => {
  const { shelf, asked, turn, answer } = open(['old']);
  const urls: unknown[] = [];
  shelf.request(item('old'), (url) => urls.push(url));
  shelf.request(item('broken'), (url) => urls.push(url));
  shelf.request(item('new'), (url) => urls.push(url));
  shelf.request(item('gone'), (url) => urls.push(url));
  await turn();
  expect(asked).toEqual([['broken', 'new', 'gone']]);
  await answer();
  const [broken, gone] = [{ reason: 'It is broken.' }, { reason: 'The image is not stored any more.' }];
  expect(urls).toEqual(['data:,old', broken, 'data:,new', gone]);
  shelf.request(item('old'), (url) => urls.push(url));
  await turn();
  expect([urls.length, asked.length]).toEqual([5, 1]);
  expect([shelf.get('broken'), shelf.get('gone')]).toEqual([broken, gone]);
});

it('has nothing left once it is closed', async () => {
  const { shelf, turn } = open(['a']);
  shelf.request(item('a'), () => undefined);
  await turn();
  expect(shelf.get('a')).toBe('data:,a');
  shelf.close();
  expect(shelf.get('a')).toBeUndefined();
});
