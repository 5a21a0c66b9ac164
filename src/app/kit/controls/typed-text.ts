type TextField = HTMLInputElement | HTMLTextAreaElement;

const pressed = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !pressed.has(target.type));

/** What a person typed since a dialog opened: its text fields, each with what it held when first met. */
export class TypedText {
  readonly #before = new Map<TextField, string>();
  #last: TextField | undefined;

  /** the field that had the focus last */
  get last(): HTMLElement | undefined {
    return this.#last?.isConnected ? this.#last : undefined;
  }

  /** Whether some field that is still there holds another text than before. */
  get differs(): boolean {
    return [...this.#before].some(([field, text]) => field.isConnected && field.value !== text);
  }

  /** To be told of everything that gets the focus. */
  meet(target: EventTarget | null): void {
    if (!isTextField(target)) return;
    this.#last = target;
    if (!this.#before.has(target)) this.#before.set(target, target.value);
  }

  forget(): void {
    this.#before.clear();
    this.#last = undefined;
  }
}
