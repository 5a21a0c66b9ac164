import { expect, it } from 'vitest';
import plain from '../../../../public/host.json' with { type: 'json' };
import { isServed } from './is-served.ts';

const answering =
  (answer: () => Response): typeof fetch =>
  async () =>
    answer();

it('believes a server that says so, and nothing else', async () => {
  expect(await isServed(answering(() => Response.json({ servesData: true })))).toBe(true);
  expect(await isServed(answering(() => Response.json(plain)))).toBe(false); // the answer of a plain host of files
  expect(await isServed(answering(() => new Response('<title>a page</title>')))).toBe(false);
  expect(await isServed(() => Promise.reject(new TypeError('offline')))).toBe(false);
});
