import { describe, expect, it } from 'vitest';
import type { DroppedFiles } from '../../platform/ports/named-file.ts';
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

describe('the tabs', () => {
  const areas = (area: 'data' | 'evaluate', tab: string) => ({
    area,
    tabOf: () => tab,
    href: (...at: readonly string[]) => at.join(' '),
  });
  const placeAt = (area: 'data' | 'evaluate', tab: string) =>
    new DataAreaState(areas(area, tab) as never, {} as never).contextOf({ client: {} } as never, {} as never).place;

  it.each([
    ['data', 'pipelines', 'pipelines'],
    ['data', 'settings', 'settings'],
    ['data', '', 'images'],
    ['data', 'replay', 'images'], // remembered from when it was a tab of the data area
    ['evaluate', 'replay', 'replay'],
  ] as const)('of %s at %j: %s is open', (area, tab, open) => expect(placeAt(area, tab).tab).toBe(open));

  it('are in the data area, but for Replay, which stands beside the evaluation', () => {
    const { href } = placeAt('evaluate', 'replay');
    expect([href('images', '/a'), href('replay', '?b')]).toEqual(['data images /a', 'evaluate replay ?b']);
  });
});
