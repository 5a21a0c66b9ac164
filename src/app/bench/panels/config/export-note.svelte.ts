import { untrack } from 'svelte';

/** What stands beside the export, such as "Copied.": it goes once what it was said of changes. */
export class ExportNote {
  readonly #present: () => readonly string[];
  #words: string = $state.raw('');
  #saidOf: readonly string[] = [];

  /** @param present what the words are about, as it is now: compared item by item */
  constructor(present: () => readonly string[]) {
    this.#present = present;
  }

  /** '': nothing */
  get words(): string {
    return this.#words;
  }

  /** @param about what was present when it was done: a clipboard may answer later */
  say(words: string, about = this.about()): void {
    this.#saidOf = about;
    this.#words = this.#isPresent() ? words : '';
  }

  /** What is present. */
  about(): readonly string[] {
    return untrack(this.#present);
  }

  dismiss(): void {
    this.#words = '';
  }

  /** Drops words about what has changed; run in an effect, which runs again with each change. */
  follow(): void {
    void this.#present();
    if (!this.#isPresent()) this.dismiss();
  }

  #isPresent(): boolean {
    const present = this.about();
    return present.length === this.#saidOf.length && present.every((item, at) => item === this.#saidOf[at]);
  }
}
