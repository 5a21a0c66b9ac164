import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../tests/random-frame.ts';
import { storedColumns, type StoredFrame } from '../../../tests/stored-columns.ts';
import { plainEventRule } from '../events/event-rule.ts';
import { differencesOf } from './differences.ts';
import type { EventColumns } from './events.ts';
import { alarmCounts } from './false-alarms.ts';
import { keepResults } from './keep-results.ts';
import { nightsIn } from './nights.ts';
import { replay, type ReplayOrder, type ReplaySide } from './replay.ts';
import { replayReportText } from './replay-report.ts';
import { timelineOf, timeScale } from './timeline.ts';

const hourMs = 3_600_000;

describe('timeline', () => {
  it('has buckets of an hour for days, and shorter ones below', () => {
    const lengths = [60, 200, 3 * 60, 3600, 86_400, 7 * 86_400, 90 * 86_400];
    const seconds = lengths.map((length) => timeScale({ startMs: 0, endMs: length * 1000 }).bucketMs / 1000);
    expect(seconds).toEqual([1, 1, 1, 60, 600, 3600, 3600]);
  });

  it('covers the span to its ends', () => {
    for (const [startMs, endMs] of [
      [999, 1000],
      [1_700_000_000_123, 1_700_000_777_777],
      [5, 86_400_005],
    ] as const) {
      const scale = timeScale({ startMs, endMs });
      const [first, last] = [scale.startMs, scale.startMs + scale.bucketMs * scale.bucketCount];
      expect([first <= startMs, first + scale.bucketMs > startMs]).toEqual([true, true]);
      expect([last >= endMs, last - scale.bucketMs < endMs]).toEqual([true, true]);
    }
    expect(() => timeScale({ startMs: 5, endMs: 5 })).toThrow(/ends after it starts, got 5 to 5/);
    expect(() => timeScale({ startMs: -Infinity, endMs: 5 })).toThrow(RangeError);
  });

  it('counts frames and kept results where they belong, and nothing outside', () => {
    const frames: readonly StoredFrame[] = [
      [-1, [0, 0.5]],
      [0, [0, 0.5], [1, 0.5]],
      [999],
      [1000, [1, 0.5], [1, 0.5]],
      [2000, [0, 0.5]],
    ];
    const columns = storedColumns(frames, ['cat', 'dog']);
    const scale = { startMs: 0, bucketMs: 1000, bucketCount: 2 };
    const { frames: counts, results } = timelineOf(columns, Uint32Array.of(0, 1, 2, 4, 5), scale);
    expect([[...counts], [...results]]).toEqual([
      [2, 1],
      [1, 0, 1, 1],
    ]);
  });
});

describe('nights', () => {
  const at = (day: number, hour: number): number => new Date(2026, 5, day, hour).getTime();

  it('go from 20 to 6 o’clock and end with the span', () => {
    expect(nightsIn({ startMs: at(1, 12), endMs: at(3, 3) })).toEqual([
      { startMs: at(1, 20), endMs: at(2, 6) },
      { startMs: at(2, 20), endMs: at(3, 3) },
    ]);
    expect(nightsIn({ startMs: at(1, 5), endMs: at(1, 7) })).toEqual([{ startMs: at(1, 5), endMs: at(1, 6) }]);
    expect(nightsIn({ startMs: at(1, 7), endMs: at(1, 20) })).toEqual([]);
  });
});

describe('differences', () => {
  it('are what one filter keeps alone, by label and by frame', () => {
    const frames: readonly StoredFrame[] = [
      [0, [0, 0.4], [1, 0.6]],
      [200],
      [400, [1, 0.5]],
      [600, [0, 0.9]],
      [800, [1, 0.2]],
    ];
    const columns = storedColumns(frames, ['cat', 'dog']);
    const found = differencesOf(columns, Uint32Array.of(0, 1, 3), Uint32Array.of(1, 2, 3, 4));
    expect([[...found.onlyFirst], [...found.onlySecond], [...found.both]]).toEqual([
      [1, 0],
      [0, 2],
      [1, 1],
    ]);
    expect(found.frames).toEqual({
      frame: Uint32Array.of(0, 2, 4),
      timeMs: Float64Array.of(0, 400, 800),
      onlyFirst: Uint32Array.of(1, 0, 0),
      onlySecond: Uint32Array.of(0, 1, 1),
    });
  });
});

