import type { Attachment } from 'svelte/attachments';

const leastMs = 6_000;
/** About 200 words a minute, and two seconds to notice that something is there. */
const noticeMs = 2_000;
const perCharacterMs = 60;
const fadeMs = 250;

/** How long a message stays visible so that it can be read. */
export function readingMs(text: string): number {
  return Math.max(leastMs, noticeMs + perCharacterMs * text.length);
}

/**
 * Removes a message after the time needed to read it, and calls `onGone`. The time pauses while the pointer or the
 * focus is on the message, or the page is hidden.
 */
export function fadeAway(text: string, onGone: () => void): Attachment<HTMLElement> {
  return (note) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let fading: Animation | undefined;
    const held = new Set<'pointer' | 'focus' | 'hidden'>();

    function start(): void {
      stop();
      if (held.size === 0) timer = setTimeout(fade, readingMs(text));
    }
    function stop(): void {
      clearTimeout(timer);
      fading?.cancel();
      fading = undefined;
    }
    function fade(): void {
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      fading = note.animate({ opacity: [1, 0] }, { duration: still ? 0 : fadeMs, fill: 'forwards' });
      fading.onfinish = onGone;
    }
    const hold = (by: 'pointer' | 'focus' | 'hidden', isHeld: boolean) => (): void => {
      if (isHeld) held.add(by);
      else held.delete(by);
      start();
    };
    const watchPage = (): void => hold('hidden', document.hidden)();

    const listeners = [
      ['pointerenter', hold('pointer', true)],
      ['pointerleave', hold('pointer', false)],
      ['focusin', hold('focus', true)],
      ['focusout', hold('focus', false)],
    ] as const;
    for (const [type, listener] of listeners) note.addEventListener(type, listener);
    document.addEventListener('visibilitychange', watchPage);
    watchPage();
    return () => {
      stop();
      for (const [type, listener] of listeners) note.removeEventListener(type, listener);
      document.removeEventListener('visibilitychange', watchPage);
    };
  };
}
