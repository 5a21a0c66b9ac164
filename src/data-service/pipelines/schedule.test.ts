import { describe, expect, it, vi } from 'vitest';
import { Schedule } from './schedule.ts';

const micros = (iso: string): number => Date.parse(iso) * 1000;
const iso = (time: number): string => new Date(time / 1000).toISOString().replace(':00.000Z', 'Z');
const now = micros('2026-03-11T05:00:00Z');

describe('Schedule', () => {
  const windows: readonly [string, string, string, string][] = [
    ['*/5 * * * *', '2026-03-11T05:07:30Z', '2026-03-11T05:00Z', '2026-03-11T05:05Z'],
    ['*/5 * * * *', '2026-03-11T05:05:00Z', '2026-03-11T05:00Z', '2026-03-11T05:05Z'],
    ['*/5 * * * *', '2026-03-11T05:04:59Z', '2026-03-11T04:55Z', '2026-03-11T05:00Z'],
    ['0 * * * *', '2026-01-01T00:30:00Z', '2025-12-31T23:00Z', '2026-01-01T00:00Z'],
    ['30 2 * * *', '2026-03-29T12:00:00Z', '2026-03-28T02:30Z', '2026-03-29T02:30Z'],
    ['0 0 * * MON', '2026-03-11T05:00:00Z', '2026-03-02T00:00Z', '2026-03-09T00:00Z'],
    ['0 0 29 2 *', '2026-03-11T05:00:00Z', '2020-02-29T00:00Z', '2024-02-29T00:00Z'],
    ['5/15 * * * *', '2026-03-11T05:07:30Z', '2026-03-11T04:50Z', '2026-03-11T05:05Z'],
    ['1,40/10 * * * *', '2026-03-11T05:45:00Z', '2026-03-11T05:01Z', '2026-03-11T05:40Z'],
    ['0 22/1 * * *', '2026-03-11T05:00:00Z', '2026-03-10T22:00Z', '2026-03-10T23:00Z'],
    ['0 0 25/3 * *', '2026-03-30T05:00:00Z', '2026-03-25T00:00Z', '2026-03-28T00:00Z'],
    ['0 0 1 2/5 *', '2026-12-30T05:00:00Z', '2026-07-01T00:00Z', '2026-12-01T00:00Z'],
    ['0 0 * * THU/2', '2026-03-15T05:00:00Z', '2026-03-12T00:00Z', '2026-03-14T00:00Z'],
    ['0 9,17 * * 1-5', '2026-03-16T10:00:00Z', '2026-03-13T17:00Z', '2026-03-16T09:00Z'],
  ];
  it.each(windows)('%s at %s: the last window is from %s to %s', (schedule, time, start, end) => {
    const window = Schedule.parse(schedule, now).lastWindow(micros(time))!;
    expect([iso(window.start), iso(window.end)]).toEqual([start, end]);
  });

  it.each(windows.map(([schedule]) => schedule))('%s leaves no gap and no overlap', (text) => {
    const schedule = Schedule.parse(text, now);
    let window = schedule.lastWindow(now)!;
    for (let i = 0; i < 20; i++) {
      const next = schedule.windowAfter(window)!;
      expect(next.start).toBe(window.end);
      expect(schedule.windowOf(next.start)).toEqual(next);
      expect(schedule.windowOf(next.end - 1)).toEqual(next);
      expect(schedule.lastWindow(next.end)).toEqual(next);
      expect(schedule.lastWindow(next.end - 1)).toEqual(window);
      window = next;
    }
  });

  it('knows no window before its second tick ever, and none that ends after the year 9999', () => {
    const hourly = Schedule.parse('0 * * * *', now);
    expect(hourly.lastWindow(micros('0001-01-01T00:30:00Z'))).toBeNull();
    expect(hourly.windowOf(micros('9999-12-31T23:59:59Z'))).toBeNull();
    const last = { start: micros('9999-12-31T22:00:00Z'), end: micros('9999-12-31T23:00:00Z') };
    expect(hourly.lastWindow(micros('9999-12-31T23:59:59Z'))).toEqual(last);
    expect(hourly.windowAfter(last)).toBeNull();
  });

  it('reads its fields as UTC, whatever the time of its host', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata'); // five hours and a half ahead
    const daily = Schedule.parse('0 2 * * *', now);
    expect(iso(daily.nextTick(now)!)).toBe('2026-03-12T02:00Z');
    expect(iso(daily.lastWindow(now)!.end)).toBe('2026-03-11T02:00Z');
    vi.unstubAllEnvs();
  });

  it.each([
    '',
    '   ',
    '* * * *',
    '* * * * * *',
    '*/10 * * * * *',
    '61 * * * *',
    '* 24 * * *',
    'a b c d e',
    '/15 * * * *',
    '5/0 * * * *',
    '75/15 * * * *',
    '0 0 30 2 *',
    '@daily',
  ])('refuses %j', (text) => expect(() => Schedule.parse(text, now)).toThrow(/schedule/));
});
