import { expect, it, vi } from 'vitest';
import { KnownParts } from './known-parts.ts';

const part = (name: string) => ({
  id: 'p',
  name,
  robotId: 'r',
  robotName: 'robot',
  organizationId: 'o',
  locationId: 'l',
});

it('reads a part once, and again what was not there, was deleted or is of another database', async () => {
  const parts = new KnownParts();
  const read = vi.fn(async () => part('main') as ReturnType<typeof part> | null);
  read.mockResolvedValueOnce(null);
  expect(await parts.get('p', read)).toBeNull();
  for (const _ of [1, 2]) expect(await parts.get('p', read)).toEqual(part('main'));
  expect(read).toHaveBeenCalledTimes(2);
  parts.delete('p');
  await parts.get('p', read);
  expect(read).toHaveBeenCalledTimes(3);
  parts.forget();
  await parts.get('p', read);
  expect(read).toHaveBeenCalledTimes(4);
});

it('knows nothing of a database that was let go while it was read', async () => {
  const parts = new KnownParts();
  const early = parts.get('p', async () => part('of the old one'));
  parts.forget();
  expect(await early).toEqual(part('of the old one'));
  expect(await parts.get('p', async () => part('of the new one'))).toEqual(part('of the new one'));
});
