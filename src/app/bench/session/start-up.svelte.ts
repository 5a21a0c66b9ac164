/** Events that show that a person is using the page. */
const signs = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'drop', 'paste'] as const;

/**
 * The time from the first line of script until the first boxes. Work that these do not need waits for its end, as
 * two cores are busy with the runtime and the model. A person's first action ends it, so that nobody waits longer
 * for what they asked for.
 */
export class StartUp {
  isOver: boolean = $state(false);
  #end: () => void = () => undefined;
  readonly over = new Promise<void>((resolve) => (this.#end = resolve));

  end(): void {
    this.isOver = true;
    this.#end();
  }

  /** Ends with a person's first action on the page. */
  listen(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
    const end = (): void => this.end();
    for (const sign of signs) page.addEventListener(sign, end, { capture: true, passive: true });
    void this.over.then(() => {
      for (const sign of signs) page.removeEventListener(sign, end, { capture: true });
    });
  }
}
