/** Attachment: what scrolls takes the keyboard, and what does not is no stop. */
export function reachable(scroller: HTMLElement): () => void {
  const sizes = new ResizeObserver(() => {
    if (scroller.scrollHeight > scroller.clientHeight) scroller.tabIndex = 0;
    else scroller.removeAttribute('tabindex');
  });
  sizes.observe(scroller);
  return () => sizes.disconnect();
}
