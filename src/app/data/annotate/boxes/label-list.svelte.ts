import type { SchemeLabel } from '../../../../evidence/datasets/face/labels.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import {
  assignDigits,
  joinDigits,
  labelDigits,
  parseDigits,
  swapDigit,
  withoutLabel,
  type DigitsByLabel,
  type LabelDigit,
} from './label-digits.ts';

const LABELS_KEY = 'annotate-labels';
const CURRENT_KEY = 'annotate-label';
const CHOSEN_KEY = 'annotate-label-digits';
const GIVEN_KEY = 'annotate-given-digits';

/** The labels to choose from, and their digits. During work, digits change only by the person's choice. */
export class LabelList {
  readonly #memory: MemoryPort;
  #labels = $state.raw<readonly string[]>([]);
  #current = $state('');
  #digits = $state.raw<DigitsByLabel>(parseDigits(null));
  /** digits that a person chose */
  #chosen: DigitsByLabel;
  /** digits of the previous visit */
  readonly #before: DigitsByLabel;
  /** labels that are prescribed, in their order; null: none are */
  #scheme = $state.raw<readonly SchemeLabel[] | null>(null);
  #uses = $state.raw<ReadonlyMap<string, number> | null>(null);
  /** Whether a label was given already: from then on digits stay. */
  #isWorking = false;

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, LABELS_KEY);
    if (Array.isArray(before)) this.#labels = before.filter((label) => typeof label === 'string' && label !== '');
    const current = recall(memory, CURRENT_KEY);
    if (typeof current === 'string') this.#current = current;
    this.#chosen = parseDigits(recall(memory, CHOSEN_KEY));
    this.#before = parseDigits(recall(memory, GIVEN_KEY));
    this.#assign(this.#chosen);
  }

  /**
   * Labels in display order: those of the scheme, then those with a digit, then those used most, then the others as they
   * came.
   */
  readonly labels: readonly string[] = $derived.by(() => {
    const prescribed = (this.#scheme ?? []).map(({ name }) => name);
    const placeOf = (label: string): number => {
      const digit = this.digitOf(label);
      return digit === '' ? labelDigits.length : labelDigits.indexOf(digit);
    };
    const usesOf = (label: string): number => this.#uses?.get(label) ?? 0;
    const others = this.#labels.filter((label) => !prescribed.includes(label));
    return [...prescribed, ...others.toSorted((a, b) => placeOf(a) - placeOf(b) || usesOf(b) - usesOf(a))];
  });

  /** Whether labels are prescribed. */
  get hasScheme(): boolean {
    return this.#scheme !== null;
  }

  /** What the scheme says of a label; undefined if it is not of the scheme, or there is none. */
  prescribed(label: string): SchemeLabel | undefined {
    return this.#scheme?.find(({ name }) => name === label);
  }

  /** Whether there is a scheme, and the label is not in it. */
  isOutsideScheme(label: string): boolean {
    return this.#scheme !== null && this.prescribed(label) === undefined;
  }

  /** Offers these labels first, and gives them the digits in their order; null: as before. */
  follow(scheme: readonly SchemeLabel[] | null): void {
    this.#scheme = scheme;
    if (this.isOutsideScheme(this.#current)) this.#current = '';
  }

  /** The label of the next box; '' while there is none. */
  get current(): string {
    return this.#current || (this.labels[0] ?? '');
  }

  /** '': none */
  digitOf(label: string): LabelDigit | '' {
    if (this.#scheme) return labelDigits[this.#scheme.findIndex(({ name }) => name === label)] ?? '';
    return this.#digits.get(label) ?? '';
  }

  withDigit(digit: LabelDigit): string | undefined {
    return this.labels.find((label) => this.digitOf(label) === digit);
  }

  choose(label: string): void {
    this.#isWorking = true;
    this.know([label]);
    this.#current = label;
    remember(this.#memory, CURRENT_KEY, label);
  }

  /** Adds labels that are not in the list; they get free digits. */
  know(labels: readonly string[]): void {
    const news = labels.filter(
      (label, at) => label !== '' && labels.indexOf(label) === at && !this.#labels.includes(label),
    );
    if (news.length === 0) return;
    this.#set([...this.#labels, ...news]);
    this.#assign(joinDigits(this.#digits, this.#chosen));
  }

  /** Gives the digits to the labels used most, unless work has begun. */
  learnUses(uses: ReadonlyMap<string, number>): void {
    this.know([...uses.keys()]);
    if (this.#isWorking) return;
    this.#uses = uses;
    this.#assign(this.#chosen);
  }

  /** Sets the digit of a label; '': none. A label that had it gets the other's digit. */
  setDigit(label: string, digit: LabelDigit | ''): void {
    const other = digit && this.withDigit(digit);
    this.#isWorking = true;
    this.#digits = swapDigit(this.#digits, label, digit);
    if (other) this.#chosen = withoutLabel(this.#chosen, other);
    this.#chosen = swapDigit(this.#chosen, label, digit);
    this.#rememberDigits();
  }

  /** Removes a label from the list; boxes that have it keep it. */
  forget(label: string): void {
    this.#digits = withoutLabel(this.#digits, label);
    this.#chosen = withoutLabel(this.#chosen, label);
    this.#set(this.#labels.filter((other) => other !== label));
    if (this.#current === label) this.#current = '';
    this.#rememberDigits();
  }

  /** Assigns all digits except those that are settled. */
  #assign(settled: DigitsByLabel): void {
    this.#digits = assignDigits({ labels: this.#labels, chosen: settled, before: this.#before, uses: this.#uses });
    this.#rememberDigits();
  }

  #rememberDigits(): void {
    remember(this.#memory, CHOSEN_KEY, Object.fromEntries(this.#chosen));
    remember(this.#memory, GIVEN_KEY, Object.fromEntries(this.#digits));
  }

  #set(labels: readonly string[]): void {
    this.#labels = labels;
    remember(this.#memory, LABELS_KEY, labels);
  }
}
