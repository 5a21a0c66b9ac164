import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../tests/parse-command.ts';

const dayMs = 86_400_000;

describe('what serve keeps', () => {
  it.each([
    [
      [],
      {
        retention: { filesMs: null, readingsMs: null, auditMs: null },
        overBudget: 'refuse',
        limits: { budgetBytes: null },
      },
    ],
    [['--keep', '90d'], { retention: { filesMs: 90 * dayMs, readingsMs: 90 * dayMs, auditMs: null } }],
    [
      ['--keep', 'files=1y', '--keep', '12h'],
      { retention: { filesMs: 365 * dayMs, readingsMs: dayMs / 2, auditMs: null } },
    ],
    [
      ['--keep', 'readings=2w', '--keep', 'audit=5y'],
      { retention: { filesMs: null, readingsMs: 14 * dayMs, auditMs: 5 * 365 * dayMs } },
    ],
    [['--disk-budget', '200GB', '--keep-free', '1GiB'], { limits: { budgetBytes: 200e9, keepFreeBytes: 2 ** 30 } }],
    [['--disk-budget', '1TB', '--over-budget', 'delete-oldest'], { overBudget: 'delete-oldest' }],
  ])('reads %j', (argv, storage) => {
    expect(parseCommand(['serve', ...argv])).toMatchObject({ storage });
  });

  it.each([
    [[], null],
    [['--check-rate', '20MB'], 20e6],
    [['--check-rate', '0'], 0],
  ])('checks files as fast as %j says', (argv, checkBytesPerSecond) => {
    expect(parseCommand(['serve', ...argv])).toMatchObject({ checkBytesPerSecond });
  });

  it.each([
    [['--check-rate', 'fast'], /--check-rate wants a size, as 500MB.*"fast"/],
    [['--keep', '90'], /as 90d, files=1y, readings=12w or audit=5y.*"90"/],
    [['--keep', '0d'], /"0d"/],
    [['--keep', 'boxes=1d'], /"boxes=1d"/],
    [['--keep', '1d', '--keep', '2d'], /twice for everything/],
    [['--disk-budget', 'much'], /--disk-budget wants a size, as 500MB.*"much"/],
    [['--over-budget', 'explode'], /refuse or delete-oldest, got "explode"/],
    [['--over-budget', 'delete-oldest'], /wants a --disk-budget/],
  ])('refuses %j', (argv, message) => {
    expect(() => parseCommand(['serve', ...argv])).toThrow(message);
  });
});
