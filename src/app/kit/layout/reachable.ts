/**
 * Attachment: makes an element focusable while it can scroll, and removes it from the tab order while it cannot.
 */
export function reachable(scroller: HTMLElement): () => void {
  const sizes = new ResizeObserver(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = scroller;
    if (scrollHeight > clientHeight || scrollWidth > clientWidth) scroller.tabIndex = 0;
    else scroller.removeAttribute('tabindex');
  });
  for (const one of [scroller, ...scroller.children]) sizes.observe(one); // what grows inside leaves the scroller as it is
  return () => sizes.disconnect();
}
