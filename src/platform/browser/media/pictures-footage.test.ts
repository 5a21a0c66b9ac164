import { expect, it } from 'vitest';
import { picturesFootage } from './pictures-footage.ts';

const folder = (texts: readonly string[]) =>
  picturesFootage(
    'yard',
    texts.map((text, at) => ({ name: `${at}.png`, blob: async () => new Blob([text]) })),
  );

it('knows pictures of the same names and sizes by what is in them', async () => {
  const { fingerprint } = await folder(['one', 'two', 'six']);
  expect((await folder(['one', 'two', 'six'])).fingerprint).toBe(fingerprint);
  expect((await folder(['one', 'ten', 'six'])).fingerprint).not.toBe(fingerprint);
});

it('opens a folder with a picture that cannot be read', async () => {
  const gone = { name: 'gone.png', blob: () => Promise.reject(new Error('gone')) };
  expect(await picturesFootage('yard', [gone])).toMatchObject({ frameCount: 1 });
});
