import { expect, it } from 'vitest';
import { RunLife } from './run-life.svelte.ts';

it('waits while it is paused, and goes on when it is resumed', async () => {
  const life = new RunLife();
  const signal = life.prepare();
  life.run();
  expect(await life.whilePaused(signal)).toBe(false);
  life.pause();
  expect(life.state).toEqual({ kind: 'running', isPaused: true });
  const waiting = life.whilePaused(signal);
  life.resume();
  expect(await waiting).toBe(true);
  expect(life.state).toEqual({ kind: 'running', isPaused: false });
});

it.each([
  ['is cancelled', (life: RunLife) => life.cancel(), 'cancelled'],
  ['fails', (life: RunLife) => life.fail({ message: 'No.', cure: '' }), 'failed'],
  ['begins anew', (life: RunLife) => life.prepare(), 'preparing'],
])('ends what is paused where it %s', async (_, end, kind) => {
  const life = new RunLife();
  const signal = life.prepare();
  life.run();
  life.pause();
  const waiting = life.whilePaused(signal);
  end(life);
  await expect(waiting).rejects.toThrow(/abort/);
  expect([signal.aborted, life.state.kind]).toEqual([true, kind]);
});

it('is cancelled, paused and resumed only while it runs', () => {
  const life = new RunLife();
  life.cancel();
  life.pause();
  expect(life.state.kind).toBe('idle');
  life.prepare();
  expect(life.isBusy).toBe(true);
  life.resume();
  expect(life.state.kind).toBe('preparing');
  life.run();
  life.finish();
  life.cancel();
  expect([life.state.kind, life.isBusy, life.signal.aborted]).toEqual(['done', false, false]);
});
