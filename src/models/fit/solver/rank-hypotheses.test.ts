import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import type { Outputs } from '../../../machine/vision/decode/outputs.ts';
import type { BoxOrder } from '../../../machine/vision/decode/box-order.ts';
import type { DetectionInterpretation } from '../interpretations/interpretation.ts';
import type { Hypothesis } from './hypothesis.ts';
import { listOutputs, presentOutput } from './list-hypotheses.ts';
import { listRepairs } from './list-repairs.ts';
import {
  inOrder,
  isDecided,
  judgeHypothesis,
  type FedFrame,
  type RankContext,
  type RankedHypothesis,
} from './rank-hypotheses.ts';
import { titleOf } from './hypothesis-title.ts';
import { whyOf } from './words.ts';

const sizes = { inputWidthPx: 100, inputHeightPx: 100 };
const things = [
  { box: [0.1, 0.2, 0.35, 0.8], score: 0.9, category: 2 },
  { box: [0.5, 0.1, 0.95, 0.4], score: 0.8, category: 0 },
  { box: [0.6, 0.55, 0.75, 0.9], score: 0.7, category: 1 },
];
type Box = readonly number[];
const mirrored = ([x0, y0, x1, y1]: Box) => [1 - x1!, y0!, 1 - x0!, y1!];
const moved = ([x0, y0, x1, y1]: Box) => [x0! + 0.08, y0! + 0.05, x1! + 0.08, y1! + 0.05];

interface Written {
  readonly order?: BoxOrder;
  readonly box?: (box: Box) => Box;
  readonly score?: (score: number) => number;
  readonly category?: (category: number) => number;
}

/** A frame with three things, as a model writes them down, with its mirror image and moved. */
function seen({
  order = [1, 0, 3, 2],
  box = (one) => one,
  score = (one) => one,
  category = (one) => one,
}: Written): FedFrame {
  const run = (view: (box: Box) => Box) => ({
    ...sizes,
    outputs: new Map([
      [
        'location',
        float32(
          [1, 3, 4],
          things.flatMap((thing) => box(order.map((at) => view(thing.box)[at]!))),
        ),
      ],
      [
        'category',
        float32(
          [1, 3],
          things.map((thing) => category(thing.category)),
        ),
      ],
      [
        'score',
        float32(
          [1, 3],
          things.map((thing) => score(thing.score)),
        ),
      ],
    ]) as Outputs,
  });
  const views = { run: run((one) => one), mirrored: run(mirrored), moved: run(moved), flat: null };
  return { frame: { widthPx: 200, heightPx: 100 }, views, drawn: [] };
}

const service = { remapOutputNames: {}, boxOrder: [1, 0, 3, 2] as BoxOrder, dropsFirstLabel: false };
const asIs: Omit<Hypothesis, 'output' | 'changes'> = {
  feeding: { input: { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }, turnDegs: 0 },
  labels: ['cat', 'dog', 'cow'],
  filter: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  suppresses: false,
};

function rank(fed: FedFrame, changed: Partial<Hypothesis> = {}, context: Partial<RankContext> = {}) {
  const { outputs } = fed.views.run;
  const judge = (hypothesis: Hypothesis) =>
    judgeHypothesis(hypothesis, [fed], { symptom: 'unsure', ownLabels: null, told: null, ...context }) ?? [];
  const read = listOutputs(outputs, presentOutput(outputs, service)).flatMap((one) =>
    judge({ ...asIs, ...changed, ...one }),
  );
  const present = read[0]!;
  const ranked = inOrder([...read, ...listRepairs(present).flatMap(judge)]);
  return { ranked, present, titles: ranked.map(({ hypothesis }) => titleOf(hypothesis)) };
}
const centred = ([a, b, c, d]: Box) => [(a! + c!) / 2, (b! + d!) / 2, c! - a!, d! - b!];

