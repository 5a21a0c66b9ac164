import type {} from '@vitest/browser-playwright';
import axe from 'axe-core';
import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import DetectionTable from '../../src/app/bench/panels/results/DetectionTable.svelte';
import { ResultsState } from '../../src/app/bench/results/results-state.svelte.ts';
import type { SessionState } from '../../src/app/bench/session/session-state.svelte.ts';
import { ViewState } from '../../src/app/bench/view/view-state.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

/** Shows the table of a raw head's rows in a panel of 400 px. The label of each row is its number. */
async function show(count: number): Promise<ViewState> {
  const numbers = Array.from({ length: count }, (_, row) => row);
  const detections = {
    count,
    labels: numbers.map(String),
    labelIndex: Uint32Array.from(numbers),
    score: new Float64Array(count).fill(0.5),
    box: new Int32Array(4 * count),
    frameWidthPx: 100,
    frameHeightPx: 100,
    boxSpace: 'absolute',
    droppedNaN: 0,
  };
  const view = new ViewState({ getItem: () => null, setItem: () => undefined });
  const session = { current: { detections } } as unknown as SessionState;
  const rule = { defaultMinimumConfidence: 0, labelConfidences: {} };
  const results = new ResultsState(
    session,
    view,
    () => rule,
    () => [],
  );
  const bench = { results, view, labels: { offeredName: () => null }, colours: { of: () => '#808080' } } as never;
  await page.viewport(800, 600);
  const target = document.createElement('main');
  target.className = 'stack';
  target.style.cssText = 'width: 360px; height: 400px; background: var(--surface-1)';
  document.body.replaceChildren(target);
  const table = mount(DetectionTable, { target, props: { bench } });
  close = () => void unmount(table);
  await expect.element(page.getByRole('table')).toBeVisible();
  return view;
}

const drawn = () => document.querySelectorAll('tbody tr[aria-rowindex]').length;
const focused = () => document.activeElement?.textContent.trim();
const isInSight = () => {
  const { left, top, width, height } = document.activeElement!.getBoundingClientRect();
  return document.activeElement!.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};

describe('the table of detections', () => {
  it('draws what is in sight of 8,400 rows, and says how many there are', async () => {
    await show(8400);
    await expect.poll(drawn).toBeGreaterThan(14);
    expect(drawn()).toBeLessThan(22);
    expect(page.getByRole('table').element().getAttribute('aria-rowcount')).toBe('8401');
    const main = document.querySelector('main')!;
    expect(main.scrollHeight).toBe(main.clientHeight);
  });

  it('draws rows ahead while one scrolls, and no more at rest', async () => {
    await show(8400);
    await expect.poll(drawn).toBeGreaterThan(14);
    const atRest = drawn();
    let most = 0;
    const watch = new MutationObserver(() => (most = Math.max(most, drawn())));
    watch.observe(document.querySelector('tbody')!, { childList: true });
    document.querySelector('.view')!.scrollTop = 24 * 100;
    await expect.poll(() => most).toBe(atRest + 10);
    await expect.poll(drawn).toBe(atRest);
    expect(document.querySelector('tbody tr[aria-rowindex="101"]')).not.toBeNull();
  });

  it('is walked by the keyboard to its last row and back, with one stop for Tab', async () => {
    const view = await show(8400);
    expect(document.querySelectorAll('tbody [tabindex="0"]')).toHaveLength(1);
    await userEvent.tab();
    expect(focused()).toBe('0');
    for (const [key, row] of [
      ['{ArrowDown}', '1'],
      ['{ArrowUp}', '0'],
      ['{ArrowUp}', '0'],
      ['{End}', '8399'],
      ['{ArrowDown}', '8399'],
      ['{ArrowUp}', '8398'],
    ] as const) {
      await userEvent.keyboard(key);
      await expect.poll(focused).toBe(row);
      expect(isInSight()).toBe(true);
    }
    expect(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')).toBe('8400');
    expect(document.querySelectorAll('tbody [tabindex="0"]')).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    expect(view.selectedRow).toBe(8398);
    await userEvent.keyboard('{PageUp}');
    await expect.poll(() => Number(focused())).toBeLessThan(8398 - 5);
    expect(isInSight()).toBe(true);
    await userEvent.keyboard('{Home}');
    await expect.poll(focused).toBe('0');
    expect(isInSight()).toBe(true);
  });

  it.each([3, 8400])('of %i rows has nothing that axe finds', async (count) => {
    await show(count);
    await userEvent.tab();
    await userEvent.keyboard('{End}');
    await expect.poll(focused).toBe(String(count - 1));
    const { violations } = await axe.run(document.querySelector('main')!);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([]);
  });
});
