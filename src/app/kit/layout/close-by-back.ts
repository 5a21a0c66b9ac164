/**
 * An open dialog has an entry in the history, so that the back gesture of a phone closes it instead of leaving what is behind it.
 * One entry serves all that are open, with the state 'dialog'; 'leaving' while the browser goes back from it.
 */
type Page = Pick<Window, 'history' | 'addEventListener'>;

interface OpenDialog {
  readonly element: { readonly open: boolean };
  /** Closes it, or asks first. */
  readonly leave: () => void;
}

class DialogEntry {
  readonly #history: History;
  readonly #shown: OpenDialog[] = [];
  #leaving = false;

  constructor({ history, addEventListener }: Page) {
    this.#history = history;
    addEventListener('popstate', () => this.#travelled());
  }

  add(dialog: OpenDialog): () => void {
    this.#shown.push(dialog);
    this.#settle();
    return () => {
      this.#shown.splice(this.#shown.indexOf(dialog), 1);
      queueMicrotask(() => this.#settle()); // another one may open in its place
    };
  }

  /** The entry is there if a dialog is. */
  #settle(): void {
    if (this.#leaving) return;
    const isThere = this.#history.state === 'dialog';
    const isNeeded = this.#shown.some(({ element }) => element.open);
    if (isNeeded && !isThere) this.#history.pushState('dialog', '');
    if (isNeeded || !isThere) return;
    this.#leaving = true;
    this.#history.replaceState('leaving', ''); // navigations wait for it
    this.#history.back();
  }

  #travelled(): void {
    if (this.#leaving) this.#leaving = false;
    else if (this.#history.state !== 'dialog') this.#shown.at(-1)?.leave();
    this.#settle();
  }
}

const entries = new WeakMap<Page, DialogEntry>();

/** Lets the back gesture leave an open dialog. Returns the function to call once it is closed. */
export function closeByBack(element: OpenDialog['element'], leave: () => void, page: Page = window): () => void {
  const entry = entries.get(page) ?? new DialogEntry(page);
  entries.set(page, entry);
  return entry.add({ element, leave });
}