describe('what is wrong with how outputs are read', () => {
  it.each<[string, Written]>([
    ['As it is now', {}],
    ['Boxes are x, y, x, y', { order: [0, 1, 2, 3] }],
    ['Boxes are x, x, y, y', { order: [0, 2, 1, 3] }],
    ['A box is centre and size', { box: centred }],
    ['A box is corner and size', { box: ([a, b, c, d]) => [a!, b!, c! - a!, d! - b!] }],
    ['Scores still need sigmoid', { score: (score) => Math.log(score / (1 - score)) }],
  ])('%s', (title, written) => {
    const { titles, ranked, present } = rank(seen(written));
    expect(titles[0]).toBe(title);
    expect(whyOf(ranked[0]!, present)).toMatch(/^[A-Z].*\.$/);
  });

  it('takes orders for one that differ in which corner they name first, which the machine sorts', () => {
    const { outputs } = seen({}).views.run;
    const read = (boxOrder: BoxOrder) => presentOutput(outputs, { ...service, boxOrder });
    for (const order of [[3, 2, 1, 0], [1, 2, 3, 0], [3, 0, 1, 2]] as const) expect(read(order)).toEqual(read([1, 0, 3, 2])); // prettier-ignore
    expect(read([2, 3, 0, 1])).toEqual(read([0, 1, 2, 3]));
    expect(read([2, 0, 1, 3])).toEqual(read([0, 2, 1, 3]));
  });

  it('exchanges scores and categories that a remap exchanged', () => {
    const fed = seen({});
    const remapOutputNames = { location: 'location', category: 'score', score: 'category' };
    const present = presentOutput(fed.views.run.outputs, { ...service, remapOutputNames }) as DetectionInterpretation;
    expect([present.score, present.category]).toEqual(['category', 'score']);
    const others = listOutputs(fed.views.run.outputs, present);
    expect(
      others.some(
        ({ changes, output }) => changes.join() === 'tensors' && (output as DetectionInterpretation).score === 'score',
      ),
    ).toBe(true);
  });

  it('says what a person’s word favours before what explains as much', () => {
    const flat = seen({ order: [0, 1, 2, 3] });
    const blind = { ...flat, views: { ...flat.views, mirrored: null, moved: null } };
    const change = (symptom: RankContext['symptom']) =>
      rank(blind, {}, { symptom }).ranked.find(({ hypothesis }) => hypothesis.changes.length > 0)!.hypothesis.changes;
    expect(change('mirrored')).toEqual(['box-order']);
    expect(change('corner')).toContain('box-form');
  });
});

describe('labels and filter', () => {
  it('drops the line in front that the model’s own names do not have', () => {
    const own = ['cat', 'dog', 'cow'];
    const { ranked, present } = rank(seen({}), { labels: ['background', ...own] }, { ownLabels: own });
    expect(ranked[0]!.hypothesis).toMatchObject({ changes: ['labels'], labels: own });
    expect(whyOf(ranked[0]!, present)).toContain('“cat”');
  });

  it('puts a line before labels that the model’s numbers exceed', () => {
    const { ranked } = rank(seen({ category: (number) => number + 1 }));
    expect(ranked[0]!.hypothesis).toMatchObject({ changes: ['labels'], labels: ['background', 'cat', 'dog', 'cow'] });
  });

  it.each([
    [{ defaultMinimumConfidence: 0.99, labelConfidences: {} }, 0.5],
    [{ defaultMinimumConfidence: 0, labelConfidences: { widget: 0.5 } }, 0.4],
  ])('lowers a filter that hides everything: %j', (filter, better) => {
    const { ranked, present } = rank(seen({}), { filter });
    expect(ranked[0]!.hypothesis).toMatchObject({
      changes: ['threshold'],
      filter: { defaultMinimumConfidence: better },
    });
    expect(whyOf(ranked[0]!, present)).toContain('shows none of it');
  });

  it('finds nothing wrong with a filter that keeps what is sure', () => {
    expect(rank(seen({})).titles).not.toContain('The threshold is wrong');
  });
});

