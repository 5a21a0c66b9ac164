import { flushSync, mount, unmount } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { afterEach, expect, it, vi } from 'vitest';
import '../../src/app/theme.css';
import MiddleName from '../../src/app/kit/layout/MiddleName.svelte';
import StillThumbnail from '../../src/app/bench/panels/sources/StillThumbnail.svelte';
import type { StillFrame } from '../../src/platform/ports/frame-source.ts';

let close: () => void = () => undefined;
afterEach(() => close());

async function png(): Promise<Blob> {
  const canvas = new OffscreenCanvas(64, 64);
  canvas.getContext('2d')!.fillRect(8, 8, 9, 40);
  return canvas.convertToBlob();
}

const still = (name: string, blob: () => Promise<Blob>) => ({ name, blob }) as StillFrame;
const whole = still('whole.png', png);
const text = still('notes.png', async () => new Blob(['no picture'], { type: 'image/png' }));

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

function show(shown: StillFrame, waiting = new SvelteSet<StillFrame>()) {
  document.body.replaceChildren();
  const now = new SvelteMap([['still', shown]]);
  const props = {
    selected: false,
    get still() {
      return now.get('still')!;
    },
    get waits() {
      return waiting.has(shown);
    },
  };
  const thumbnail = mount(StillThumbnail, { target: document.body, props });
  close = () => void unmount(thumbnail);
  return (next: StillFrame) => now.set('still', next);
}
const icon = () => document.querySelector('svg');
const picture = () => document.querySelector('img');

it.each([
  ['that is none', text, 'The file is not a picture.'],
  [
    'that ends in its header',
    still('cut.png', async () => (await png()).slice(0, 40)),
    'The PNG is damaged or cut off.',
  ],
  [
    'that is a drawing, which the stage refuses, too',
    still('logo.svg', async () => new Blob([drawing], { type: 'image/svg+xml' })),
    'This SVG file is not shown here.',
  ],
  ['that is no longer there', still('gone.png', () => Promise.reject(new Error('It is gone.'))), 'It is gone.'],
])('names a picture %s, and says why', async (_, unreadable, reason) => {
  show(unreadable);
  await expect.poll(icon).not.toBeNull();
  expect(picture()).toBeNull();
  expect(document.querySelector('[title]')?.getAttribute('title')).toBe(`${unreadable.name}: ${reason}`);
  expect(document.body.innerText).toContain(unreadable.name);
});

it('is the picture of a still that comes after one without', async () => {
  const showNext = show(text);
  await expect.poll(icon).not.toBeNull();
  showNext(whole);
  await expect.poll(() => picture()?.naturalWidth).toBe(64);
  expect(icon()).toBeNull();
});

it('reads no picture while it waits, and then does', async () => {
  const read = vi.fn(png);
  const later = still('later.png', read);
  const waiting = new SvelteSet([later]);
  show(later, waiting);
  flushSync();
  expect(read).not.toHaveBeenCalled();
  waiting.clear();
  await expect.poll(() => picture()?.naturalWidth).toBe(64);
  expect(read).toHaveBeenCalledOnce();
});

it('is its background alone until it is read, without the outline of a broken image', async () => {
  const waiting = new SvelteSet([whole]);
  show(whole, waiting);
  flushSync();
  expect([picture()!.hasAttribute('src'), getComputedStyle(picture()!).content]).toEqual([
    false,
    expect.stringMatching(/^url\("data:image\/gif/),
  ]);
  waiting.delete(whole);
  await expect.poll(() => picture()!.naturalWidth).toBe(64);
  expect(getComputedStyle(picture()!).content).toBe('normal');
});

it('shortens names of a series in their middle, so that they can be told apart', () => {
  document.body.replaceChildren();
  document.body.style.width = '150px';
  const names = ['car-detection-000101.jpg', 'car-detection-000102.jpg'];
  const made = names.map((name) => mount(MiddleName, { target: document.body, props: { name } }));
  close = () => {
    document.body.style.width = '';
    for (const one of made) void unmount(one);
  };
  flushSync();
  const shown = [...document.querySelectorAll<HTMLElement>('.middle-name')];
  expect(shown.map((name) => [name.title, name.textContent])).toEqual(names.map((name) => [name, name]));
  for (const name of shown) {
    const [head, tail] = [...name.children] as HTMLElement[];
    expect(head!.scrollWidth).toBeGreaterThan(head!.clientWidth);
    expect(tail!.getBoundingClientRect().right).toBeLessThanOrEqual(name.getBoundingClientRect().right + 1);
    expect(tail!.textContent).toMatch(/10[12]\.jpg$/);
  }
});
