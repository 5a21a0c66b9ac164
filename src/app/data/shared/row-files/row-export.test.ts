import { Code, ConnectError } from '@connectrpc/connect';
import { serialize } from 'bson';
import { expect, it } from 'vitest';
import { writeRowsHere } from '../../../../../tests/data-tab-fixture.ts';
import { RowExport } from './row-export.svelte.ts';

function open() {
  const [said, saved]: [string[], string[]] = [[], []];
  const context = { writeRows: writeRowsHere, announce: (sentence: string) => void said.push(sentence) };
  return { said, saved, saving: new RowExport(context, (name) => void saved.push(name)) };
}

const rows = (...parts: readonly (object | Error)[]) => ({
  name: 'rows',
  instants: [],
  async *read() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield serialize(part);
    }
  },
});

it('tells why a file was not saved, until it is dismissed or the next one is', async () => {
  const { saving, saved } = open();
  await saving.save(rows({ n: 1 }, new ConnectError('The server is gone.', Code.Unavailable)), 'csv');
  expect(saving.fault).toMatchObject({ message: 'The server is gone.' });
  saving.end();
  expect(saving.fault).toBeNull();
  const wide = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`f${n}`, n]));
  await saving.save(rows(wide), 'parquet');
  expect(saving.fault).toMatchObject({ message: expect.stringContaining('more than 1000 different fields'), cure: '' });
  expect(saved).toEqual([]);
  await saving.save(rows({ n: 1 }), 'parquet');
  expect([saving.fault, saved]).toEqual([null, ['rows.parquet']]);
});

it('breaks off what is under way for the next file, of which alone it tells', async () => {
  const { saving, saved, said } = open();
  const first = saving.save(rows({ n: 1 }, { n: 2 }), 'csv');
  await Promise.all([first, saving.save(rows({ n: 1 }), 'jsonl')]);
  expect([saved, said]).toEqual([['rows.jsonl'], ['1 row written.']]);
});
