import { untrack } from 'svelte';

/** A note beside the export, such as "Copied.". It disappears once the export that it is about changes. */
export class ExportNote {
  readonly #present: () => readonly string[];
  #words: string = $state.raw('');
  #saidOf: readonly string[] = [];

  /** @param present what determines the export now; compared item by item */
  constructor(present: () => readonly string[]) {
    this.#present = present;
  }

  /** text of the note; '': none */
  get words(): string {
    return this.#words;
  }

  /** @param about the export when the action began: a clipboard may answer later */
  say(words: string, about = this.about()): void {
    this.#saidOf = about;
    this.#words = this.#isPresent() ? words : '';
  }

  /** What determines the export now, read without a dependency. */
  about(): readonly string[] {
    return untrack(this.#present);
  }

  dismiss(): void {
    this.#words = '';
  }

  /** Removes the note if its export has changed. Call it in an effect, so that it runs after each change. */
  follow(): void {
    void this.#present();
    if (!this.#isPresent()) this.dismiss();
  }

  #isPresent(): boolean {
    const present = this.about();
    return present.length === this.#saidOf.length && present.every((item, at) => item === this.#saidOf[at]);
  }
}
