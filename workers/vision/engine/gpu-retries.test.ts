import { expect, it } from 'vitest';
import { GpuRetries } from './gpu-retries.ts';

function retries() {
  const clock = { ms: 0 };
  return { clock, gpu: new GpuRetries(() => clock.ms) };
}

it('waits longer after each failure in a row, and gives up in the end', () => {
  const { clock, gpu } = retries();
  for (const waitMs of [1000, 4000, 16_000, 60_000]) {
    expect(gpu.refusal).toBe('');
    gpu.begin().failed('It is full.');
    expect(gpu.refusal).toBe(
      `the GPU failed on a frame, and is tried again in ${waitMs / 1000} s. It said: It is full.`,
    );
    clock.ms += waitMs - 1;
    expect(gpu.refusal).toContain('again in 1 s.');
    clock.ms += 1;
  }
  gpu.begin().failed('It is broken.');
  clock.ms += 1e9;
  expect(gpu.refusal).toBe(
    'the GPU failed at 5 frames, and was tried again after a while each time. Load the model again to try once more. ' +
      'The last time it said: It is broken.',
  );
});

it('begins anew after a frame that succeeds', () => {
  const { clock, gpu } = retries();
  gpu.begin().failed('no');
  clock.ms = 1000;
  gpu.begin().succeeded();
  gpu.begin().failed('no');
  expect(gpu.refusal).toContain('again in 1 s.');
});

it('counts frames that were on their way together once, and none that began before the failure as a success', () => {
  const { clock, gpu } = retries();
  const [first, second, third] = [gpu.begin(), gpu.begin(), gpu.begin()];
  first.failed('first');
  second.failed('second');
  third.succeeded();
  expect(gpu.refusal).toBe('the GPU failed on a frame, and is tried again in 1 s. It said: first');
  clock.ms = 1000;
  gpu.begin().failed('again');
  expect(gpu.refusal).toContain('again in 4 s.');
});
