import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { readMql } from './mql-text.ts';
import { queryFailure } from './query-failure.ts';

const refused = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);
const mql = '[{"$match": {"a": 1}}, {"$match": {"b": {"$near": 1}}}, {"$out": "x"}]';

it.each([
  ['SELECT a\nFROM things', 'There is no table things (line 2, column 6)', 'things'],
  ['SELECT', 'A value is expected, not the end of the query (line 1, column 7)', 'T'],
  [mql, 'Stage 2: $out is not allowed. Allowed are $match.', '"$out"'],
  [mql, 'Stage 1 ($match): the operator $near is not known here.', '"$near"'],
  [mql, 'Stage 0 ($match): something is wrong', '{"$match": {"a": 1}}'],
])('%j: %s', (text, message, place) => {
  const { span } = queryFailure(refused(message), text, text === mql ? readMql(mql).spans : [])!;
  expect(text.slice(span!.from, span!.to)).toBe(place);
});

it('is silent about a query that was cancelled, and without a place for what is not of the text', () => {
  expect(queryFailure(new ConnectError('gone', Code.Canceled), mql, [])).toBeNull();
  const late = new ConnectError('The query took longer than 30 s.', Code.DeadlineExceeded);
  expect(queryFailure(late, mql, readMql(mql).spans)!.span).toBeNull();
});
