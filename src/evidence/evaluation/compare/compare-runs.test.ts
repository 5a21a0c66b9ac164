import { describe, expect, it } from 'vitest';
import { DetectionSetBuilder, TruthSetBuilder, type Box } from '../build-sets.ts';
import { changesByImage, compareReportText, differenceText, type CompareReport } from './compare-report.ts';
import { compareRuns, measureRuns } from './compare-runs.ts';
import { changesInWords, leftOutInWords, rateInWords, strangersInWords, verdictInWords } from './compare-words.ts';

const left: Box = [0, 0, 10, 10];
const right: Box = [50, 0, 10, 10];

/** Eight images with a cup on the left and on the right. The second camera shows the left half alone. */
function twoCameras() {
  const [whole, half] = [new TruthSetBuilder(), new TruthSetBuilder()];
  const [both, onlyLeft] = [new DetectionSetBuilder(), new DetectionSetBuilder()];
  for (let image = 0; image < 8; image++) {
    for (const truth of [whole, half]) truth.add(image, 0, left);
    whole.add(image, 0, right);
    for (const found of [both, onlyLeft]) found.add(image, 0, left, 0.8);
    both.add(image, 0, right, 0.4);
  }
  const space = { imageCount: 8, labels: ['<cup>'] };
  const units = { count: 8, ofImage: Uint32Array.from({ length: 8 }, (_, at) => at) };
  return {
    space,
    units,
    first: { truth: whole.build(), detections: both.build() },
    second: { truth: half.build(), detections: onlyLeft.build() },
    ignoreRule: 'field' as const,
  };
}

const at = (first: number, second: number) => ({
  firstThresholds: [first],
  secondThresholds: [second],
  movedMoreThanPx: 2,
});

it('counts each run against the truth that its own camera shows', () => {
  const compared = compareRuns(measureRuns(twoCameras()), at(0.5, 0.5));
  expect(compared.counts).toEqual({ same: 8, moved: 0, relabelled: 0, vanished: 0, appeared: 0 });
  expect([compared.first.total.recall, compared.second.total.recall]).toEqual([0.5, 1]);
  expect(compared.figures.find(({ figure }) => figure === 'recall')).toMatchObject({ first: 0.5, second: 1 });
});

it('compares at any thresholds from one measuring', () => {
  const measured = measureRuns(twoCameras());
  expect(compareRuns(measured, at(0.3, 0.3)).counts.vanished).toBe(8);
  expect(compareRuns(measured, at(0.9, 0.3)).counts.appeared).toBe(8);
  expect(compareRuns(measured, at(0.9, 0.3)).figures.at(-1)!.first).toBe(measured.averagePrecision.at(-1)!.first);
});

it.each([
  [
    { vanished: 1, appeared: 1, relabelled: 1, moved: 1, same: 1 },
    '1 box vanishes, 1 appears, 1 label changes, 1 moves by more than 0.5 px, 1 stays.',
  ],
  [
    { vanished: 0, appeared: 2, relabelled: 3, moved: 4, same: 5 },
    '0 boxes vanish, 2 appear, 3 labels change, 4 move by more than 0.5 px, 5 stay.',
  ],
])('says changes in a sentence: %o', (counts, words) => {
  expect(changesInWords(counts, 0.5)).toBe(words);
});

it.each([
  [{ value: 0.1, low: 0.05, high: 0.15 }, 'better', null, 'better'],
  [{ value: 0.1, low: -0.1, high: 0.3 }, 'cannot tell', 160, 'cannot tell from 40 images; about 160 would'],
  [{ value: 0, low: -0.1, high: 0.1 }, 'cannot tell', null, 'no difference on 40 images'],
  [null, 'cannot tell', null, 'not defined on both sides'],
] as const)('says a verdict in words: %o', (difference, verdict, unitsToTell, words) => {
  const found = {
    figure: 'f1',
    label: null,
    first: 0,
    second: 0,
    difference,
    verdict,
    unitsToTell,
    unitsDiffering: 9,
  } as const;
  expect(verdictInWords(found, 40)).toBe(words);
  expect(verdictInWords({ ...found, difference: { value: 0.1, low: -1, high: 1 } }, 1, 'clip')).toMatch(
    verdict === 'better' ? /^better$/ : /^cannot tell from 1 clip/,
  );
});

it.each([
  [{ value: 0.02, low: -0.06, high: 0.1 }, '+0.020 (−0.060 to +0.100)'],
  [{ value: 0, low: -0.5, high: 0 }, '0.000 (−0.500 to 0.000)'],
  [null, '–'],
])('writes a difference with its sign: %o', (difference, text) => {
  expect(differenceText({ difference, unitsDiffering: 9 })).toBe(text);
});

