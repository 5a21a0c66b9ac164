import { deserialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { MqlTextError, mqlText, readMql } from './mql-text.ts';

const at = (text: string, { from, to }: { from: number; to: number }): string => text.slice(from, to);

describe('a pipeline as text', () => {
  it('becomes a document a stage, dates and whole numbers as such', () => {
    const text =
      '[{"$match": {"time_requested": {"$gte": {"$date": "2026-03-01T00:00:00Z"}}}}, // late\n {"$limit": 5},]';
    const { stages, spans } = readMql(text);
    expect(stages.map((stage) => deserialize(stage))).toEqual([
      { $match: { time_requested: { $gte: new Date('2026-03-01T00:00:00Z') } } },
      { $limit: 5 },
    ]);
    expect(stages[1]![4]).toBe(0x10); // int32
    expect(at(text, spans[1]!)).toBe('{"$limit": 5}');
  });

  it('may be a single stage, or none', () => {
    expect(readMql('{"$count": "n"}').stages).toHaveLength(1);
    expect(readMql('[]').stages).toEqual([]);
  });

  it.each([
    ['', 'The pipeline is empty; write a list of stages.', ''],
    ['[{$limit: 5}]', 'This is not JSON: this word is neither a text in double quotes nor a number.', '$limit'],
    ['[{"$limit" 5}]', 'This is not JSON: a colon is expected.', '5'],
    ['[{"$limit": 5}', 'This is not JSON: a closing bracket ] is missing.', ''],
    ['[5]', 'A stage is an object of one operator, like {"$limit": 10}.', '5'],
  ])('%j is refused with its place', (text, message, place) => {
    let refused: unknown;
    try {
      readMql(text);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(MqlTextError);
    expect((refused as MqlTextError).message).toBe(message);
    expect(at(text, (refused as MqlTextError).span)).toBe(place);
  });

  it.each(['[', '{"a":', '[{"$match": '])('nests a hundred times %s, no more', (opening) => {
    const levels = opening.match(/[[{]/g)!.length;
    const nested = (times: number): string => opening.repeat(times / levels);
    expect(() => readMql(nested(100))).toThrow('This is not JSON');
    expect(() => readMql(nested(102))).toThrow('The pipeline is nested deeper than 100 levels; nest less.');
    expect(() => readMql(nested(100_000))).toThrow(MqlTextError);
  });

  it('does not count brackets of texts and comments', () => {
    expect(readMql(`[{"$match": {"a": "${'['.repeat(200)}"}}] // ${'{'.repeat(200)}`).stages).toHaveLength(1);
  });

  it('comes back as it was kept, a short stage a line', () => {
    const text = `[
  { "$match": { "component_name": "scale", "data.readings.kg": { "$gt": 1.5 } } },
  {
    "$group": {
      "_id": { "$dateTrunc": { "date": "$time_requested", "unit": "hour" } },
      "kg": { "$avg": "$data.readings.kg" },
      "since": { "$min": "$time_requested" }
    }
  },
  { "$match": { "_id": { "$gte": { "$date": "2026-03-01T00:00:00Z" } } } }
]`;
    expect(mqlText(readMql(text).stages)).toBe(text);
  });
});
