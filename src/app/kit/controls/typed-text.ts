type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Inputs in which nothing is typed that would be lost: a search is typed again. */
const keepNothing = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'search',
  'submit',
]);

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !keepNothing.has(target.type));

/** Knows whether a person typed anything since a dialog opened: remembers each text field with its first value. */
export class TypedText {
  readonly #before = new Map<TextField, string>();
  #last: TextField | undefined;

  /** the field that had the focus most recently */
  get last(): HTMLElement | undefined {
    return this.#last?.isConnected ? this.#last : undefined;
  }

  /** Whether a field that still exists has another text than at first. */
  get differs(): boolean {
    return [...this.#before].some(([field, text]) => field.isConnected && field.value !== text);
  }

  /** Call it with every element that gets the focus. */
  meet(target: EventTarget | null): void {
    if (!isTextField(target)) return;
    this.#last = target;
    if (!this.#before.has(target)) this.#before.set(target, target.value);
  }

  /** What stands there now is applied: only another text differs from now on. */
  accept(): void {
    for (const field of this.#before.keys()) this.#before.set(field, field.value);
  }

  forget(): void {
    this.#before.clear();
    this.#last = undefined;
  }
}
