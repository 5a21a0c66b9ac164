import { expect, it } from 'vitest';
import type { GpuParity } from '../../../../workers/vision/protocol.ts';
import { ParityState } from './parity-state.svelte.ts';

const parity: GpuParity = { pixelLevels: 3, tensor: 0, outputs: 0, boxes: null, scores: null };

it('says what the check of a model showed, until another model is asked for', async () => {
  let asked = 0;
  const state = new ParityState({ checkParity: async () => (asked++, parity) });
  const checking = state.check('a');
  await state.check('a'); // a second press meanwhile
  expect([state.isChecking, state.said('a')]).toEqual([true, []]);
  await checking;
  expect([asked, state.isChecking, state.said('a')[0]]).toEqual([1, false, 'Pixels: up to 3 of 255 levels apart.']);
  expect(state.said('b')).toEqual([]);
});

it('says why there is nothing to compare, or what failed', async () => {
  const nothing = new ParityState({ checkParity: async () => null });
  await nothing.check('a');
  expect(nothing.said('a')).toEqual(['No part of this frame runs on the GPU, so there is nothing to compare.']);
  const failing = new ParityState({ checkParity: () => Promise.reject(new Error('No file.')) });
  await failing.check('a');
  expect([failing.isChecking, failing.said('a')]).toEqual([false, ['The check failed: No file.']]);
});
