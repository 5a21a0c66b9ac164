import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../tests/random-frame.ts';
import { eventCode } from './event-code.ts';
import { eventsOf, type EventRule } from './events.ts';

const random = randomSource(5);
const upTo = (limit: number) => Math.floor(random() * limit);
const names = ['cat', 'dog'];

interface SeenFrame {
  readonly ms: number;
  readonly labels: readonly string[];
}

/** Frames 250 ms apart, with gaps, in which labels come and go. */
function frames(): readonly SeenFrame[] {
  let ms = 0;
  const share = [0.2, 0.5, 0.8][upTo(3)]!;
  return Array.from({ length: 40 }, () => {
    ms += upTo(12) === 0 ? 5000 : 250;
    return { ms, labels: names.filter(() => random() < share) };
  });
}
const cases = Array.from({ length: 60 }, () => {
  const ofFrames = 1 + upTo(6);
  const rule = { atLeast: 1 + upTo(ofFrames), ofFrames, quietMs: [0, 750, 4000][upTo(3)]!, gapMs: 1000 };
  return { rule, seen: frames() };
});

/** What is told by the rule of Replay: `ms label`, of each frame in the order of the labels. */
function told(rule: EventRule, seen: readonly SeenFrame[]): readonly string[] {
  const labels = seen.flatMap((frame) => frame.labels.map((label) => names.indexOf(label)));
  const starts = Uint32Array.from([
    0,
    ...seen.map((_, at) => seen.slice(0, at + 1).flatMap((one) => one.labels).length),
  ]);
  const columns = {
    timesMs: Float64Array.from(seen, ({ ms }) => ms),
    starts,
    labels: Uint32Array.from(labels),
    scores: new Float64Array(labels.length).fill(1),
    names,
  };
  return eventsOf(columns, Uint32Array.from(labels.keys()), rule)
    .filter(({ isTold }) => isTold)
    .map(({ startMs, label }) => `${startMs} ${names[label]}`);
}
const expected = cases.map(({ rule, seen }) => told(rule, seen));

/** Sorted within a frame: code may tell labels of one frame in any order. */
const inOrder = (lines: readonly string[]) =>
  lines.toSorted((a, b) => parseFloat(a) - parseFloat(b) || a.localeCompare(b));

describe('the rule of events as code', () => {
  it('tells something, and keeps something back', () => {
    expect(expected.flat().length).toBeGreaterThan(100);
    const all = cases.flatMap(({ rule, seen }) => told({ ...rule, quietMs: 0 }, seen));
    expect(all.length).toBeGreaterThan(expected.flat().length);
  });

  it('says the same in TypeScript', () => {
    for (const [at, { rule, seen }] of cases.entries()) {
      const code = stripTypeScriptTypes(eventCode(rule, 'typescript'));
      const Events = runInNewContext(`${code}\nEvents`) as new () => {
        see(nowMs: number, labels: readonly string[]): readonly string[];
      };
      const events = new Events();
      const lines = seen.flatMap(({ ms, labels }) => events.see(ms, labels).map((label) => `${ms} ${label}`));
      expect(inOrder(lines), JSON.stringify(rule)).toEqual(expected[at]);
    }
  });

  const hasPython = spawnSync('python3', ['-c', 'pass']).status === 0;
  it.skipIf(!hasPython)('says the same in Python (skipped without python3)', () => {
    const script = cases.map(({ rule, seen }) => {
      const given = JSON.stringify(seen.map(({ ms, labels }) => [ms / 1000, labels]));
      return `${eventCode(rule, 'python')}
events = Events()
print(json.dumps([f"{round(s * 1000)} {label}" for s, labels in ${given} for label in events.see(s, labels)]))`;
    });
    const { stdout, stderr } = spawnSync('python3', ['-c', `import json\n${script.join('\n')}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n').map((line) => inOrder(JSON.parse(line) as string[])); // prettier-ignore
    expect(lines).toEqual(expected);
  });
});
