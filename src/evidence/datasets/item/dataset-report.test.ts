import { describe, expect, it } from 'vitest';
import { DatasetReport, placeOf, shown } from './dataset-report.ts';

describe('DatasetReport', () => {
  it('counts every problem and keeps the first five hundred, errors before notes', () => {
    const report = new DatasetReport();
    report.error('a', 1, 'first');
    for (let i = 0; i < 600; i++) report.note('a', i, 'changed');
    report.error('b', null, 'late');
    expect([report.errorCount, report.noteCount, report.problems.length]).toEqual([2, 600, 500]);
    expect(report.problems[0]).toEqual({ severity: 'error', file: 'a', line: 1, message: 'first' });
    expect(report.problems[498]).toMatchObject({ severity: 'note', line: 497 });
    expect(report.problems[499]).toEqual({ severity: 'error', file: 'b', line: null, message: 'late' });
  });

  it('keeps the first errors where all are errors', () => {
    const report = new DatasetReport();
    for (let i = 0; i < 600; i++) report.error('a', i, 'bad');
    expect(report.problems.map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  it('gives the first error in words, not a note', () => {
    const report = new DatasetReport();
    report.note('n', 1, 'changed');
    expect(report.firstError()).toBeNull();
    report.error('a', 3, 'left out');
    report.error('b', null, 'left out too');
    expect(report.firstError()).toBe('a, line 3: left out');
  });

  it('counts what is lost by kind, and nothing for none of it', () => {
    const report = new DatasetReport();
    report.lose('masks');
    report.lose('polygons', 2);
    report.lose('masks', 3);
    report.lose('points', 0);
    expect(report.lost).toEqual([{ kind: 'masks', count: 4 }, { kind: 'polygons', count: 2 }]); // prettier-ignore
  });

  it('keeps the first id that a class comes with', () => {
    const report = new DatasetReport();
    for (const id of [undefined, 0, 7]) report.addClass('dog', id);
    report.addClass('cat');
    expect(report.classes).toEqual([{ label: 'dog', id: 0 }, { label: 'cat', id: null }]); // prettier-ignore
  });
});

it.each([
  ['a.txt', 3, 'a.txt, line 3'],
  ['a.txt', null, 'a.txt'],
])('names the place %s, %j as %s', (file, line, place) => {
  expect(placeOf({ file, line })).toBe(place);
});

it.each<[unknown, string]>([
  ['a b', '“a b”'],
  ['x'.repeat(80), `“${'x'.repeat(80)}”`],
  ['x'.repeat(81), `“${'x'.repeat(80)}…”`],
  [[1, 'a'], '[1,"a"]'],
  [undefined, 'undefined'],
  [null, 'null'],
  [Array.from({ length: 50 }, () => 1), `[${'1,'.repeat(39)}1…`],
])('shows %j as %s', (value, text) => {
  expect(shown(value)).toBe(text);
});
