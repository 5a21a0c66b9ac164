import { expect, test } from 'vitest';
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import type { Goal } from '../choose/goal.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { makeReport, reportCsv, reportHtml, reportJson } from './evaluation-report.ts';
import { evaluateBoxes } from '../summary/summarize.ts';

function report(goal?: Goal, seed = 6) {
  const { truth, results } = seededSet(seed);
  const [first, ...others] = truth.categories;
  const named = { ...truth, categories: [{ ...first!, name: '=cmd(<b>"x",y)' }, ...others] };
  const file = readCocoTruth(named);
  const { detections } = readCocoResults(results, file);
  const thresholds = new Float64Array(file.space.labels.length).fill(0.5);
  const evaluated = evaluateBoxes(file.truth, detections, file.space, thresholds);
  const subject = {
    title: 'Evaluation of <people>',
    facts: [['Data', 'a & b']] as const,
    configText: '{"a":"<script>"}',
  };
  return { ...makeReport(subject, { ...file, detections }, evaluated, thresholds, goal), evaluated };
}

test('is one page that loads nothing and lets no name become markup', () => {
  const html = reportHtml(report());
  expect(html).not.toMatch(/<script|<b>|<link|url\(|(src|href)=|https?:|@import|<people>/);
  expect(html).toContain('Evaluation of &lt;people&gt;');
  expect(html).toContain('a &amp; b');
  expect(html.match(/<svg/g)).toHaveLength(2);
  expect(html).toContain('@media print');
  expect(html).toContain('color-scheme: light dark');
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test('has the numbers of other tools, over all and of each label with truth', () => {
  const one = report(undefined, 3);
  const { gaps, perLabel } = one.tools;
  expect(perLabel.length).toBeGreaterThan(1);
  const part = reportHtml(one).split('<h2>Other tools')[1]!.split('<h2>')[0]!;
  expect(part.match(/replacing one rule after the other/g)).toHaveLength(gaps.length);
  const rows = part.split('<h3>F1 of each label</h3>')[1]!.split('<tr>').slice(2);
  const ofMost = perLabel.toSorted((a, b) => b.truth - a.truth);
  expect(rows).toHaveLength(ofMost.length);
  expect(rows[0]).toContain(`>${ofMost[0]!.truth}<`);
  const json = JSON.parse(JSON.stringify(reportJson(one))) as Record<string, unknown>;
  expect(json).toMatchObject({
    otherTools: gaps,
    otherToolsByLabel: perLabel.map((row) => ({ ...row, label: one.labels[row.label] })),
  });
});

test('says the same as JSON, in full precision, with null for what is undefined', () => {
  const one = report();
  const json = JSON.parse(JSON.stringify(reportJson(one))) as Record<string, unknown>;
  expect(json['metrics']).toEqual(one.evaluated.summary.metrics);
  expect(json['perLabel']).toEqual(one.evaluated.summary.perLabel);
  expect(json).toHaveProperty('errorKinds.missed.count');
  expect(json).toHaveProperty('confusion.counts');
});

test('says the same as CSV that a spreadsheet reads as text and numbers', () => {
  const one = report();
  const lines = reportCsv(one).split('\r\n');
  expect(lines[0]).toMatch(/^label,truth,AP,AP50,threshold/);
  expect(lines).toHaveLength(one.labels.length + 3);
  expect(lines.some((line) => line.startsWith(`"'=cmd(<b>""x"",y)"`))).toBe(true);
  expect(lines.at(-2)).toMatch(/^all,/);
});

test('names the goal of its thresholds, and the figure that the goal is judged by', () => {
  const goal: Goal = { kind: 'precision', atLeast: 0.9 };
  const one = report(goal);
  const label = one.choices.findIndex((choice) => choice?.expected.precision);
  const { threshold, expected, units } = one.choices[label]!;
  const html = reportHtml(one);
  for (const said of ['precision ≥ 0.9', 'Expected precision', String(threshold)]) expect(html).toContain(said);
  const [head, ...lines] = reportCsv(one).split('\r\n');
  const cells = lines[label]!.split(',').slice(-8);
  expect(cells.at(-2)).toBe(String(units));
  expect(head!.split(',').slice(-8)).toEqual(
    'goal,chosenThreshold,goalFigure,expected,expectedLow,expectedHigh,units,dataLabels'.split(','),
  );
  expect(cells.slice(0, 4)).toEqual([
    'precision ≥ 0.9',
    String(threshold),
    'precision',
    String(expected.precision!.value),
  ]);
  expect(reportJson(one)).toMatchObject({ goal });
  expect(reportHtml(report({ kind: 'false-per-hour', atMost: 2, framesPerSecond: 5 }))).toContain(
    'Expected false boxes an hour',
  );
});
