import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { serialize } from 'bson';
import { expect, it } from 'vitest';
import { writeRowsHere } from '../../../../../tests/data-tab-fixture.ts';
import { QueryService } from '../../../../gen/sightglass/query/v1/query_pb.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { DataContext } from '../../context/data-context.ts';
import { QueryState } from './query-state.svelte.ts';

interface Asked {
  readonly answer: (rows: readonly object[]) => void;
  readonly fail: (message: string, code?: Code) => void;
}

/** A query state over a service that answers when the test tells it to, even after the call was aborted. */
function open() {
  const asked: Asked[] = [];
  const said: string[] = [];
  const tabularDataBySQL = () =>
    new Promise<{ readonly rawData: readonly Uint8Array[] }>((resolve, reject) =>
      asked.push({
        answer: (rows) => resolve({ rawData: rows.map((row) => serialize(row)) }),
        fail: (message, code) => reject(code === undefined ? new Error(message) : new ConnectError(message, code)),
      }),
    );
  const saved: [string, string][] = [];
  const context = {
    transport: createRouterTransport(({ service }) =>
      service(QueryService, {
        async *streamRows() {
          yield { rows: serialize({ n: 1 }) };
          yield { rows: serialize({ n: 2 }) };
        },
      }),
    ),
    writeRows: writeRowsHere,
    data: { tabularDataBySQL } as unknown as DataContext['data'],
    home: { organizationId: 'a', locationId: 'lab', partId: 'lab-part' },
    announce: (sentence: string) => void said.push(sentence),
  };
  const state = new QueryState(
    context,
    memoryStorage(),
    (name, file) => void file.text().then((text) => saved.push([name, text])),
  );
  state.write({ language: 'sql', sql: 'SELECT 1' });
  return { state, asked, said, saved };
}

it('shows the answer of the last run where the one before answers after it', async () => {
  const { state, asked, said } = open();
  const runs = [state.start(), state.start()];
  asked[1]!.answer([{ of: 'second' }, { of: 'second' }]);
  await runs[1];
  asked[0]!.answer([{ of: 'first' }]);
  await runs[0];
  expect(state.run).toMatchObject({ state: 'answered', result: { rows: [{ of: 'second' }, { of: 'second' }] } });
  expect(said).toEqual(['2 rows.']);
});

it('shows no failure of a run that a later one overtook', async () => {
  const { state, asked } = open();
  const first = state.start();
  void state.start();
  asked[0]!.fail('too late');
  await first;
  expect(state.run).toMatchObject({ state: 'running' });
});

it('stays cancelled whatever comes after', async () => {
  const { state, asked, said } = open();
  const run = state.start();
  state.cancel();
  asked[0]!.answer([{ of: 'cancelled' }]);
  await run;
  expect(state.run).toEqual({ state: 'cancelled' });
  expect(said).toEqual(['The query was cancelled.']);
});

it('saves the rows that are shown, without asking for them again', async () => {
  const { state, asked, saved, said } = open();
  const run = state.start();
  asked[0]!.answer([{ of: 'shown' }]);
  await run;
  await state.save('csv');
  await expect.poll(() => saved).toEqual([['query.csv', 'of\r\nshown\r\n']]);
  expect([asked.length, said.at(-1)]).toEqual([1, '1 row written.']);
});

it.each([
  [Code.ResourceExhausted, 'The answer has more than 100000 rows.', true],
  [Code.DeadlineExceeded, 'The query took longer than 30 s and was ended.', true],
  [Code.ResourceExhausted, '100 queries of this organization wait already; try again later.', false],
  [Code.InvalidArgument, 'Stage 0 is none.', false],
])('saves all rows of an answer that came to no end with code %d, "%s": %s', async (code, message, isSaved) => {
  const { state, asked, saved } = open();
  const run = state.start();
  asked[0]!.fail(message, code);
  await run;
  expect(state.run).toMatchObject({ state: 'failed', failure: { isTooLarge: isSaved } });
  await state.save('jsonl');
  await expect.poll(() => saved).toEqual(isSaved ? [['query.jsonl', '{"n":1}\n{"n":2}\n']] : []);
});

it('stops saving where it is left', async () => {
  const { state, asked, saved } = open();
  const run = state.start();
  asked[0]!.answer([{ of: 'shown' }]);
  await run;
  const saving = state.save('parquet');
  state.leave();
  await saving;
  expect([state.saving.progress, state.saving.fault, saved]).toEqual([null, null, []]);
});
