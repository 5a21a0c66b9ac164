import { expect, it } from 'vitest';
import type { DroppedFiles } from '../../ports/named-file.ts';
import { DataAreaState } from './data-area-state.svelte.ts';

it('imports the other files of a drop in which some cannot be read, and names those', async () => {
  const files = [{ file: new File(['a'], 'a.png'), path: 'belt/a.png' }];
  const unread = ['belt/b.png', 'belt/c.png'].map((path) => ({ path, why: 'Permission was denied.' }));
  const host = { client: {}, droppedFiles: (): Promise<DroppedFiles> => Promise.resolve({ files, unread }) };
  const area = new DataAreaState({} as never, {} as never);
  const context = area.contextOf(host as never, {} as never);
  expect(await context.droppedFiles({} as DataTransfer)).toEqual(files);
  expect(area.failures.map(({ message }) => message)).toEqual([
    'Left out, as it cannot be read: belt/b.png, belt/c.png. Permission was denied.',
  ]);
});
