import type {} from '@vitest/browser-playwright';
import { flushSync, mount, unmount } from 'svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import '../../src/app/theme.css';
import ErrorNote from '../../src/app/kit/layout/ErrorNote.svelte';
import { readingMs } from '../../src/app/kit/layout/fade-away.ts';

const message = 'Opened the configuration machine.json. Undo restores the previous one.';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // The browser's pointer may lie on the note, where tests of another file left it.
  document.body.style.pointerEvents = 'none';
  onTestFinished(() => {
    vi.useRealTimers();
    document.body.style.pointerEvents = '';
  });
});

async function show(props: { readonly tone: 'info' | 'error'; readonly fades?: boolean }) {
  document.body.replaceChildren();
  const onDismiss = vi.fn();
  const note = mount(ErrorNote, { target: document.body, props: { message, onDismiss, ...props } });
  flushSync();
  onTestFinished(() => unmount(note));
  await vi.dynamicImportSettled();
  return { onDismiss, element: document.querySelector<HTMLElement>('.note')! };
}

/** Resolves when the note's fade animation has ended; fake timers do not control animations. */
const faded = (element: HTMLElement): Promise<unknown> =>
  Promise.all(element.getAnimations().map(({ finished }) => finished));

describe('a note that fades', () => {
  it('goes when there was time to read it, and not before', async () => {
    const { onDismiss, element } = await show({ tone: 'info', fades: true });
    vi.advanceTimersByTime(readingMs(message) - 1);
    expect(element.getAnimations()).toHaveLength(0);
    vi.advanceTimersByTime(10);
    expect(element.getAnimations()).toHaveLength(1);
    await faded(element);
    await vi.waitFor(() => expect(onDismiss).toHaveBeenCalledOnce());
  });

  it.each([
    ['the pointer', 'pointerenter', 'pointerleave'],
    ['the focus', 'focusin', 'focusout'],
  ])('stays while %s is on it, and is given the whole time again after', async (_, holds, lets) => {
    const { element } = await show({ tone: 'info', fades: true });
    vi.advanceTimersByTime(readingMs(message) - 1);
    element.dispatchEvent(new Event(holds));
    vi.advanceTimersByTime(600_000);
    expect(element.getAnimations()).toHaveLength(0);
    element.dispatchEvent(new Event(lets));
    vi.advanceTimersByTime(readingMs(message) - 1);
    expect(element.getAnimations()).toHaveLength(0);
    vi.advanceTimersByTime(10);
    expect(element.getAnimations()).toHaveLength(1);
  });

  it('comes back from its fading for a pointer that reaches it', async () => {
    const { element, onDismiss } = await show({ tone: 'info', fades: true });
    vi.advanceTimersByTime(readingMs(message) + 10);
    element.dispatchEvent(new Event('pointerenter'));
    expect(element.getAnimations()).toHaveLength(0);
    expect(getComputedStyle(element).opacity).toBe('1');
    expect(onDismiss).not.toHaveBeenCalled();
  });

  it('is only what was asked to fade', async () => {
    const { element, onDismiss } = await show({ tone: 'error' });
    vi.advanceTimersByTime(600_000);
    expect(element.getAnimations()).toHaveLength(0);
    expect(onDismiss).not.toHaveBeenCalled();
  });

  it('has more time the more it says', () => {
    expect(readingMs('Copied.')).toBe(6_000);
    expect(readingMs(message.repeat(3))).toBeGreaterThan(2 * readingMs('Copied.'));
  });
});
