import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { BinaryDataByIDsResponseSchema } from '../../../../../gen/app/data/v1/data_pb.ts';
import { itemsOfIds } from './items-of-ids.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const source = itemsOfIds(
  {
    binaryDataByIDs: async ({ binaryDataIds = [] }) =>
      create(BinaryDataByIDsResponseSchema, { data: binaryDataIds.map((id) => ({ metadata: { binaryDataId: id } })) }),
  },
  ids,
);
const { signal } = new AbortController();

it.each([
  [{ last: '', limit: 2, reverse: false }, ['a', 'b'], '2'],
  [{ last: '2', limit: 2, reverse: false }, ['c', 'd'], '4'],
  [{ last: '4', limit: 2, reverse: false }, ['e'], '5'],
  [{ last: '', limit: 2, reverse: true }, ['e', 'd'], '3'],
  [{ last: '1', limit: 2, reverse: true }, ['a'], '0'],
  [{ last: '5', limit: 2, reverse: false }, [], '5'],
])('reads %j', async (request, expected, last) => {
  const page = await source.page(request, signal);
  expect([page.rows.map(({ id }) => id), page.last]).toEqual([expected, last]);
});
