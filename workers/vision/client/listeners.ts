/** The listeners of one kind of event. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Adds a listener; returns the function that removes it. */
  add(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}