it('writes no interval where both sides are the same', () => {
  const difference = { value: 0, low: -1, high: 1 };
  expect(differenceText({ difference, unitsDiffering: 0 })).toBe('0.000');
});

it('puts the images with most changes first', () => {
  const change = (image: number, kind: 'moved' | 'appeared') => ({ kind, image, first: 0, second: 0, movedPx: 3 });
  const images = changesByImage([change(1, 'moved'), change(4, 'moved'), change(4, 'appeared'), change(2, 'moved')]);
  expect(images.map(({ image, counts }) => [image, counts.moved, counts.appeared])).toEqual([
    [4, 1, 1],
    [1, 1, 0],
    [2, 1, 0],
  ]);
});

function report(): CompareReport {
  const pair = twoCameras();
  return {
    pair,
    comparison: compareRuns(measureRuns(pair), at(0.3, 0.3)),
    movedMoreThanPx: 2,
    names: pair.units.ofImage.reduce<string[]>((names, image) => [...names, `<${image}>.jpg`], []),
    subject: {
      title: 'A & <B>',
      facts: [['Data', 'a & b']],
      sides: [['Model', '<a>', 'b']],
      settings: [{ place: 'face: crop', first: '1', second: '"<script>"' }],
    },
  };
}

it('reports as one page that loads nothing and lets no name become markup', () => {
  const html = compareReportText(report(), 'html');
  expect(html).not.toMatch(/<script|<cup>|<link|url\(|(src|href)=|https?:|@import|<B>|<a>|NaN|undefined|Infinity/);
  expect(html).toContain('A &amp; &lt;B&gt;');
  expect(html).toContain('8 boxes vanish, 0 appear');
  expect(html).toContain('&quot;&lt;script&gt;&quot;');
  expect(html).toContain('&lt;0&gt;.jpg');
  expect(html).toContain(
    '<table class="texts"><thead><tr><th><th>A<th>B</thead><tbody><tr><td>Model<td>&lt;a&gt;<td>b',
  );
  expect(html).toContain('<th>Label<th>Figure<th>A<th>B<th>B is<th>Difference');
  expect(html).toContain('<td>mAP<td>1.000<td>1.000');
  expect(html).toContain('<td>no difference on 8 images');
  const better = { ...report(), comparison: compareRuns(measureRuns(report().pair), at(0.5, 0.5)) };
  expect(compareReportText(better, 'html')).toContain('<td>better');
  expect(html).toContain('@media print');
});

it('counts clips where images belong together, and lists no more images than anyone reads', () => {
  const { pair } = report();
  const clips = { ...pair, units: { count: 2, ofImage: Uint32Array.of(0, 0, 0, 0, 1, 1, 1, 1) } };
  const comparison = compareRuns(measureRuns(clips), at(0.3, 0.3));
  expect(compareReportText({ ...report(), pair: clips, comparison }, 'html')).toContain('no difference on 2 clips');
  const [change] = comparison.changes;
  const many = Array.from({ length: 101 }, (_, image) => ({ ...change!, image }));
  const names = many.map(({ image }) => `image ${image}`);
  const long = compareReportText({ ...report(), names, comparison: { ...comparison, changes: many } }, 'html');
  expect(long).toContain('image 99<');
  expect(long).not.toContain('image 100<');
  expect(long).toContain('And 1 more');
  const same = {
    ...report(),
    subject: { ...report().subject, settings: [] },
    comparison: { ...comparison, changes: [] },
  };
  expect(compareReportText(same, 'html')).toContain('Both have the same.');
  expect(compareReportText(same, 'html')).not.toContain('Images that differ');
});

it('reports the same as JSON, box by box, and as a table', () => {
  const json = JSON.parse(compareReportText(report(), 'json')) as Record<string, unknown>;
  expect(json).toMatchObject({ title: 'A & <B>', sides: { Model: ['<a>', 'b'] }, changes: { vanished: 8 } });
  expect((json['changed'] as object[])[0]).toEqual({
    kind: 'vanished',
    image: '<0>.jpg',
    movedPx: 0,
    first: { label: '<cup>', score: 0.4, bbox: [50, 0, 10, 10] },
    second: null,
  });
  const figures = json['figures'] as { label: string | null }[];
  expect([figures[0]!.label, figures.at(-1)!.label]).toEqual([null, '<cup>']);
  const appeared = { ...report(), comparison: compareRuns(measureRuns(report().pair), at(0.9, 0.3)) };
  expect((JSON.parse(compareReportText(appeared, 'json')) as { changed: object[] }).changed[7]).toMatchObject({
    kind: 'appeared',
    image: '<7>.jpg',
    first: null,
    second: { score: 0.8, bbox: [0, 0, 10, 10] },
  });
  const lines = compareReportText(report(), 'csv').split('\r\n');
  expect(lines[0]).toBe('label,figure,first,second,difference,low,high,verdict,unitsToTell');
  expect(lines.filter((line) => line.startsWith('all,'))).toHaveLength(4);
  expect(lines[5]).toMatch(/^<cup>,precision,/);
  expect(lines[1]).toBe('all,precision,1,1,0,0,0,cannot tell,');
});

it('judges nothing where the two runs have no label in common, such as with and without a label file', () => {
  const run = (label: number) => {
    const found = new DetectionSetBuilder();
    const truth = new TruthSetBuilder();
    for (let image = 0; image < 8; image++) {
      truth.add(image, 0, left);
      found.add(image, label, left, 0.8);
    }
    return { truth: truth.build(), detections: found.build() };
  };
  const pair = { ...twoCameras(), space: { imageCount: 8, labels: ['cup', '41'] } };
  const at = { firstThresholds: [0.5, 0.5], secondThresholds: [0.5, 0.5], movedMoreThanPx: 2 };
  const apart = compareRuns(measureRuns({ ...pair, first: run(0), second: run(1) }), at);
  expect(apart.strangers).toEqual({ first: ['cup'], second: ['41'] });
  expect(apart.figures.map(({ verdict, difference }) => [verdict, difference])).toEqual(
    apart.figures.map(() => ['cannot tell', null]),
  );
  expect(strangersInWords(apart.strangers!, apart.counts.relabelled)).toBe(
    'A and B have no label in common, so neither can be called better. A says cup; B says 41. 8 boxes lie at the same place under another name: give both the same label file, and run again.',
  );
  expect(compareRuns(measureRuns({ ...pair, first: run(0), second: run(0) }), at).strangers).toBeNull();
  const nothing = { ...run(0), detections: new DetectionSetBuilder().build() };
  const lost = compareRuns(measureRuns({ ...pair, first: run(0), second: nothing }), at);
  expect([lost.strangers, lost.figures.find(({ figure }) => figure === 'recall')!.verdict]).toEqual([null, 'worse']);
});

describe('two runs of which some labels are named differently', () => {
  /** A cup and a table on each of twelve images; the second thing is called as asked, and is there or not. */
  const run = (table: number, has = true) => {
    const [found, truth] = [new DetectionSetBuilder(), new TruthSetBuilder()];
    for (let image = 0; image < 12; image++) {
      truth.add(image, 0, left);
      truth.add(image, 1, [50, 0, 10, 10]);
      found.add(image, 0, left, 0.8);
      if (has) found.add(image, table, [50, 0, 10, 10], 0.8);
    }
    return { truth: truth.build(), detections: found.build() };
  };
  const labels = ['cup', 'dining table', 'diningtable', 'desk'];
  const units = { count: 12, ofImage: Uint32Array.from({ length: 12 }, (_, at) => at) };
  const pair = { ...twoCameras(), space: { imageCount: 12, labels }, units };
  const half = [0.5, 0.5, 0.5, 0.5];
  const at = { firstThresholds: half, secondThresholds: half, movedMoreThanPx: 2 };

  it.each([
    [2, 'diningtable'],
    [3, 'desk'],
  ])('judges the common ones alone, and says which were left out: label %i', (other, name) => {
    const told = compareRuns(measureRuns({ ...pair, first: run(1), second: run(other) }), at);
    expect(told.leftOut).toEqual({ first: ['dining table'], second: [name] });
    expect([...new Set(told.figures.map(({ label }) => label))]).toEqual([null, 0]);
    expect(told.figures.map(({ verdict, second }) => [verdict, second])).toEqual(told.figures.map(() => ['cannot tell', 1])); // prettier-ignore
    expect(leftOutInWords(told.leftOut!)).toContain(
      `A says dining table; B says ${name}. Give both the same label file`,
    );
  });

  it('still says that one is worse which does not find a thing at all', () => {
    const told = compareRuns(measureRuns({ ...pair, first: run(1), second: run(1, false) }), at);
    expect(told.leftOut).toBeNull();
    expect(told.figures.find(({ figure, label }) => figure === 'recall' && label === null)!.verdict).toBe('worse');
  });
});

it('says how often verdicts on many labels are false, and nothing of a single label', () => {
  expect(rateInWords([{ label: null }, { label: 0 }])).toBe('');
  expect(rateInWords([{ label: null }, { label: 0 }, { label: 1 }])).toMatch(/^3 differences .*at most 5 % are false/);
});

it('names four labels, and of more three with how many there are', () => {
  const words = (count: number): string =>
    strangersInWords({ first: ['a'], second: Array.from({ length: count }, (_, at) => String(at)) }, 0);
  expect(words(4)).toMatch(/B says 0, 1, 2, 3\.$/);
  expect(words(6)).toMatch(/B says 0, 1, 2 and 3 more\.$/);
});
