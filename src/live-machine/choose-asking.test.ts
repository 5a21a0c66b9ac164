import { expect, it } from 'vitest';
import { linkPretended, type PretendedMachine } from '../../tests/live-machine-fixture.ts';
import { chooseAsking } from './choose-asking.ts';

const { signal } = new AbortController();
const boxOf = (xMax: number) => ({
  detections: [{ label: 'cat', score: 0.5, xMin: 0, yMin: 0, xMax, yMax: 9 }],
  classifications: null,
});
const request = {
  visionName: 'v',
  cameraName: '',
  abilities: { detects: true, classifies: false, defaultCamera: 'cam' },
};
const asking = (machine: PretendedMachine) => chooseAsking(linkPretended(machine), request, signal);

it('asks for frame and answer at once where the service saw those bytes', async () => {
  let next = 7;
  const { way, ask } = await asking({ image: () => Uint8Array.of(next++), answer: ([first]) => boxOf(first!) });
  expect(way).toBe('with-the-frame');
  for (const byte of [7, 8, 9]) {
    expect(await ask()).toMatchObject({ image: { bytes: Uint8Array.of(byte) }, ...boxOf(byte) });
  }
});

it('sends the bytes back where the service saw what they were made of', async () => {
  let next = 7;
  const { way, ask } = await asking({
    image: () => Uint8Array.of(next++),
    answer: ([first]) => boxOf(first!),
    captureAnswer: () => boxOf(100),
  });
  expect(way).toBe('of-the-bytes');
  expect(await ask()).toMatchObject({ image: { bytes: Uint8Array.of(7) }, ...boxOf(7) }); // the one that showed the way
  expect(await ask()).toMatchObject({ image: { bytes: Uint8Array.of(8) }, ...boxOf(8) });
});
