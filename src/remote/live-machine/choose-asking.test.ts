import { describe, expect, it } from 'vitest';
import { linkPretended, type PretendedMachine } from '../../../tests/live-machine-fixture.ts';
import { chooseAsking } from './choose-asking.ts';
import type { FrameAnswer } from './live-machine.ts';

const { signal } = new AbortController();
const nothing: FrameAnswer = { detections: [], classifications: null };
const boxOf = (xMax: number): FrameAnswer => ({
  detections: [{ label: 'cat', score: 0.5, xMin: 0, yMin: 0, xMax, yMax: 9 }],
  classifications: null,
});
const request = {
  visionName: 'v',
  cameraName: '',
  abilities: { detects: true, classifies: false, defaultCamera: 'cam' },
};
/** A machine whose pictures are bytes that count up, or these. */
async function asking(machine: Omit<PretendedMachine, 'image'>, pictures: readonly number[] = []) {
  let shown = 0;
  const askedOfBytes: number[] = [];
  const linked = linkPretended({
    ...machine,
    image: () => Uint8Array.of(pictures[shown++] ?? 6 + shown),
    answer: (image) => {
      askedOfBytes.push(image[0]!);
      return machine.answer!(image);
    },
    captureAnswer: machine.captureAnswer ?? machine.answer!,
  });
  return { asking: await chooseAsking(linked, request, signal), askedOfBytes };
}
const bytesOf = (...bytes: number[]) => ({ image: { bytes: Uint8Array.from(bytes) } });

describe('how a machine is asked about its frames', () => {
  it('is for frame and answer at once where three pictures show that the service sees those bytes', async () => {
    const { asking: asked, askedOfBytes } = await asking({ answer: ([first]) => boxOf(first!) });
    const ways: string[] = [];
    for (const byte of [7, 8, 9, 10]) {
      expect(await asked.ask()).toMatchObject({ ...bytesOf(byte), ...boxOf(byte) });
      ways.push(asked.way);
    }
    expect(ways).toEqual(['both-ways', 'both-ways', 'with-the-frame', 'with-the-frame']);
    expect(askedOfBytes).toEqual([7, 8, 9]);
  });

  it('sends the bytes back where the service saw what they were made of', async () => {
    const { asking: asked } = await asking({ answer: ([first]) => boxOf(first!), captureAnswer: () => boxOf(100) });
    expect(asked.way).toBe('of-the-bytes');
    expect(await asked.ask()).toMatchObject({ ...bytesOf(7), ...boxOf(7) }); // the one that showed the way
    expect(await asked.ask()).toMatchObject({ ...bytesOf(8), ...boxOf(8) });
  });

  it('is not told by frames without results, and each has the answer to its bytes', async () => {
    const { asking: asked } = await asking({
      answer: ([first]) => (first! < 12 ? nothing : boxOf(first!)),
      captureAnswer: ([first]) => (first! < 12 ? nothing : boxOf(100)),
    });
    for (const byte of [7, 8, 9, 10, 11]) {
      expect(await asked.ask()).toMatchObject({ ...bytesOf(byte), ...nothing });
      expect(asked.way).toBe('both-ways');
    }
    expect(await asked.ask()).toMatchObject({ ...bytesOf(12), ...boxOf(12) });
    expect(asked.way).toBe('of-the-bytes');
    expect(await asked.ask()).toMatchObject({ ...bytesOf(13), ...boxOf(13) });
  });

  it('is not told by one picture that is shown again, about whose bytes one question is enough', async () => {
    const { asking: asked, askedOfBytes } = await asking({ answer: () => boxOf(5) }, [1, 1, 1, 1, 1]);
    for (let i = 0; i < 5; i++) expect(await asked.ask()).toMatchObject({ ...bytesOf(1), ...boxOf(5) });
    expect(asked.way).toBe('both-ways');
    expect(askedOfBytes).toEqual([1]);
  });

  it('asks again about the same picture where the machine says something else of it now', async () => {
    let xMax = 5;
    const { asking: asked } = await asking({ answer: () => boxOf(xMax) }, [1, 1, 1]);
    await asked.ask();
    xMax = 6;
    expect(await asked.ask()).toMatchObject(boxOf(6));
  });

  it('confirms an answer that came with its frame by the bytes, and asks about them from then on if it was wrong', async () => {
    const { asking: asked } = await asking({
      answer: ([first]) => boxOf(first!),
      captureAnswer: ([first]) => boxOf(first! === 10 ? 100 : first!),
    });
    for (let i = 0; i < 3; i++) await asked.ask();
    const wrong = await asked.ask();
    expect(wrong).toMatchObject({ ...bytesOf(10), ...boxOf(100) });
    expect(await asked.confirm(wrong)).toMatchObject({ ...bytesOf(10), ...boxOf(10) });
    expect(asked.way).toBe('of-the-bytes');
    const next = await asked.ask();
    expect(await asked.confirm(next)).toBe(next);
  });
});
