import { expect, it } from 'vitest';
import { draftOfLink, firstDraft, linkOfDraft, readDraft, type QueryDraft } from './query-draft.ts';

const draft: QueryDraft = {
  language: 'mql',
  sql: 'SELECT 1',
  mql: '[{"$match": {"a&b": "ä #?"}}]',
  source: { kind: 'sink', pipelineId: 'p/1' },
  prefix: 'only today',
};

it('is read back from where it was kept', () => {
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
});

it.each([null, 5, {}, { language: 'cobol', sql: 7, source: { kind: 'sink' } }])('begins anew with %j', (kept) => {
  expect(readDraft(kept)).toEqual(firstDraft);
});

it('is carried by a link, with nothing of the other language', () => {
  expect(draftOfLink(linkOfDraft(draft), firstDraft)).toEqual({ ...draft, sql: firstDraft.sql });
  const sql: QueryDraft = { ...draft, language: 'sql' };
  expect(linkOfDraft(sql)).toBe('?sql=SELECT+1');
  expect(draftOfLink('?sql=SELECT+1', draft)).toEqual(sql);
});

it.each(['', '?', '?source=hot', '/an-id'])('%j opens no query', (rest) => {
  expect(draftOfLink(rest, draft)).toBeNull();
});
