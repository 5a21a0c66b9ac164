import { afterEach, expect, it, vi } from 'vitest';
import { mostKernelPages } from './kernel-bound.ts';
import { KernelMemory } from './kernel-memory.ts';

afterEach(() => void vi.restoreAllMocks());

/** A device that reserves at most so many pages. */
function roomFor(pages: number): number[] {
  const asked: number[] = [];
  const { Memory } = WebAssembly;
  vi.spyOn(WebAssembly, 'Memory').mockImplementation(function (descriptor) {
    asked.push(descriptor.maximum!);
    if (descriptor.maximum! > pages) throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    return new Memory(descriptor);
  });
  return asked;
}

it('asks for half as much where there is no room, and grows no further', () => {
  const asked = roomFor(3000);
  const memory = new KernelMemory(true);
  expect(asked).toEqual([mostKernelPages, mostKernelPages / 2, mostKernelPages / 4]);
  expect(memory.reach(2 << 20)).toBe(true);
  expect(memory.reach((mostKernelPages / 4) * 65536 + 1)).toBe(false);
});

it('gives up where there is no room for a frame, and does not hide another error', () => {
  roomFor(1);
  expect(() => new KernelMemory(true)).toThrow(RangeError);
  const asked = roomFor(0);
  vi.spyOn(WebAssembly, 'Memory').mockImplementation(function () {
    asked.push(1);
    throw new TypeError('shared');
  });
  expect(() => new KernelMemory(true)).toThrow(TypeError);
  expect(asked).toEqual([1]);
});
