/**
 * Attachment: makes an element focusable while it can scroll, and removes it from the tab order while it cannot.
 */
export function reachable(scroller: HTMLElement): () => void {
  const sizes = new ResizeObserver(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = scroller;
    if (scrollHeight > clientHeight || scrollWidth > clientWidth) scroller.tabIndex = 0;
    else scroller.removeAttribute('tabindex');
  });
  sizes.observe(scroller);
  return () => sizes.disconnect();
}
