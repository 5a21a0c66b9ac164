import { describe, expect, it } from 'vitest';
import type { FeedingCure, FeedingTask, FoundFeeding, MeasuredWay } from '../../../../workers/feeding/client.ts';
import { noFeeding } from '../../../../tests/no-feeding.ts';
import type { FeedingBench } from '../ports/feeding-bench.ts';
import type { TruthBox, TruthImage } from '../ports/truth-source.ts';
import { FeedingSearch, type LabelledFrames } from './feeding-search.svelte.ts';
import { apWords, bothWords, fewWords, waysOf } from '../feeding/feeding-words.ts';

const boxOf = (label: string, isIgnored = false): TruthBox => ({
  label,
  isModelMade: false,
  isIgnored,
  xMinNormalized: 0.1,
  yMinNormalized: 0.2,
  xMaxNormalized: 0.3,
  yMaxNormalized: 0.4,
});
const imageOf = (id: string, boxes: readonly TruthBox[]): TruthImage => ({ id, name: `${id}.png`, sizeBytes: 1, boxes, labels: [], sequence: '' }); // prettier-ignore
const cure: FeedingCure = { kind: 'colours', title: 'Blue first', step: null, fit: null, fed: { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1] } }; // prettier-ignore
const found: FoundFeeding = { recipe: 'Pillow box', verdict: 'near', apart: [], isPlaced: false, pictures: 1, measuredOn: { pictures: 1, units: 1, isApart: false }, dependence: { basis: 'recorded', alikeCount: 0 }, leftOut: [], unknownLabels: [], ways: [] }; // prettier-ignore

const crowd: TruthBox = { ...boxOf('cow'), isCrowd: true };

