import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import '../../src/app/theme.css';
import DiffText from '../../src/app/bench/config/DiffText.svelte';
import { diffLines } from '../../src/app/bench/config/line-diff.ts';
import LongText from '../../src/app/bench/panels/config/LongText.svelte';

let close: () => void = () => undefined;
afterEach(() => close());

/** A scrolling region of 300 px, as in the panes. */
function region(): HTMLElement {
  const target = document.createElement('main');
  target.style.cssText = 'width: 600px; height: 300px; overflow: auto; line-height: 20px';
  document.body.replaceChildren(target);
  return target;
}

const linesOf = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');

describe('a text of 100,000 lines', () => {
  it('is there whole, in few elements, of which those in sight are laid out', async () => {
    const target = region();
    const text = linesOf(100_000, 'a line that wraps '.repeat(10));
    const shown = mount(LongText, { target, props: { text } });
    close = () => void unmount(shown);
    const parts = [...target.querySelectorAll('div')];
    expect(parts.map(({ textContent }) => textContent).join('\n')).toBe(text);
    expect(parts.length).toBeLessThan(1000);
    const heightOf = (part: HTMLElement) => part.getBoundingClientRect().height;
    const asItIs = parts[0]!.textContent.split('\n').length * 20; // the estimated height, without wrapped lines
    await expect.poll(() => heightOf(parts[0]!)).toBeGreaterThan(asItIs);
    await expect.poll(() => heightOf(parts.at(-1)!)).toBe(asItIs);
    target.scrollTop = target.scrollHeight;
    await expect.poll(() => heightOf(parts.at(-1)!)).toBeGreaterThan(asItIs);
  });
});

describe('a difference', () => {
  it.each([
    [3, 6, ''],
    [40_000, 2001, 'And 78000 more lines removed or added.'],
  ])('of %i lines is shown line by line as far as anybody reads', (count, rows, last) => {
    const target = region();
    const shown = mount(DiffText, { target, props: { diff: diffLines(linesOf(count, 'a'), linesOf(count, 'b')) } });
    close = () => void unmount(shown);
    expect(target.querySelectorAll('div')).toHaveLength(rows);
    expect(target.lastElementChild?.textContent).toContain(last);
  });
});
