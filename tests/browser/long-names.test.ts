import type {} from '@vitest/browser-playwright';
import { createRawSnippet, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import Button from '../../src/app/kit/controls/Button.svelte';
import MiddleName from '../../src/app/kit/layout/MiddleName.svelte';
import ErrorNote from '../../src/app/kit/layout/ErrorNote.svelte';
import Panel from '../../src/app/kit/layout/Panel.svelte';
import SchedulePreview from '../../src/app/data/tabs/pipelines/SchedulePreview.svelte';

const words = 'Run deimv2_hgnetv2_atto_coco_of_a_very_long_name.fitted.onnx in its place';
const text = createRawSnippet(() => ({ render: () => `<b>${words}</b>` }));

let close: () => void = () => undefined;
afterEach(() => close());

/** A panel with the smallest width in the page. */
function narrow(): HTMLElement {
  const target = document.createElement('main');
  target.style.cssText = 'width: 208px';
  document.body.replaceChildren(target);
  return target;
}
const edgeOf = (element: Element): number => element.getBoundingClientRect().right;

describe('a name that is longer than its panel is wide', () => {
  it.each(['a note', 'a column', 'a row'] as const)(
    'stays within it on a button in %s, and can be read',
    async (where) => {
      const target = narrow();
      const holder = target.appendChild(document.createElement('div'));
      holder.style.display = where === 'a row' ? 'flex' : 'block';
      if (where === 'a column') holder.className = 'stack';
      const button = (into: HTMLElement) => mount(Button, { target: into, props: { children: text } });
      const shown =
        where === 'a note'
          ? mount(ErrorNote, {
              target: holder,
              props: {
                tone: 'warning',
                message: `${words.replaceAll(' ', '_')} has no model yet.`,
                actions: createRawSnippet(() => ({
                  render: () => '<div></div>',
                  setup: (element) => {
                    const inner = button(element as HTMLElement);
                    return () => void unmount(inner);
                  },
                })),
              },
            })
          : button(holder);
      close = () => void unmount(shown);
      const drawn = page.getByRole('button', { name: words });
      await expect.element(drawn).toBeVisible();
      expect(edgeOf(drawn.element())).toBeLessThanOrEqual(edgeOf(target));
      expect(target.scrollWidth).toBeLessThanOrEqual(target.clientWidth);
      drawn.element().dispatchEvent(new PointerEvent('pointerenter'));
      expect(drawn.element().getAttribute('title')).toBe(words);
    },
  );

  it('stays in the one line of a heading', () => {
    const target = narrow();
    const shown = mount(Panel, { target, props: { title: 'Thresholds', figure: words, children: text } });
    close = () => void unmount(shown);
    expect(target.querySelector('header')!.getBoundingClientRect().height).toBeLessThan(40);
  });
});

describe('a name that is shortened in its middle', () => {
  const name = 'detection-of-boxes-at-the-north-gate-000117.jpg';

  it.each([110, 900])('is copied whole, in one line, where it has %i px', async (widthPx) => {
    const target = narrow();
    target.style.width = `${widthPx}px`;
    const field = document.body.appendChild(document.createElement('textarea'));
    const shown = mount(MiddleName, { target, props: { name } });
    close = () => void unmount(shown);
    getSelection()!.selectAllChildren(target);
    await userEvent.copy();
    field.focus();
    await userEvent.paste();
    expect(field.value).toBe(name);
  });

  it('shows its end where there is no room, and itself once where there is', () => {
    const target = narrow();
    const shown = mount(MiddleName, { target, props: { name } });
    close = () => void unmount(shown);
    target.style.width = 'max-content';
    const whole = target.getBoundingClientRect().width;
    const plain = target.appendChild(document.createElement('span'));
    plain.textContent = name;
    expect(Math.abs(plain.getBoundingClientRect().width - whole)).toBeLessThan(1);
    target.style.width = '110px';
    const [head] = target.querySelectorAll<HTMLElement>('.head');
    expect(head!.scrollWidth).toBeGreaterThan(head!.clientWidth);
    expect(target.scrollWidth).toBeLessThanOrEqual(110);
  });
});

describe('the next runs of a pipeline', () => {
  it.each(['2026-11-30T09:56Z', '2026-11-30T19:56Z'])('stay within a phone at %s, also over midnight', (now) => {
    const target = narrow();
    target.style.width = '358px';
    const shown = mount(SchedulePreview, { target, props: { schedule: '0 * * * *', now: new Date(now) } });
    close = () => void unmount(shown);
    const table = page.getByRole('table', { name: 'The next five runs' }).element();
    expect(edgeOf(table)).toBeLessThanOrEqual(edgeOf(target));
    const [date] = table.querySelectorAll('td span');
    expect([date?.textContent, date?.getClientRects().length]).toEqual(['2026-11-30', 1]);
    expect(table.querySelector('td')!.textContent).toMatch(/^2026-11-30 \d\d:02$/);
  });
});
