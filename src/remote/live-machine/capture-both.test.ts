import { describe, expect, it } from 'vitest';
import { linkPretended } from '../../../tests/live-machine-fixture.ts';
import { captureBoth } from './capture-both.ts';
import type { LiveImage, LiveMachine } from './live-machine.ts';

const { signal } = new AbortController();

/** A machine whose source camera gives these pictures in turn, and whose transform camera the newest of them, plus 100. */
function machineOf(...pictures: readonly number[]): { machine: LiveMachine; asked: string[] } {
  const asked: string[] = [];
  let shown = -1;
  const imageOf = (byte: number): LiveImage => ({
    sourceName: '',
    mediaType: 'image/png',
    bytes: Uint8Array.of(byte),
    capturedAtMs: null,
  });
  const machine: LiveMachine = {
    ...linkPretended({}),
    async images(name) {
      asked.push(name);
      if (name === 'cam') return [imageOf(pictures[Math.min(++shown, pictures.length - 1)]!)];
      return name === 'depth'
        ? [{ ...imageOf(0), mediaType: 'image/vnd.viam.dep' }]
        : [imageOf(100 + pictures[shown]!)];
    },
  };
  return { machine, asked };
}
const bytesOf = ({ source, output }: { source: LiveImage; output: LiveImage }) => [source.bytes[0], output.bytes[0]];

describe('a camera and what a transform camera makes of it', () => {
  it('are of one frame where the source gives the same before and after', async () => {
    const { machine, asked } = machineOf(1);
    const both = await captureBoth(machine, 'cam', 'tuned', signal);
    expect([bytesOf(both), both.isOneFrame, asked]).toEqual([[1, 101], true, ['cam', 'tuned', 'cam']]);
  });

  it('are taken again where it changed meanwhile', async () => {
    const both = await captureBoth(machineOf(1, 2, 2).machine, 'cam', 'tuned', signal);
    expect([bytesOf(both), both.isOneFrame]).toEqual([[2, 102], true]);
  });

  it('are said to be of two where it always changes', async () => {
    const { machine, asked } = machineOf(1, 2, 3, 4, 5);
    expect((await captureBoth(machine, 'cam', 'tuned', signal)).isOneFrame).toBe(false);
    expect(asked).toHaveLength(7);
  });

  it('are no depths', async () => {
    await expect(captureBoth(machineOf(1).machine, 'cam', 'depth', signal)).rejects.toThrow('image/vnd.viam.dep');
  });
});
