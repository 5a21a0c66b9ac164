const atRest = 1;
const whileScrolling = 6;
const restsAfterMs = 400;

/**
 * How many items beyond the visible ones a list renders on each side: several while scrolling, for the frame before
 * the next render, and almost none at rest, since hidden items would be updated and laid out for nothing.
 */
export class DrawnAround {
  items: number = $state(atRest);
  #rest: ReturnType<typeof setTimeout> | undefined;

  scrolled(): void {
    this.items = whileScrolling;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => (this.items = atRest), restsAfterMs);
  }
}
