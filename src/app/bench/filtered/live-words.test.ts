import { expect, it } from 'vitest';
import { atRestWords, breakWords, phaseWords, rateWords, sinceWords } from './live-words.ts';

it.each([
  ['waiting', 0, 'Waits for a trigger'],
  ['window', 1200, 'Window open, 2 s left'],
  ['cooldown', 90_000, 'Cool-down, 90 s left'],
] as const)('says what the camera does: %s', (kind, leftMs, words) => expect(phaseWords({ kind, leftMs })).toBe(words));

it('says why no time passes, and how long was counted', () => {
  expect([atRestWords('video'), atRestWords('camera')]).toEqual(['Paused: no time passes', 'Stopped: no time passes']);
  expect(sinceWords(12_300, 'opened')).toBe('12.3 s counted.');
  expect(sinceWords(12_300, 'setting')).toBe('12.3 s counted, since the setting changed.');
});

it.each([
  ['back', 9900, 0, 'video', 'The video went from 0:09.90 to 0:00.00.'],
  ['jump', 1000, 4000, 'video', 'The video went from 0:01.00 to 0:04.00.'],
  ['silence', 1000, 9000, 'camera', 'No frame came for 8.0 s, which does not count.'],
  ['back', 9000, 1000, 'machine', 'The source’s clock went back by 8.0 s.'],
  ['jump', 1000, 9000, 'machine', 'The source’s clock went ahead by 8.0 s.'],
] as const)('says that frames did not follow each other: %s of %s to %s in a %s', (kind, fromMs, toMs, source, words) =>
  expect(breakWords({ kind, fromMs, toMs }, source)).toBe(`${words} The camera starts again there, the counts go on.`),
);

it.each([
  [8.24, 1, 'Frames count as they run here, 8.2 a second.'],
  [1, 1, 'Frames count as they run here, 1 a second.'],
  [0.912, 10, 'Frames count as they run here, 0.91 a second. The camera would buffer 10: some count more than once.'],
])('says how often frames run: %s a second where the camera buffers %s', (rate, buffers, words) =>
  expect(rateWords(rate, buffers)).toBe(words),
);
