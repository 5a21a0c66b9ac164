import { describe, expect, it } from 'vitest';
import { startDataService } from '../../../../../tests/data-service-fixture.ts';
import { readMql } from './mql-text.ts';
import { SavedQueries } from './saved-queries.svelte.ts';

const refused = (): never => {
  throw new DOMException('blocked', 'SecurityError');
};

async function open() {
  const { owner } = await startDataService();
  const said: string[] = [];
  const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };
  const saved = new SavedQueries({ ...owner, home, announce: (sentence) => said.push(sentence) }, refused);
  await saved.read();
  const stored = async () =>
    (await owner.data.listSavedQueries({ organizationId: 'a', limit: 0n })).queries.map(({ name, mqlBinary }) => [
      name,
      mqlBinary.length,
    ]);
  return { saved, said, stored, owner };
}

const match = '[{"$match": {"at": {"$date": "2026-01-01T00:00:00Z"}}}, {"$limit": 5}]';

describe('saved queries', () => {
  it('of MQL are kept by the service, and every change can be taken back', async () => {
    const { saved, said, stored } = await open();
    expect(await saved.save('mql', 'heavy', match)).toBe(true);
    expect(saved.mql.queries).toMatchObject([{ name: 'heavy', summary: '$match, $limit' }]);
    const prefixes: string[] = [];
    const follow = (name: string) => prefixes.push(name);
    const first = () => saved.mql.queries![0]!;

    await saved.save('mql', 'heavy', '[{"$limit": 1}]');
    expect(await stored()).toEqual([['heavy', 1]]);
    await saved.undo();
    expect(await stored()).toEqual([['heavy', 2]]);
    await saved.rename('mql', first(), 'light', follow);
    expect(await stored()).toEqual([['light', 2]]);
    await saved.undo();
    await saved.delete('mql', first(), follow);
    expect(await stored()).toEqual([]);
    await saved.undo();
    expect(await stored()).toEqual([['heavy', 2]]);
    expect(readMql(first().text).stages).toEqual(readMql(match).stages);
    expect(prefixes).toEqual(['light', 'heavy', '', 'heavy']);
    expect(said.slice(0, 3)).toEqual(['“heavy” saved.', '“heavy” replaced.', 'Undone.']);
    await saved.undo(); // nothing is left to undo
    expect(await stored()).toEqual([['heavy', 2]]);
  });

  it('say why one is not kept, and keep what there was', async () => {
    const { saved, stored } = await open();
    await saved.save('mql', 'a', match);
    await saved.save('mql', 'b', match);
    expect(await saved.save('mql', 'a', '[{')).toBe(false);
    expect(saved.failure?.message).toMatch(/not JSON/);
    expect(saved.done).toBeNull();
    expect(await saved.rename('mql', saved.named('mql', 'a')!, 'b')).toBe(false);
    expect(saved.failure?.message).toMatch(/b/);
    expect((await stored()).toSorted()).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect(await saved.save('sql', 'c', 'SELECT 1')).toBe(false);
    expect(saved.failure?.message).toMatch(/not let the page store anything/);
    expect(saved.count).toBe(2);
    saved.dismiss();
    expect(saved.failure).toBeNull();
  });
});
