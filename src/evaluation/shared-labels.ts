/** Makes lists of labels that are equal the same list: results of many images then hold one list, not one each. */
export class SharedLabels {
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * @param labels a list
   * @returns the first list that was equal
   */
  shared(labels: readonly string[]): readonly string[] {
    const key = JSON.stringify(labels);
    const known = this.#lists.get(key);
    if (!known) this.#lists.set(key, labels);
    return known ?? labels;
  }
}
