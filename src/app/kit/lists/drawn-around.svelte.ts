const atRest = 1;
const whileScrolling = 6;
const restsAfterMs = 400;

/**
 * How many items a list draws on either side of those in sight: more while one scrolls, for the frame until they are drawn anew,
 * and as good as none at rest, where whatever changes would be written and laid out for nobody.
 */
export class DrawnAround {
  #items = $state(atRest);
  #rest: ReturnType<typeof setTimeout> | undefined;

  get items(): number {
    return this.#items;
  }

  scrolled(): void {
    this.#items = whileScrolling;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => (this.#items = atRest), restsAfterMs);
  }
}
