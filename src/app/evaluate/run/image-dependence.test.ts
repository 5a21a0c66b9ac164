import { expect, it } from 'vitest';
import { photoHash } from '../../../../tests/photo-like.ts';
import { scansOf } from '../../../../tests/scanned-hashes.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import { ImageDependence } from './image-dependence.svelte.ts';

const image = (id: string, sequence = ''): TruthImage => ({ id, name: `${id}.jpg`, sizeBytes: 1, boxes: [], labels: [], sequence }); // prettier-ignore
const images = Array.from({ length: 8 }, (_, at) => image(`${at}`));
const photos = Object.fromEntries(images.map(({ id }, at) => [id, photoHash(at)]));
const alike = Object.fromEntries(images.map(({ id }, at) => [id, 1n << BigInt(at)]));

function opened(hashes: Readonly<Record<string, bigint>>, known: readonly string[] = []) {
  const kept = new Map<string, string>();
  const memory = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) }; // prettier-ignore
  const read: string[] = [];
  const bytes = async (_: string, ids: readonly string[]) => {
    read.push(...ids);
    return new Map(ids.map((id) => [id, new Uint8Array(1)]));
  };
  const open = () => new ImageDependence({ openScans: scansOf(hashes, known), memory });
  return { open, read, source: { bytes }, memory };
}
const shown = (dependence: ImageDependence) => [dependence.units(images).count, dependence.found?.basis, dependence.doubt === '']; // prettier-ignore

it('looks at images of which nothing is recorded, and at no other', async () => {
  const { open, read, source } = opened(photos);
  const dependence = open();
  dependence.begin('set');
  expect([dependence.doubt === '', dependence.units(images).count]).toEqual([false, 8]);
  await dependence.look(source, [...images, image('w1', 'sequence walk'), image('w2', 'sequence walk')]);
  expect(read).toEqual(images.map(({ id }) => id));
  expect(shown(dependence)).toEqual([8, 'pictures', true]);
  expect(dependence.text(images)).toBe('8 independent images, no two of which look alike');
});

it('does not know of images that look alike until a person says it, and keeps the answer with the set', async () => {
  const { open, source } = opened(alike);
  const dependence = open();
  dependence.begin('set');
  await dependence.look(source, images);
  expect(shown(dependence)).toEqual([1, 'alike', false]);
  expect(dependence.canState).toBe(true);
  await dependence.state(true);
  expect(shown(dependence)).toEqual([8, 'stated', true]);
  const again = open();
  again.begin('set');
  await again.look(source, images);
  expect([again.isStated, ...shown(again)]).toEqual([true, 8, 'stated', true]);
  again.begin('other set');
  await again.look(source, images);
  expect([again.isStated, ...shown(again)]).toEqual([false, 1, 'alike', false]);
  await dependence.state(false);
  expect(shown(dependence)).toEqual([1, 'alike', false]);
});

it('does not know of an image that cannot be decoded, and forgets what a run that was replaced looked at', async () => {
  const { open, source } = opened({ ...photos, '3': undefined as never });
  const dependence = open();
  dependence.begin('set');
  const looking = dependence.look(source, images);
  expect(dependence.isLooking).toBe(true);
  dependence.begin('other');
  await looking;
  expect([dependence.found, dependence.isLooking]).toEqual([null, false]);
  await dependence.look(source, images);
  expect(shown(dependence)).toEqual([8, 'unseen', false]);
});

it('reads no image that an earlier visit looked at', async () => {
  const { open, read, source } = opened(photos, ['0', '1', '2']);
  const dependence = open();
  dependence.begin('set');
  await dependence.look(source, images);
  expect([read, ...shown(dependence)]).toEqual([['3', '4', '5', '6', '7'], 8, 'pictures', true]);
});

it('keeps the answers of 200 sets, the latest first', async () => {
  const { open, memory } = opened(photos);
  memory.setItem('sightglass:independent-sets', JSON.stringify(Array.from({ length: 200 }, (_, at) => `${at}`)));
  const dependence = open();
  dependence.begin('new');
  await dependence.state(true);
  const kept = JSON.parse(memory.getItem('sightglass:independent-sets')!) as string[];
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, 'new', '198']);
});
