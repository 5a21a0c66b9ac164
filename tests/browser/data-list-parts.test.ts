import type {} from '@vitest/browser-playwright';
import { createRawSnippet, flushSync, mount, tick, unmount, type Component } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import '../../src/app/theme.css';
import { exifWords } from '../../src/app/data/annotate/boxes/exif-words.ts';
import PictureCell from '../../src/app/data/shared/grid/PictureCell.svelte';
import StoredRow from '../../src/app/data/shared/stored/StoredRow.svelte';
import EmptyState from '../../src/app/kit/layout/EmptyState.svelte';
import ExifNote from '../../src/app/kit/picture/ExifNote.svelte';
import { pngHeader } from '../dataset-fixture.ts';
import { Given } from './given.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

function show<Props extends Record<string, unknown>>(style: string, part: Component<Props>, props: Props): HTMLElement {
  const target = document.createElement('main');
  target.style.cssText = `position: relative; ${style}`;
  document.body.replaceChildren(target);
  const shown = mount(part, { target, props });
  close = () => void unmount(shown);
  return target;
}

const item = {
  id: 'a',
  name: 'car-detection-of-the-north-yard-00012.jpg',
  mimeType: 'image/jpeg',
  sizeBytes: 10,
  boxCount: 0,
  tags: [],
  timeMs: 0,
};
const picture = createRawSnippet(() => ({ render: () => '<i></i>' }));
const state = { selected: false, leaving: false };

it.each([
  ['a cell of a grid', () => show('width: 168px; height: 150px', PictureCell, { item, picture, ...state })],
  ['a row of a list', () => show('width: 320px; height: 40px', StoredRow, { item: item as never, ...state })],
])('the end of a long name, which tells it from the next, is in sight in %s', async (_, open) => {
  const target = open();
  const name = target.querySelector('.middle-name')!;
  const head = name.querySelector('.head')!;
  const end = name.querySelector('.tail')!;
  expect(head.scrollWidth).toBeGreaterThan(head.clientWidth);
  expect(end.textContent).toBe('-00012.jpg');
  expect(end.scrollWidth).toBeLessThanOrEqual(end.clientWidth + 1);
  const line = name.getBoundingClientRect();
  expect(end.getBoundingClientRect().right).toBeLessThanOrEqual(line.right);
  expect(line.right).toBeLessThanOrEqual(target.getBoundingClientRect().right);
});

it('what stands for an empty area stands in its middle, whatever it says', () => {
  const middles = [{}, { icon: 'chart' as const }].map((props) => {
    const target = show('display: flex; flex-direction: column; height: 600px', EmptyState, {
      title: 'Nothing yet',
      fills: true,
      ...props,
    });
    const parts = [...target.firstElementChild!.children].map((part) => part.getBoundingClientRect());
    return (parts[0]!.top + parts.at(-1)!.bottom) / 2 - target.getBoundingClientRect().top;
  });
  expect(middles[0]).toBeGreaterThan(200);
  expect(middles[0]).toBeLessThan(300);
  expect(Math.abs(middles[0]! - middles[1]!)).toBeLessThan(4);
});

it('a picture with an EXIF orientation has a note on which way its boxes lie, and no other has', async () => {
  const of = (orientation: number) => new Blob([pngHeader(458, 424, orientation) as Uint8Array<ArrayBuffer>]);
  const picture = new Given<Blob | Promise<Blob>>(of(6));
  const props = {
    says: exifWords({ width: 458, height: 424 }),
    get picture() {
      return picture.current;
    },
  };
  show('', ExifNote, props);
  const note = page.getByText(/shown as it is stored, 458 × 424 px.*the boxes belong to it/);
  await expect.element(note).toBeVisible();
  picture.current = of(1);
  await expect.element(note).not.toBeInTheDocument();
});

it('a picture that is read late has no note once another one is shown', async () => {
  const turned = new Blob([pngHeader(4, 2, 6) as Uint8Array<ArrayBuffer>]);
  let arrive = (_: Blob): void => {};
  const late = new Promise<Blob>((resolve) => (arrive = resolve));
  const picture = new Given<Blob | Promise<Blob>>(late);
  const props = {
    says: exifWords({ width: 4, height: 2 }),
    get picture() {
      return picture.current;
    },
  };
  show('', ExifNote, props);
  const note = page.getByText(/turned by a quarter turn clockwise/);
  picture.current = Promise.reject(new Error('gone'));
  flushSync();
  arrive(turned);
  await late;
  await tick();
  await expect.element(note).not.toBeInTheDocument();
  picture.current = turned;
  await expect.element(note).toBeVisible();
});
