import { serialize } from 'bson';
import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { DataContext } from '../../context/data-context.ts';
import { QueryState } from './query-state.svelte.ts';

interface Asked {
  readonly answer: (rows: readonly object[]) => void;
  readonly fail: (message: string) => void;
}

/** A query state over a service that answers when the test tells it to, even after the call was aborted. */
function open() {
  const asked: Asked[] = [];
  const said: string[] = [];
  const tabularDataBySQL = () =>
    new Promise<{ readonly rawData: readonly Uint8Array[] }>((resolve, reject) =>
      asked.push({
        answer: (rows) => resolve({ rawData: rows.map((row) => serialize(row)) }),
        fail: (message) => reject(new Error(message)),
      }),
    );
  const context = {
    data: { tabularDataBySQL } as unknown as DataContext['data'],
    home: { organizationId: 'a', locationId: 'lab', partId: 'lab-part' },
    announce: (sentence: string) => void said.push(sentence),
  };
  const state = new QueryState(context, memoryStorage());
  state.write({ language: 'sql', sql: 'SELECT 1' });
  return { state, asked, said };
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
