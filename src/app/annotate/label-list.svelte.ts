import { recall, remember, type MemoryPort } from '../view/remembered.ts';

const LABELS_KEY = 'annotate-labels';
const CURRENT_KEY = 'annotate-label';

/** The labels one can give, in an order that stays: the digit of a label is its place. */
export class LabelList {
  readonly #memory: MemoryPort;
  #labels = $state.raw<readonly string[]>([]);
  #current = $state('');

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, LABELS_KEY);
    if (Array.isArray(before)) this.#labels = before.filter((label) => typeof label === 'string' && label !== '');
    const current = recall(memory, CURRENT_KEY);
    if (typeof current === 'string') this.#current = current;
  }

  get labels(): readonly string[] {
    return this.#labels;
  }

  /** What the next box is called; '' while there is no label at all. */
  get current(): string {
    return this.#current || (this.#labels[0] ?? '');
  }

  choose(label: string): void {
    this.know([label]);
    this.#current = label;
    remember(this.#memory, CURRENT_KEY, label);
  }

  /** Puts those that are not in the list yet at its end. */
  know(labels: readonly string[]): void {
    const news = labels.filter(
      (label, at) => label !== '' && labels.indexOf(label) === at && !this.#labels.includes(label),
    );
    if (news.length > 0) this.#set([...this.#labels, ...news]);
  }

  /** Moves a label one place up; its digit changes with it. */
  moveUp(label: string): void {
    const at = this.#labels.indexOf(label);
    if (at < 1) return;
    this.#set(this.#labels.with(at - 1, label).with(at, this.#labels[at - 1]!));
  }

  /** Takes a label off the list; boxes that have it keep it. */
  forget(label: string): void {
    this.#set(this.#labels.filter((other) => other !== label));
    if (this.#current === label) this.#current = '';
  }

  #set(labels: readonly string[]): void {
    this.#labels = labels;
    remember(this.#memory, LABELS_KEY, labels);
  }
}