describe('scores that a wrong feeding drives to 1', () => {
  const places: readonly Box[] = [0, 1, 2, 3, 4, 5].map((at) => [0.15 * at, 0.1 * at, 0.15 * at + 0.1, 0.1 * at + 0.3]);

  /** Six things of one score, of which the mirror image shows the first few again. */
  function qualityOf(score: number, confirmed: number): number {
    const run = (boxes: readonly Box[]) => ({
      ...sizes,
      outputs: new Map([
        [
          'location',
          float32(
            [1, 6, 4],
            boxes.flatMap(([x0, y0, x1, y1]) => [y0!, x0!, y1!, x1!]),
          ),
        ],
        ['category', float32([1, 6], Array(6).fill(0))],
        ['score', float32([1, 6], Array(6).fill(score))],
      ]) as Outputs,
    });
    const elsewhere = places.map((box, at) => (at < confirmed ? mirrored(box) : [0, 0.9, 0.02, 1]));
    const views = { run: run(places), mirrored: run(elsewhere), moved: null, flat: null };
    return rank({ frame: { widthPx: 200, heightPx: 100 }, views, drawn: [] }).present.quality;
  }

  it('lead before none that other views confirm', () => {
    expect(qualityOf(0.99, 2)).toBeLessThan(qualityOf(0.5, 5) / 2);
  });

  it('are believed where other views confirm them', () => {
    expect(qualityOf(0.99, 5)).toBeGreaterThan(qualityOf(0.5, 5));
    expect(qualityOf(0.75, 2)).toBeGreaterThan(qualityOf(0.99, 2));
  });
});

describe('boxes that a person drew', () => {
  it('decide against what the views say', () => {
    const fed = seen({});
    const drawn = [{ box: [0.2, 0.1, 0.8, 0.35] as const, label: 'cow' }];
    const { titles, ranked, present } = rank({ ...fed, drawn });
    expect(titles[0]).toBe('Boxes are x, y, x, y');
    expect(whyOf(ranked[0]!, present)).toBe('It finds what you drew by 100 %, as it is now by 18 %.');
  });

  it('count by half under another label', () => {
    const fed = seen({});
    const match = (label: string) => rank({ ...fed, drawn: [{ box: [0.1, 0.2, 0.35, 0.8], label }] }).present.match;
    expect([match(''), match('COW'), match('dog')]).toEqual([1, 1, 0.5].map((value) => expect.closeTo(value, 4)));
  });
});