it('counts by bucket what a look at each frame counts, and nothing outside', () => {
  const random = randomSource(4);
  for (let round = 0; round < 50; round++) {
    let timeMs = -3000 * random();
    const frames = Array.from({ length: 60 }, (): StoredFrame => {
      timeMs += 400 * random() ** 3;
      return [timeMs, ...Array.from({ length: Math.floor(3 * random()) }, () => [random() < 0.5 ? 0 : 1, random()] as const)]; // prettier-ignore
    });
    const columns = storedColumns(frames, ['cat', 'dog']);
    const kept = keepResults(columns, { defaultMinimumConfidence: 0.3, labelConfidences: {} });
    const scale = { startMs: -1000 * random(), bucketMs: 700 / 3, bucketCount: 5 };
    const expected = { scale, frames: new Uint32Array(5), results: new Uint32Array(10) };
    for (const [ms, ...results] of frames) {
      const bucket = Math.floor((ms - scale.startMs) / scale.bucketMs);
      if (bucket < 0 || bucket >= 5) continue;
      expected.frames[bucket]!++;
      for (const [label, score] of results) if (score >= 0.3) expected.results[5 * label + bucket]!++;
    }
    expect(timelineOf(columns, kept, scale)).toEqual(expected);
  }
});

describe('false alarms', () => {
  type Event = readonly [label: number, startHour: number, endHour: number, isTold: boolean];
  const event = (label: number, startHour: number, endHour = startHour, isTold = true): Event => [
    label,
    startHour,
    endHour,
    isTold,
  ];
  const columnsOf = (events: readonly Event[]): EventColumns => ({
    frame: Uint32Array.from(events, () => 0),
    label: Uint32Array.from(events, ([label]) => label),
    startMs: Float64Array.from(events, ([, startHour]) => startHour * hourMs),
    endMs: Float64Array.from(events, ([, , endHour]) => endHour * hourMs),
    peakScore: Float64Array.from(events, () => 1),
    isTold: Uint8Array.from(events, ([, , , isTold]) => Number(isTold)),
  });
  const span = (label: string | null, start: number, end: number) => ({
    label,
    startMs: start * hourMs,
    endMs: end * hourMs,
  });

  it('are told events that begin where nothing was, an hour that was captured', () => {
    const events = [event(0, 1), event(0, 2), event(0, 3, 3, false), event(0, 4), event(0, 9), event(1, 1)];
    const counts = alarmCounts(
      columnsOf(events),
      ['cat', 'dog'],
      [span(null, 0, 4), span(null, 2, 4)],
      [span(null, 3, 5)],
    );
    expect(counts[0]).toEqual({
      label: 'cat',
      falseAlarms: 2,
      quietHours: 3,
      falseAlarmsPerHour: 2 / 3,
      spans: 0,
      foundSpans: 0,
    });
    expect(counts[1]).toMatchObject({ falseAlarms: 1, falseAlarmsPerHour: 1 / 3 });
  });

  it('do not lie where the label was, whatever its case; another label says nothing of this one', () => {
    const spans = [span(null, 0, 4), span('CAT', 1, 2), span('cat', 6, 7)];
    const [cat, dog] = alarmCounts(columnsOf([event(0, 1), event(0, 3), event(1, 6)]), ['cat', 'dog'], spans, []);
    expect(cat).toMatchObject({ falseAlarms: 1, quietHours: 3, spans: 2, foundSpans: 1 });
    expect(dog).toMatchObject({ falseAlarms: 0, quietHours: 4, spans: 0 });
  });

  it('find a span by an event that reaches into it, told or not', () => {
    const spans = [span('cat', 2, 3), span('cat', 4, 5), span('cat', 6, 7)];
    const [cat] = alarmCounts(columnsOf([event(0, 1, 2.5), event(0, 4, 4, false), event(0, 7)]), ['cat'], spans, []);
    expect([cat!.foundSpans, cat!.falseAlarmsPerHour]).toEqual([2, null]);
  });
});

