import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { eventSequences, type SeenFrame } from '../../../tests/event-sequences.ts';
import { eventCode } from './event-code.ts';
import { EventFinder } from './event-finder.ts';
import { plainEventRule, type EventRule } from './event-rule.ts';

const cases = eventSequences(5, 100);

/** What the rule tells: `ms label`. */
function told(rule: EventRule, seen: readonly SeenFrame[]): readonly string[] {
  const lines: string[] = [];
  const finder = new EventFinder<string>(rule, ({ isTold, startMs, label }) => {
    if (isTold) lines.push(`${startMs} ${label}`);
  });
  for (const { ms, found } of seen) finder.see(ms, found);
  return inOrder(lines);
}

/** Sorted within a frame: code may tell labels of one frame in any order. */
const inOrder = (lines: readonly string[]) =>
  lines.toSorted((a, b) => parseFloat(a) - parseFloat(b) || a.localeCompare(b));

const expected = cases.map(({ rule, seen }) => told(rule, seen));

describe('the rule of events as code', () => {
  it('tells something, and each part of the rule keeps something back', () => {
    const countOf = (part: Partial<EventRule>) => cases.flatMap(({ rule, seen }) => told({ ...rule, ...part }, seen)).length; // prettier-ignore
    const count = expected.flat().length;
    expect(count).toBeGreaterThan(150);
    expect(countOf({ quietMs: 0 })).toBeGreaterThan(count);
    expect(countOf({ beginScore: 0 })).toBeGreaterThan(count);
    expect(cases.flatMap(({ rule, seen }) => told({ ...rule, endBelow: rule.atLeast }, seen)).length).toBeGreaterThan(count); // prettier-ignore
    expect(countOf(plainEventRule)).toBeGreaterThan(2 * count);
  });

  it('says the same in TypeScript', () => {
    for (const [at, { rule, seen }] of cases.entries()) {
      const code = stripTypeScriptTypes(eventCode(rule, 'typescript'));
      const Events = runInNewContext(`${code}\nEvents`) as new () => {
        see(nowMs: number, found: SeenFrame['found']): readonly string[];
      };
      const events = new Events();
      const lines = seen.flatMap(({ ms, found }) => events.see(ms, found).map((label) => `${ms} ${label}`));
      expect(inOrder(lines), JSON.stringify(rule)).toEqual(expected[at]);
    }
  });

  const hasPython = spawnSync('python3', ['-c', 'pass']).status === 0;
  it.skipIf(!hasPython)('says the same in Python (skipped without python3)', () => {
    const script = cases.map(({ rule, seen }) => {
      const given = JSON.stringify(seen.map(({ ms, found }) => [ms / 1000, found]));
      return `${eventCode(rule, 'python')}
events = Events()
print(json.dumps([f"{round(s * 1000)} {label}" for s, found in ${given} for label in events.see(s, found)]))`;
    });
    const input = `import json\n${script.join('\n')}`;
    const { stdout, stderr } = spawnSync('python3', ['-'], { encoding: 'utf8', input });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n').map((line) => inOrder(JSON.parse(line) as string[])); // prettier-ignore
    expect(lines).toEqual(expected);
  });
});
