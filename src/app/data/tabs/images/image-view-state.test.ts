import { expect, it } from 'vitest';
import { deferred } from '../../../../../tests/deferred.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ImageViewState } from './image-view-state.svelte.ts';

it('has nothing of an image after it was closed, nor of one that was still being read', async () => {
  const answered = deferred<void>();
  let isSlow = false;
  const view = new ImageViewState({
    data: {
      binaryDataByIDs: async ({
        binaryDataIds,
        includeBinary,
      }: {
        binaryDataIds: string[];
        includeBinary: boolean;
      }) => {
        if (includeBinary) throw new Error('The bytes are lost.');
        if (isSlow) await answered.promise;
        return { data: [{ metadata: { binaryDataId: binaryDataIds[0] } }] };
      },
    },
  } as unknown as DataContext);
  await view.show('one', []);
  expect(view.metadata?.binaryDataId).toBe('one');
  expect(view.failure).not.toBeNull();
  view.close();
  expect([view.metadata, view.picture, view.failure, view.undrawn]).toEqual([null, null, null, '']);
  isSlow = true;
  const showing = view.show('two', []);
  view.close();
  answered.resolve();
  await showing;
  expect([view.metadata, view.failure]).toEqual([null, null]);
});
