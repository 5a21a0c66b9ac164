import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { editInBatches, type BatchProgress } from './edit-in-batches.ts';

const ids = Array.from({ length: 450 }, (_, i) => `id${i}`);
const never = new AbortController().signal;

it('edits all, two hundred at a time', async () => {
  const sizes: number[] = [];
  const told: number[] = [];
  const edit = async (some: readonly string[]) => sizes.push(some.length);
  const end = await editInBatches(ids, edit, never, ({ doneCount }) => told.push(doneCount));
  expect([sizes, told, end.refused]).toEqual([[200, 200, 50], [200, 400, 450], []]);
});

it('edits the others where some are gone, and names those', async () => {
  const edited = new Set<string>();
  const gone = new Set(['id3', 'id399']);
  const edit = async (some: readonly string[]): Promise<void> => {
    const missing = some.find((id) => gone.has(id));
    if (missing) throw new ConnectError(`There is no binary data ${missing}.`, Code.NotFound);
    some.forEach((id) => edited.add(id));
  };
  const { doneCount, refused } = await editInBatches(ids, edit, never, () => undefined);
  expect(edited.size).toBe(448);
  expect([doneCount, refused.map(({ id }) => id)]).toEqual([450, ['id3', 'id399']]);
});

it('stops where going on is no use, and has told how far it came', async () => {
  let calls = 0;
  const told: BatchProgress[] = [];
  const edit = async (): Promise<void> => {
    if (++calls === 2) throw new ConnectError('stopped', Code.Unavailable);
  };
  await expect(editInBatches(ids, edit, never, (progress) => told.push(progress))).rejects.toThrow('stopped');
  expect([calls, told.at(-1)?.doneCount]).toEqual([2, 200]);
});

it('stops when cancelled', async () => {
  const cancelled = new AbortController();
  const edited: number[] = [];
  const edit = async (some: readonly string[]): Promise<void> => {
    edited.push(some.length);
    cancelled.abort();
  };
  await expect(editInBatches(ids, edit, cancelled.signal, () => undefined)).rejects.toThrow();
  expect(edited).toEqual([200]);
});
