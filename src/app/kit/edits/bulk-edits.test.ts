import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { BulkEdits, type BulkEdit } from './bulk-edits.svelte.ts';

const ids = Array.from({ length: 500 }, (_, number) => `i${number}`);

/** Edits whose every batch waits until the test lets it end. */
function open() {
  const said: string[] = [];
  const batches: { readonly size: number; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const edits = new BulkEdits(
    (sentence) => said.push(sentence),
    () => 'image',
  );
  const tag: BulkEdit = {
    doing: 'Tagging',
    done: 'tagged',
    edit: (some) => {
      const batch = deferred();
      batches.push({ size: some.length, end: batch.resolve, fail: batch.reject });
      return batch.promise;
    },
  };
  return { edits, said, batches, run: () => edits.run(tag, { count: ids.length, ids }) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('an edit of many files', () => {
  it('stops behind the batch that is under way when it is cancelled, and says how far it came', async () => {
    const { edits, said, batches, run } = open();
    const running = run();
    await settled();
    edits.cancel();
    batches[0]!.end();
    expect(await running).toBe(true);
    expect([batches.length, said, edits.running]).toEqual([1, ['Stopped: 200 of 500 images tagged.'], null]);
  });

  it('is refused while another runs', async () => {
    const { batches, run } = open();
    void run();
    await settled();
    expect(await run()).toBe(false);
    expect(batches).toHaveLength(1);
  });

  it('keeps what was done when the connection fails, and says both', async () => {
    const { edits, batches, run } = open();
    const running = run();
    await settled();
    batches[0]!.end();
    await settled();
    batches[1]!.fail(new ConnectError('The server is gone.', Code.Unavailable));
    expect(await running).toBe(true);
    expect(edits.outcome).toMatchObject({
      tone: 'error',
      message: expect.stringMatching(/^200 of 500 images tagged\./),
    });
  });
});
