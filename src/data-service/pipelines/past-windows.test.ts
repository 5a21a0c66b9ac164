import { expect, it } from 'vitest';
import { ofDay } from '../../../tests/pipeline-bench.ts';
import { PastWindows } from './past-windows.ts';
import { Schedule, type Window } from './schedule.ts';

const hourly = Schedule.parse('0 * * * *', ofDay('00:00'));
const hour = (time: string): Window => hourly.windowOf(ofDay(time) + 1)!;
const clockTime = ({ start }: Window): string => new Date(start / 1000).toISOString().slice(11, 13);
const told = (stretches: readonly (readonly Window[])[]): string[] =>
  stretches.map((stretch) => stretch.map(clockTime).join(' '));

it('begins with the newest window that has closed, and goes back from it to the earliest data, some at a time', () => {
  const past = new PastWindows();
  const first = hour('01:00');
  const next = () => past.due(hourly, first, ofDay('06:30'), 2);
  const due = next();
  expect(told(due)).toEqual(['05', '03 04']);
  past.checked(hourly, due, []);
  const older = next();
  expect(told(older)).toEqual(['01 02']);
  past.checked(hourly, older, []);
  expect(told(next())).toEqual([]);
});

it('gives no window that has not closed, and one as it closes', () => {
  const past = new PastWindows();
  const first = hour('05:00');
  expect(told(past.due(hourly, first, ofDay('06:00') - 1, 9))).toEqual([]);
  expect(told(past.due(hourly, first, ofDay('06:00'), 9))).toEqual(['05']);
});

it('begins with the first data where that is newer than the last window', () => {
  const past = new PastWindows();
  expect(told(past.due(hourly, hour('06:00'), ofDay('06:30'), 9))).toEqual([]);
  expect(told(past.due(hourly, hour('06:00'), ofDay('08:00'), 9))).toEqual(['06 07']);
});

it('begins with the first data where the schedule had no window before', () => {
  const leapDays = Schedule.parse('0 0 29 2 *', ofDay('00:00'));
  const first = leapDays.windowOf(ofDay('0005-06-01T00:00:00Z'))!;
  const due = new PastWindows().due(leapDays, first, ofDay('0004-06-01T00:00:00Z'), 9);
  expect(due).toEqual([]);
});

it('keeps up with time, at most so many windows at once', () => {
  const past = new PastWindows();
  const first = hour('05:00');
  past.checked(hourly, past.due(hourly, first, ofDay('06:00'), 9), []);
  const due = past.due(hourly, first, ofDay('10:00'), 3);
  expect(told(due)).toEqual(['06 07 08']);
  past.checked(hourly, due, []);
  expect(told(past.due(hourly, first, ofDay('10:00'), 3))).toEqual(['09']);
});

it('gives unsettled windows again, each by itself, until they are settled', () => {
  const past = new PastWindows();
  const first = hour('03:00');
  const due = past.due(hourly, first, ofDay('06:00'), 9);
  past.checked(hourly, due, [hour('03:00'), hour('05:00')]);
  const again = past.due(hourly, first, ofDay('06:00'), 9);
  expect(told(again)).toEqual(['03', '05']);
  past.checked(hourly, again, []);
  expect(told(past.due(hourly, first, ofDay('06:00'), 9))).toEqual([]);
});

it('begins anew once it was told to forget', () => {
  const past = new PastWindows();
  const first = hour('05:00');
  past.checked(hourly, past.due(hourly, first, ofDay('06:00'), 9), [hour('05:00')]);
  past.forget();
  expect(told(past.due(hourly, first, ofDay('07:00'), 9))).toEqual(['06', '05']);
});
