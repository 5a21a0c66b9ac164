import { expect, it, vi } from 'vitest';
import { StartUp } from './start-up.svelte.ts';

it('is over once, for whoever asks and whoever waits', async () => {
  const startUp = new StartUp();
  expect(startUp.isOver).toBe(false);
  const waiting = vi.fn();
  const waited = startUp.over.then(waiting);
  await Promise.resolve();
  expect(waiting).not.toHaveBeenCalled();
  startUp.end();
  expect(startUp.isOver).toBe(true);
  await waited;
  expect(waiting).toHaveBeenCalledOnce();
});

it.each(['pointermove', 'pointerdown', 'wheel', 'keydown', 'drop', 'paste'])('ends with a %s', async (sign) => {
  const page = new EventTarget() as Window;
  const startUp = new StartUp();
  startUp.listen(page);
  page.dispatchEvent(new Event('scroll'));
  expect(startUp.isOver).toBe(false);
  page.dispatchEvent(new Event(sign));
  expect(startUp.isOver).toBe(true);
});