/** A bench with one model, and a worker that keeps each search until the test answers it. */
function lab(
  images: readonly TruthImage[] = [imageOf('a', [boxOf('cat'), boxOf('dog', true), crowd]), imageOf('b', [crowd])],
  endsAtOnce = true,
) {
  const searches: {
    readonly task: FeedingTask;
    readonly signal: AbortSignal;
    tell: Parameters<ConstructorParameters<typeof FeedingSearch>[0]['measure']>[1];
    answer(by: FoundFeeding | Error): void;
  }[] = [];
  const bench: { -readonly [K in keyof FeedingBench]: FeedingBench[K] } & { refusal: string | Error } = {
    key: 'k',
    written: '',
    refusal: '',
    now: async () => ({ ...(await noFeeding.bench.now()), key: 'k' }),
    async write({ title }: FeedingCure) {
      if (bench.refusal instanceof Error) throw bench.refusal;
      if (bench.refusal) return bench.refusal;
      bench.key = 'other';
      bench.written = title;
      return '';
    },
    takeBack: () => void ((bench.key = 'k'), (bench.written = '')),
  };
  const frames: LabelledFrames = {
    setName: 'Pets',
    areIndependent: true,
    images: async () => images,
    bytes: async (ids) => new Map(ids.filter((id) => id !== 'gone').map((id) => [id, new Uint8Array(1)])),
  };
  let isChosen = true;
  const search = new FeedingSearch(
    {
      bench,
      measure: (task, tell, signal) =>
        new Promise((resolve, reject) => {
          if (endsAtOnce) signal.addEventListener('abort', () => reject(signal.reason as Error));
          searches.push({ task, signal, tell, answer: (by) => (by instanceof Error ? reject(by) : resolve(by)) });
        }),
    },
    () => (isChosen ? frames : null),
  );
  return { search, searches, bench, unchoose: () => (isChosen = false) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

async function searched(given = lab()) {
  const done = given.search.start();
  await settled();
  given.searches[0]!.answer(found);
  await done;
  return given;
}

describe('a search', () => {
  it('takes the images with boxes that count, says how far it is, and what came of it', async () => {
    const { search, searches } = lab();
    const done = search.start();
    expect(search.isBusy).toBe(true);
    await settled();
    const { task, tell, answer } = searches[0]!;
    const box = [0.1, 0.2, 0.3, 0.4];
    const boxes = [{ label: 'cat', box, isIgnored: false }, { label: 'dog', box, isIgnored: true }, { label: 'cow', box, isIgnored: true }]; // prettier-ignore
    expect(task.pictures).toEqual([{ id: 'a', name: 'a.png', sequence: '', bytes: new Uint8Array(1), boxes }]);
    expect(task.areIndependent).toBe(true);
    tell('searched', 0.5);
    expect(search.progress).toEqual({ phase: 'searched', fraction: 0.5 });
    answer(found);
    await done;
    expect(search.state.kind).toBe('done');
    expect(search.outcome).toMatchObject({ recipe: 'Pillow box', of: { modelName: 'm.onnx' }, from: 'Pets', labelled: 1 }); // prettier-ignore
  });

  it('takes no more frames than it may, from all over the set, without those that were deleted', async () => {
    const given = lab(Array.from({ length: 90 }, (_, at) => imageOf(at === 3 ? 'gone' : `i${at}`, [boxOf('cat')])));
    void given.search.start();
    await settled();
    const ids = given.searches[0]!.task.pictures.map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([29, 'i0', 'i87']);
    given.search.limit(100);
    void given.search.start();
    await settled();
    expect(given.searches[1]!.task.pictures).toHaveLength(89);
  });

  it('says in words that nothing is labelled, and why it failed', async () => {
    const { search } = lab([imageOf('a', [boxOf('cat', true)])]);
    await search.start();
    expect(search.state).toMatchObject({ kind: 'failed', words: { message: 'No image of Pets has a box that counts.' } }); // prettier-ignore
    const given = lab();
    const done = given.search.start();
    await settled();
    given.searches[0]!.answer(new Error('Only detectors are measured.'));
    await done;
    expect(given.search.state).toMatchObject({ kind: 'failed', words: { message: 'Only detectors are measured.' } });
  });

  it('ends its worker when it is cancelled, and heeds nothing of it afterwards', async () => {
    const { search, searches, unchoose } = lab();
    const done = search.start();
    await settled();
    search.cancel();
    await done;
    expect([search.state.kind, searches[0]!.signal.aborted, search.outcome]).toEqual(['cancelled', true, null]);
    searches[0]!.tell('measured', 1);
    expect(search.progress.phase).toBe('reading');
    unchoose();
    await search.start();
    expect(searches).toHaveLength(1);

    const late = lab(undefined, false);
    const answered = late.search.start();
    await settled();
    late.search.cancel();
    late.searches[0]!.answer(found);
    await answered;
    expect([late.search.state.kind, late.search.outcome]).toEqual(['cancelled', null]);
  });
});

describe('a search by one picture', () => {
  const file = () => new File([new Uint8Array(3)], 'bus.png');

  it('hands over what the model printed, with the digits that it was printed with', async () => {
    const { search, searches } = lab();
    const done = search.startWith(file(), ' bus@1.5,2,3,4=0.87\n\nperson\n');
    await settled();
    expect(searches[0]!.task.pictures).toEqual([
      {
        id: 'bus.png',
        name: 'bus.png',
        sequence: '',
        bytes: new Uint8Array(3),
        boxes: [
          { label: 'bus', box: [1.5, 2, 3, 4], score: 0.87 },
          { label: 'person', box: null, score: null },
        ],
        printed: { boxPx: 1, score: 0.51 },
      },
    ]);
    searches[0]!.answer({ ...found, verdict: 'reproduced' });
    await done;
    expect(search.outcome).toMatchObject({ from: 'bus.png', labelled: 1, verdict: 'reproduced' });
  });

  it.each([
    ['', /^Say what is on the picture/],
    ['bus=7', /^A line wants a score from 0 to 1/],
    ['bus@3,2,1,4', /^A line wants a box that has an area, as LABEL@XMIN,YMIN,XMAX,YMAX in pixels: 3 is not left of 1/],
  ])('says what is wrong with "%s"', async (said, message) => {
    const { search, searches } = lab();
    await search.startWith(file(), said);
    expect(search.state).toMatchObject({ kind: 'failed', words: { message: expect.stringMatching(message) } });
    expect(searches).toEqual([]);
  });
});

describe('a cure', () => {
  it('is written by one click and taken back by one undo; meanwhile what was measured is of another feeding', async () => {
    const { search } = await searched();
    expect(search.isStale).toBe(false);
    await search.use(cure);
    expect([search.written, search.isStale, search.isWriting]).toEqual(['Blue first', true, false]);
    // Another one would be written on top of what nobody measured.
    await search.use({ ...cure, title: 'Another' });
    expect(search.written).toBe('Blue first');
    search.takeBack();
    expect([search.written, search.isStale]).toEqual(['', false]);
  });

  it.each(['The configuration cannot be read.', new Error('The configuration cannot be read.')])('says why it was not written: %s', async (refusal) => {
    const { search, bench } = await searched();
    bench.refusal = refusal;
    await search.use(cure);
    expect([search.refused, search.isStale]).toEqual(['The configuration cannot be read.', false]);
    bench.refusal = '';
    await search.use(cure);
    expect(search.refused).toBe('');
    search.takeBack();
    bench.refusal = refusal;
    await search.use(cure);
    void search.start();
    expect(search.refused).toBe(''); // it was a cure of the search before
    search.cancel();
  }); // prettier-ignore
});

describe('its words', () => {
  const way = (title: string, value: number, verdict: 'better' | 'cannot tell'): MeasuredWay => {
    const averagePrecision = { figure: 'AP50', label: null, first: 0.5, second: 0.5 + value, difference: { value, low: value - 0.1, high: value + 0.1 }, verdict, unitsToTell: 40, unitsDiffering: 9 } as const; // prettier-ignore
    const difference = { averagePrecision, counts: { vanished: 0, appeared: 1, relabelled: 0, moved: 0, same: 2 } };
    return { cure: { ...cure, title }, loss: difference, gain: difference };
  };

  it('offers what was shown to win something, the most first', () => {
    const ways = [way('own', 0, 'cannot tell'), way('a', 0.2, 'better'), way('b', 0.05, 'cannot tell'), way('c', 0.3, 'better')]; // prettier-ignore
    const { own, winning, others } = waysOf({ ways });
    expect([own!.cure.title, winning.map((one) => one.cure.title), others.map((one) => one.cure.title)]).toEqual(['own', ['c', 'a'], ['b']]); // prettier-ignore
    expect(waysOf({ ways: null })).toEqual({ own: null, winning: [], others: [] });
  });

  it('says differences with their intervals, and how many frames would tell', () => {
    expect(apWords(way('a', 0.2, 'better').loss, 12)).toBe('+0.200 (+0.100 to +0.300), better');
    expect(apWords(way('a', 0.05, 'cannot tell').loss, 12)).toMatch(/cannot tell from 12 frames; about 40 would$/);
    expect(bothWords(way('a', 0.2, 'better').loss)).toBe('0.500 fed by the recipe, 0.700 fed by the machine');
  });

  it('says that a few frames tell nothing', () => {
    expect(fewWords({ measuredOn: { pictures: 9, units: 1, isApart: false } })).toMatch(/^One frame tells nothing/);
    expect(fewWords({ measuredOn: { pictures: 9, units: 5, isApart: false } })).toMatch(
      /^5 frames tell nothing .* 6 or more/,
    );
    expect(fewWords({ measuredOn: { pictures: 9, units: 6, isApart: false } })).toBe('');
  });
});
