/** Makes equal lists the same list: results of many images then hold one list of labels, not one each. */
export class SharedLists {
  readonly #byText = new Map<string, readonly unknown[]>();
  /** by a list that was given before: it needs no text again */
  readonly #byList = new WeakMap<readonly unknown[], readonly unknown[]>();

  /**
   * @param list of values that JSON has; it must not change afterwards
   * @returns the first list that was equal
   */
  shared<T extends readonly unknown[]>(list: T): T {
    const known = this.#byList.get(list);
    if (known) return known as T;
    const text = JSON.stringify(list);
    const first = this.#byText.get(text) ?? list;
    this.#byText.set(text, first);
    this.#byList.set(list, first);
    return first as T;
  }
}
