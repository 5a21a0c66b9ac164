import { describe, expect, it, vi } from 'vitest';
import type { TrialModel } from '../../../../workers/fit/client.ts';
import type { LabelledPicture } from '../../../../workers/vision/protocol.ts';
import type { TriedPicture } from '../../../models/fit/solver/try-feedings.ts';
import { KnownAnswer } from './known-answer.svelte.ts';

const way = (bgr: boolean) => ({ bgr, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }) as const;
const inputs = [way(false), way(true)];
const frame = new Blob(['a frame']);
const file = (name: string) => new File([name], name);
const decided: TriedPicture = { inputs, tried: [[0.01], [0.9]] };
const open: TriedPicture = { inputs, tried: [[0.8], [0.9]] };

/** A worker that keeps each labelled picture until the test answers it. */
function bench(labels: readonly string[] | null = ['cat', 'dog']) {
  const asked: {
    readonly labelled: LabelledPicture;
    readonly signal: AbortSignal;
    tell(fraction: number): void;
    answer(tried: TriedPicture | Error): void;
  }[] = [];
  const trial: TrialModel = {
    model: new Blob(['a model']),
    kind: 'classifications',
    labels,
    preprocessing: { colour: 'bgr', mean: [0.5, 0.5, 0.5], stdDev: [0.25, 0.25, 0.25], letterbox: null },
    isPadded: false,
    isFedByOptions: false,
  };
  const known = new KnownAnswer({
    trial: () => Promise.resolve(trial),
    vision: {
      currentFrame: () => Promise.resolve(frame),
      tryFeedings: (labelled, tell, signal) =>
        new Promise((resolve, reject) => {
          const answer = (tried: TriedPicture | Error) => (tried instanceof Error ? reject(tried) : resolve(tried));
          asked.push({ labelled, signal, tell, answer });
        }),
    },
  });
  const say = async (words: string, tried: TriedPicture | Error) => {
    const count = asked.length;
    const saying = known.say(words);
    await vi.waitFor(() => expect(asked.length).toBe(count + 1));
    asked.at(-1)!.answer(tried);
    await saying;
  };
  return { known, asked, trial, say };
}

describe('KnownAnswer', () => {
  it('tries the frame on the stage, with what is on it, on the model as it would be fed', async () => {
    const { known, asked, trial, say } = bench();
    await known.takeFrame();
    await say(' Dog ', decided);
    expect(asked[0]!.labelled).toEqual({
      model: trial.model,
      kind: 'classifications',
      isFedByOptions: false,
      picture: frame,
      present: { bgr: true, meanValue: [0.5, 0.5, 0.5], stdDev: [0.25, 0.25, 0.25], fit: 'stretch' },
      answer: { category: 1, box: null },
    });
    expect(known.ranking).toMatchObject({ verdict: 'decided', ranked: [{ input: inputs[1] }, { isNear: false }] });
    expect(known.used.map(({ label }) => label)).toEqual(['Dog']);
    expect(known.progress).toBeNull();
  });

  it('adds what a further picture says, and replaces what was said of one before', async () => {
    const { known, say } = bench();
    await known.takeFrame();
    await say('cat', open);
    known.take(file('dog.png'));
    await say('dog', decided);
    expect([known.used.length, known.ranking?.verdict]).toEqual([2, 'decided']);
    expect(known.chosen(known.ranking!.ranked[0]!)).toMatchObject({
      isSure: true,
      why: expect.stringContaining('2 labelled pictures') as string,
    });
    known.take(file('dog.png'));
    await say('dog', open);
    expect([known.used.length, known.ranking?.verdict]).toEqual([2, 'open']);
    known.forget();
    expect([known.used, known.ranking]).toEqual([[], null]);
  });

  it('keeps a picture that was chosen when the stage’s comes late', async () => {
    const { known } = bench();
    const late = known.takeFrame();
    known.take(file('dog.png'));
    await late;
    expect(known.picture?.name).toBe('dog.png');
  });

  it('says how far it is, and is given up', async () => {
    const { known, asked } = bench();
    await known.takeFrame();
    const saying = known.say('cat');
    await vi.waitFor(() => expect(asked.length).toBe(1));
    asked[0]!.tell(0.5);
    expect(known.progress).toBe(0.5);
    known.cancel();
    expect([asked[0]!.signal.aborted, known.progress]).toEqual([true, null]);
    asked[0]!.tell(0.9);
    asked[0]!.answer(decided);
    await saying;
    expect([known.used, known.progress, known.fault]).toEqual([[], null, null]);
  });

  it('is told a class that the model has not', async () => {
    const { known, asked } = bench();
    await known.takeFrame();
    await known.say('horse');
    expect(known.fault).toBe('The model has no class “horse”. Give one of its labels, or the number of a class.');
    expect([asked.length, known.progress]).toEqual([0, null]);
    const numbers = bench(null);
    await numbers.known.takeFrame();
    await numbers.known.say('horse');
    expect(numbers.known.fault).toMatch(/Give its labels above/);
  });

  it('says why nothing could be tried, and forgets that with the next picture', async () => {
    const { known, say } = bench();
    await known.takeFrame();
    await say('cat', new Error('The runtime stopped.'));
    expect([known.fault, known.progress]).toEqual(['Nothing could be tried: The runtime stopped.', null]);
    known.take(file('dog.png'));
    expect(known.fault).toBeNull();
  });

  it('does nothing without a word or a picture', async () => {
    const { known, asked } = bench();
    await known.say('cat');
    await known.takeFrame();
    await known.say('  ');
    expect(asked).toEqual([]);
  });

  it('forgets pictures that were tried on a model that is read otherwise', async () => {
    const { known, say } = bench();
    await known.takeFrame();
    known.keepFor('logits');
    await say('cat', open);
    known.keepFor('logits');
    expect(known.used.length).toBe(1);
    known.keepFor('probabilities');
    expect(known.used).toEqual([]);
  });
});
