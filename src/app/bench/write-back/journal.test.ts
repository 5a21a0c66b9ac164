import { expect, it } from 'vitest';
import { WriteJournal, type JournalEntry } from './journal.ts';

function journal(kept = new Map<string, string>()) {
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return { kept, journal: new WriteJournal(memory) };
}
const entry = (atMs: number, after = '{}'): JournalEntry => ({
  atMs,
  what: 'written',
  name: 'a.json',
  place: '',
  host: '',
  before: '{}',
  after,
});

it('keeps the newest twenty, across visits', () => {
  const { kept, journal: first } = journal();
  for (let at = 1; at <= 25; at++) first.add(entry(at));
  const again = journal(kept).journal.entries;
  expect([again.length, again[0]!.atMs, again.at(-1)!.atMs]).toEqual([20, 25, 6]);
});

it('lets the oldest go where there is no room, never the newest', () => {
  const { journal: full } = journal();
  full.add(entry(1));
  full.add(entry(2, 'x'.repeat(600_000)));
  expect(full.entries.map(({ atMs }) => atMs)).toEqual([2]);
  full.add(entry(3, 'x'.repeat(300_000)));
  expect(full.entries.map(({ atMs }) => atMs)).toEqual([3]);
});

it('reads nothing of what others left there', () => {
  const { journal: other } = journal(new Map([['sightglass:write-journal', '[{"atMs":"now"},7,null]']]));
  expect(other.entries).toEqual([]);
});

it('exports a text that is no JSON as none: a key could be in it', () => {
  const { journal: broken } = journal();
  broken.add(entry(1, '{ "key": "s3cret" '));
  expect(JSON.parse(broken.export())).toMatchObject([{ at: '1970-01-01T00:00:00.001Z', after: '' }]);
});

it('keeps for the visit what the browser has no room for', () => {
  const full = new WriteJournal({
    getItem: () => null,
    setItem: () => {
      throw new Error('no room');
    },
  });
  full.add(entry(1));
  full.add(entry(2));
  expect(full.entries.map(({ atMs }) => atMs)).toEqual([2, 1]);
});
