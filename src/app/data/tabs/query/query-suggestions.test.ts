import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../shared/documents/document-columns.ts';
import { mqlSuggestions, sqlSuggestions } from './query-suggestions.ts';

const columns = columnsOf([{ component_name: 'scale', data: { readings: { kg: 1, 'net weight': 2 } } }]);
type Suggest = typeof sqlSuggestions;

/** Asks for suggestions at the `|` in a text, keeps those that begin as typed, and inserts the first of them. */
function choose(suggest: Suggest, marked: string): { names: string[]; made: string } | null {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = suggest(text, offset, columns);
  if (!found) return null;
  const typed = text.slice(found.from, offset).toLowerCase();
  const items = found.items.filter(({ match }) => match.toLowerCase().startsWith(typed));
  const insert = items[0]?.insert ?? '';
  return { names: items.map(({ name }) => name), made: text.slice(0, found.from) + insert + text.slice(found.to) };
}

describe('SQL', () => {
  it.each([
    ['SELECT data.re|', 'SELECT data.readings.kg'],
    ['SELECT data.readings.n|', 'SELECT data.readings.`net weight`'],
    ['SELECT comp| FROM readings', 'SELECT component_name FROM readings'],
    ['SELECT AV|', 'SELECT AVG('],
    ['SELECT rou|', 'SELECT ROUND('],
    ['SELECT date_t|', 'SELECT DATE_TRUNC('],
    ['SELECT DATE_TRUNC(t, isow|', 'SELECT DATE_TRUNC(t, ISOWEEK'],
    ['WI|', 'WITH'],
    ['SELECT * FROM sens|', 'SELECT * FROM sensorData.readings'],
    ["SELECT 'it''s' AS a, co|", "SELECT 'it''s' AS a, component_name"],
  ])('%s becomes %s', (text, made) => {
    expect(choose(sqlSuggestions, text)!.made).toBe(made);
  });

  it.each(["WHERE a = 'co|", 'SELECT 1 -- co|'])('is silent in %s', (text) => {
    expect(choose(sqlSuggestions, text)).toBeNull();
  });
});

describe('MQL', () => {
  it.each([
    ['[{"$ma|"}]', '[{"$match": {}}]'],
    ['[{"$lim|": 5}]', '[{"$limit": 5}]'],
    ['[|]', '[{ "$addFields": {} }]'],
    ['[{"$match": {"data.|": 5}}]', '[{"$match": {"data.readings.kg": 5}}]'],
    ['[{"$match": {"data.readings.kg": {"$gte|"}}}]', '[{"$match": {"data.readings.kg": {"$gte": }}}]'],
    ['[{"$group": {"_id": "$comp|"}}]', '[{"$group": {"_id": "$component_name"}}]'],
    ['[{"$group": {"_id": "$$N|"}}]', '[{"$group": {"_id": "$$NOW"}}]'],
  ])('%s becomes %s', (text, made) => {
    expect(choose(mqlSuggestions, text)!.made).toBe(made);
  });

  it('tells the columns from the operators, which are many', () => {
    const { items } = mqlSuggestions('[{"$sort": {"', 13, columns)!;
    expect(items.filter(({ isColumn }) => isColumn).map(({ name }) => name)).toEqual(columns.map(({ path }) => path));
    expect(items.length).toBeGreaterThan(columns.length);
  });

  it('is silent in what is nested too deep to be sent', () => {
    expect(choose(mqlSuggestions, `${'['.repeat(100_000)}|`)).toBeNull();
  });

  it('knows no stage that the service refuses', () => {
    expect(choose(mqlSuggestions, '[{"$lo|"}]')!.names).toEqual([]);
    expect(choose(mqlSuggestions, '[{"$match": {"$where|"}}]')!.names).toEqual([]);
  });
});