describe('whether frames decide', () => {
  const ranked = (...qualities: readonly (readonly [number, Hypothesis['changes']])[]) =>
    qualities.map(([quality, changes]) => ({
      quality,
      told: { said: { guess: null, bgr: false, range: null } },
      hypothesis: { changes, feeding: asIs.feeding },
      evidence: { rows: null },
    })) as unknown as readonly RankedHypothesis[];

  it.each([
    ['nothing comes near', ranked([0.5, []], [0.3, ['labels']]), 'unsure', true],
    ['another comes near', ranked([0.5, []], [0.45, ['labels']]), 'unsure', false],
    ['the second says the same', ranked([0.5, ['labels']], [0.48, ['labels']], [0.1, []]), 'unsure', true],
    ['a person’s word makes the difference', ranked([0.5, ['labels']], [0.3, []]), 'wrong-labels', false],
    ['the model sees next to nothing', ranked([0.05, []], [0.001, ['labels']]), 'unsure', false],
    ['nothing was tried', [], 'unsure', false],
    [
      'frames alone say as much of a further thing',
      ranked([0.5, ['labels']], [0.25, ['labels', 'turn']]),
      'unsure',
      false,
    ],
    ['frames alone say less of a further thing', ranked([0.5, ['labels']], [0.15, ['labels', 'turn']]), 'unsure', true],
  ] as const)('%s', (_, list, symptom, is) => expect(isDecided(list, symptom)).toBe(is));

  it('never does for a feeding that nothing is said of, that is guessed, or that is not as is said', () => {
    const [best] = ranked([0.5, []]) as [RankedHypothesis];
    const said = (changed: object) => ({ ...best, told: { said: { ...best.told!.said, ...changed } } });
    expect(isDecided([best], 'unsure')).toBe(true);
    const others = [{ ...best, told: null }, said({ guess: 'TensorFlow’s way.' }), said({ bgr: true })];
    for (const other of others) expect(isDecided([other as RankedHypothesis], 'unsure')).toBe(false);
  });

  it('does not while a turned frame was not tried with the feeding, or other colours with the turn', () => {
    const { input } = asIs.feeding;
    const [colours] = ranked([0.5, ['colours']]) as [RankedHypothesis];
    const fed = (one: RankedHypothesis, feeding: Hypothesis['feeding']) =>
      ({ ...one, quality: 0.1, hypothesis: { ...one.hypothesis, feeding } }) as RankedHypothesis;
    expect(isDecided([colours], 'unsure')).toBe(false);
    expect(isDecided([colours, fed(colours, { input: { ...input, bgr: true }, turnDegs: 180 })], 'unsure')).toBe(false);
    expect(isDecided([colours, fed(colours, { input, turnDegs: 180 })], 'unsure')).toBe(true);
    const turned = { ...fed(ranked([0.5, ['turn']])[0]!, { input, turnDegs: 90 }), quality: 0.5 };
    expect(isDecided([turned], 'unsure')).toBe(false);
    expect(isDecided([turned, fed(turned, { input: { ...input, bgr: true }, turnDegs: 90 })], 'unsure')).toBe(true);
  });

  it('does not while the labels are doubtful', () => {
    const [best] = ranked([0.5, []]) as [RankedHypothesis];
    const shift = { labels: ['cat'], words: 'The model has 1 class, the list 2 lines.', action: 'Drop a line' };
    expect(isDecided([{ ...best, shift }], 'unsure')).toBe(false);
  });

  it('does not where the filter hides most of what is surely seen', () => {
    const said = { source: 'fitted', familyName: '', guess: null, bgr: false, range: null } as const;
    const told = { said, present: asIs.feeding.input };
    const decided = (defaultMinimumConfidence: number) =>
      isDecided(
        [rank(seen({}), { filter: { defaultMinimumConfidence, labelConfidences: {} } }, { told }).present],
        'unsure',
      );
    expect([decided(0.5), decided(0.85), decided(0.95)]).toEqual([true, false, false]);
  });

  it('names a letterbox first where the file says that it learned with one, and is then sure', () => {
    const fed = seen({});
    const said = { source: 'fitted', guess: null, familyName: '', bgr: null, range: null } as const;
    const border = (letterbox?: { border: number; at: 'centre' } | null) => {
      const told = { said: letterbox === undefined ? said : { ...said, letterbox }, present: asIs.feeding.input };
      const output = presentOutput(fed.views.run.outputs, service)!;
      const feeding = { ...asIs.feeding, input: { ...asIs.feeding.input, fit: 'letterbox' } } as const;
      const judge = (hypothesis: Hypothesis) =>
        judgeHypothesis(hypothesis, [fed], { symptom: 'unsure', ownLabels: null, told })!;
      const list = inOrder([
        judge({ ...asIs, output, changes: [] }),
        judge({ ...asIs, feeding, output, changes: ['letterbox'] }),
      ]);
      return [list[0]!.hypothesis.changes, isDecided(list, 'unsure'), whyOf(list[0]!, list[1]!)];
    };
    expect(border()).toEqual([[], true, expect.any(String)]);
    expect(border(null)).toEqual([[], true, expect.any(String)]);
    expect(border({ border: 114, at: 'centre' })).toEqual([
      ['letterbox'],
      true,
      expect.stringMatching(/^The model file says that it learned from pictures with a border around them\./),
    ]);
  });
});
