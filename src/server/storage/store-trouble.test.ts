import { expect, it } from 'vitest';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { storeTrouble } from './store-trouble.ts';

const logOf = (lines: unknown[]) => ({
  warn: (...line: unknown[]) => void lines.push(line),
  info: (...line: unknown[]) => void lines.push(line),
});

it('says what is wrong with each part, and has a line in the log when that changes', async () => {
  let isDown = true;
  const lines: unknown[] = [];
  const ask = storeTrouble(
    {
      'The database': () => (isDown ? Promise.reject(new Error('The database is away.')) : Promise.resolve()),
      'The bucket': () => Promise.resolve(),
    },
    logOf(lines),
    1000,
  );
  expect([await ask(), await ask()]).toEqual(['The database is away.', 'The database is away.']);
  isDown = false;
  expect([await ask(), await ask()]).toEqual([null, null]);
  expect(lines).toEqual([
    [{ reason: 'The database is away.' }, 'the store cannot be used'],
    ['the store can be used again'],
  ]);
});

it('keeps what only keepers may read for the log', async () => {
  const lines: unknown[] = [];
  const detail = 'It is db.example.org: no route.';
  const away = new StoreError('unavailable', 'The database cannot be reached.', { detail });
  const ask = storeTrouble({ 'The database': () => Promise.reject(away) }, logOf(lines), 1000);
  expect(await ask()).toBe('The database cannot be reached.');
  expect(lines).toEqual([[{ reason: `The database cannot be reached. ${detail}` }, 'the store cannot be used']]);
});

it('waits for a silent part no longer than its patience, and asks it once', async () => {
  let asked = 0;
  let answer = (): void => undefined;
  const silent = () => {
    asked++;
    return new Promise<void>((resolve) => (answer = resolve));
  };
  const ask = storeTrouble({ 'The bucket': silent }, logOf([]), 20);
  const words = 'The bucket does not answer within 0.02 s.';
  expect([await ask(), await ask()]).toEqual([words, words]);
  expect(asked).toBe(1);
  answer();
  await expect.poll(() => asked).toBe(1);
  const again = ask();
  await expect.poll(() => asked).toBe(2);
  answer();
  expect(await again).toBeNull();
});