describe('replay', () => {
  const listed = ({ events }: ReplaySide) => Array.from(events.label, (label, at) => [label, events.startMs[at]]);
  const frames: readonly StoredFrame[] = [[0, [0, 0.4], [1, 0.6]], [1000, [0, 0.7]], [2000], [100_000, [0, 0.9]]];
  const columns = storedColumns(frames, ['cat', 'dog<b>']);
  const order: ReplayOrder = {
    span: { startMs: 0, endMs: 120_000 },
    rule: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
    other: { defaultMinimumConfidence: 0, labelConfidences: { cat: 0.4 } },
    events: { ...plainEventRule, ofFrames: 2 },
    gapMs: 10_000,
    labelled: [{ label: null, startMs: 50_000, endMs: 120_000 }],
  };

  it('says what each configuration keeps, and where they differ', () => {
    const { side, other, differences, gaps, lowestScore, scoreBins } = replay(columns, order);
    expect([side.keptCount, other!.keptCount, lowestScore]).toEqual([3, 3, 0.4]);
    expect(scoreBins.map((bins) => [bins[20], bins[30], bins[35], bins[45]])).toEqual([
      [1, 0, 1, 1],
      [0, 1, 0, 0],
    ]);
    expect([[...side.eventCounts], [...side.toldCounts]]).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(listed(side)).toEqual([
      [1, 0],
      [0, 1000],
      [0, 100_000],
    ]);
    expect(listed(other!)).toEqual([
      [0, 0],
      [0, 100_000],
    ]);
    expect([...differences!.frames.timeMs]).toEqual([0]);
    expect(gaps).toEqual([
      { startMs: 2000, endMs: 100_000 },
      { startMs: 100_000, endMs: 120_000 },
    ]);
    expect(side.alarms[0]).toMatchObject({ falseAlarms: 1, quietHours: 0, falseAlarmsPerHour: null });
  });

  it('counts of labelled spans only what was read', () => {
    const day = { startMs: -24 * hourMs, endMs: 24 * hourMs };
    const labelled = [
      { label: null, ...day },
      { label: 'dog<b>', startMs: -2 * hourMs, endMs: -hourMs },
      { label: 'dog<b>', startMs: -hourMs, endMs: 100 },
    ];
    const { side } = replay(columns, { ...order, gapMs: hourMs, labelled });
    expect(
      side.alarms.map(({ quietHours, spans, foundSpans }) => [Math.round(quietHours * hourMs), spans, foundSpans]),
    ).toEqual([
      [120_000, 0, 0],
      [119_900, 1, 1],
    ]);
  });

  it('tells fewer events than there are where they come too soon', () => {
    const { side, gapMs } = replay(columns, { ...order, gapMs: null, events: { ...order.events, quietMs: 200_000 } });
    expect([[...side.eventCounts], [...side.toldCounts], gapMs]).toEqual([[2, 1], [1, 1], 10_000]);
    expect(() => replay(columns, { ...order, gapMs: 0 })).toThrow('gaps of 0 ms');
  });

  it('has one side without another configuration', () => {
    const { other, differences } = replay(columns, { ...order, other: null });
    expect([other, differences]).toEqual([null, null]);
  });

  it('has nothing where nothing is stored', () => {
    const { side, lowestScore, gaps } = replay(storedColumns([], []), order);
    expect([side.keptCount, listed(side), lowestScore, gaps]).toEqual([0, [], null, [order.span]]);
  });

  describe('report', () => {
    const subject = { title: 'Hall & yard', facts: [['Vision service', 'watch']] } as const;
    const textIn = (format: 'html' | 'json' | 'csv') => replayReportText(subject, replay(columns, order), format);

    it('lists the events of both configurations as CSV', () => {
      expect(textIn('csv').split('\r\n')).toEqual([
        'configuration,label,start,end,peakScore,told',
        'first,dog<b>,1970-01-01T00:00:00.000Z,1970-01-01T00:00:01.000Z,0.6,yes',
        'first,cat,1970-01-01T00:00:01.000Z,1970-01-01T00:00:02.000Z,0.7,yes',
        'first,cat,1970-01-01T00:01:40.000Z,1970-01-01T00:01:40.000Z,0.9,yes',
        'second,cat,1970-01-01T00:00:00.000Z,1970-01-01T00:00:02.000Z,0.7,yes',
        'second,cat,1970-01-01T00:01:40.000Z,1970-01-01T00:01:40.000Z,0.9,yes',
        '',
      ]);
    });

    it('names in JSON the release of the machine whose filter it follows', () => {
      expect(JSON.parse(textIn('json'))).toMatchObject({
        title: 'Hall & yard',
        facts: { 'Vision service': 'watch' },
        filterFollows: { source: 'github.com/viamrobotics/rdk', commit: 'b0d2f62e' },
        frames: 4,
        lowestStoredScore: 0.4,
        gaps: [{ start: '1970-01-01T00:00:02.000Z', end: '1970-01-01T00:01:40.000Z' }, {}],
        labelledSpans: [{ label: null, start: '1970-01-01T00:00:50.000Z' }],
        configurations: [
          { defaultMinimumConfidence: 0.5, kept: 3, bucketSeconds: 1, labels: [{ label: 'cat' }, { label: 'dog<b>' }] },
          { labelConfidences: { cat: 0.4 } },
        ],
        differences: { framesThatDiffer: 1, frames: [{ onlyFirst: 1, onlySecond: 1 }] },
      });
    });

    it('is a page that shows both filters, the release and no markup of a label', () => {
      const html = textIn('html');
      for (const part of [
        'Hall &amp; yard',
        'all labels ≥ 0.5',
        'cat ≥ 0.4, no other label',
        'commit b0d2f62e',
        '1 frames differ',
      ])
        expect(html).toContain(part);
      expect(html).not.toContain('<b>');
    });

    it('has in its tables what was read, what each configuration says, and where they differ', () => {
      const rows = [...textIn('html').matchAll(/<tr>(.*?)(?=<tr>|<\/t)/gs)].map(([, row]) =>
        row!.split(/<t[hd]>/).slice(1),
      );
      const heads = ['Label', 'Kept', 'Events', 'Told', 'False alarms', 'Quiet hours', 'An hour', 'Spans found'];
      expect(rows.filter(([name]) => name !== 'Filter')).toEqual([
        ['Vision service', 'watch'],
        ['From', '1970-01-01T00:00:00.000Z'],
        ['Until', '1970-01-01T00:02:00.000Z'],
        ['Frames', '4'],
        ['Stored results', '4, the lowest score is 0.4'],
        [
          'Gaps',
          '1970-01-01T00:00:02.000Z to 1970-01-01T00:01:40.000Z; 1970-01-01T00:01:40.000Z to 1970-01-01T00:02:00.000Z',
        ],
        ['An event', expect.stringContaining('1 of 2')],
        heads,
        ['cat', '2', '2', '2', '–', '0.00', '–', '–'],
        ['dog&lt;b&gt;', '1', '1', '1', '–', '0.00', '–', '–'],
        heads,
        ['cat', '3', '2', '2', '–', '0.00', '–', '–'],
        ['dog&lt;b&gt;', '0', '0', '0', '–', '0.00', '–', '–'],
        ['Label', 'Only first', 'Only second', 'Both'],
        ['cat', '0', '1', '2'],
        ['dog&lt;b&gt;', '1', '0', '0'],
      ]);
    });
  });
});
