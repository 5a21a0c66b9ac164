import type {} from '@vitest/browser-playwright';
import { createRawSnippet, mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import '../../src/app/theme.css';
import FigureTable from '../../src/app/kit/layout/FigureTable.svelte';

let close: () => void = () => undefined;
afterEach(() => close());

const row = '<tr><th scope="row">cat</th><td>12</td><td class="text-left">good</td><td class="wide-only">x</td></tr>';

function show(options: { readonly maxHeightPx?: number; readonly rows?: number }) {
  const children = createRawSnippet(() => ({ render: () => `<tbody>${row.repeat(options.rows ?? 1)}</tbody>` }));
  const columns = [
    'Label',
    { title: 'Boxes', hint: 'That are kept' },
    { title: 'Verdict', isText: true },
    { title: 'Share', isText: true, isWideOnly: true },
  ];
  const props = { caption: 'Boxes by label', columns, children, ...options };
  document.body.replaceChildren();
  const shown = mount(FigureTable, { target: document.body, props });
  close = () => void unmount(shown);
  return page.getByRole('table', { name: 'Boxes by label' });
}

const alignments = (cells: Iterable<Element>) => [...cells].map((cell) => getComputedStyle(cell).textAlign);

it('has figures on the right, and headings and words on the left', async () => {
  await page.viewport(1440, 900);
  const [head, body] = show({}).element().querySelectorAll('tr');
  expect(alignments(head!.cells)).toEqual(['left', 'right', 'left', 'left']);
  expect(alignments(body!.cells).slice(0, 3)).toEqual(['left', 'right', 'left']);
  await expect.element(page.getByRole('columnheader', { name: 'Boxes' })).toHaveAttribute('title', 'That are kept');
});

it('leaves out on a phone what is for wide screens', async () => {
  await page.viewport(390, 844);
  const table = show({});
  await expect.element(table.getByRole('columnheader', { name: 'Share' })).not.toBeInTheDocument();
  await expect.element(table.getByRole('cell', { name: 'x' })).not.toBeInTheDocument();
  await expect.element(table.getByRole('columnheader', { name: 'Verdict' })).toBeVisible();
});

it('scrolls under its header, by keys too, where it is too high', async () => {
  await page.viewport(1440, 900);
  const table = show({ maxHeightPx: 100, rows: 20 }).element();
  const scroller = table.parentElement!;
  await expect.poll(() => scroller.tabIndex).toBe(0);
  scroller.scrollTop = 150;
  const top = () => table.querySelector('thead th')!.getBoundingClientRect().top;
  expect(Math.round(top())).toBe(Math.round(scroller.getBoundingClientRect().top));
});

it('scrolls by keys as soon as figures that come later are too wide, and no longer when they are gone', async () => {
  await page.viewport(390, 844);
  const table = show({}).element();
  const scroller = table.parentElement!;
  await expect.poll(() => scroller.clientWidth > 0 && scroller.tabIndex).toBe(-1);
  const cell = table.querySelector('td')!;
  cell.textContent = '1'.repeat(200); // no higher than before
  await expect.poll(() => scroller.tabIndex).toBe(0);
  cell.textContent = '12';
  await expect.poll(() => scroller.tabIndex).toBe(-1);
});
