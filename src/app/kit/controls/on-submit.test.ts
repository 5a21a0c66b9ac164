import { expect, test } from 'vitest';
import { onSubmit } from './on-submit.ts';

test('a handled form does not load the page anew', () => {
  const event = new Event('submit', { cancelable: true });
  let heard = 0;
  onSubmit(() => heard++)(event);
  expect([heard, event.defaultPrevented]).toEqual([1, true]);
});
