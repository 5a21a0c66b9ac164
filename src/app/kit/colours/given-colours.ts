import type { HexColour } from './colour-distance.ts';

export type Colours = Readonly<Record<string, HexColour>>;

/** The colours that labels were given and keep, the label that was drawn last at the end. None of it is reactive, as no colour changes. */
export class GivenColours {
  readonly #colours = new Map<string, HexColour>();

  /** The colour of a label that is drawn now; undefined = it has none yet. */
  draw(label: string): HexColour | undefined {
    const colour = this.#colours.get(label);
    if (colour !== undefined) this.give(label, colour);
    return colour;
  }

  give(label: string, colour: HexColour): void {
    this.#colours.delete(label);
    this.#colours.set(label, colour);
  }

  /** The labels that were drawn last, with their colours. */
  last(count: number): readonly (readonly [string, HexColour])[] {
    return [...this.#colours].slice(-count);
  }

  /** Takes over what is remembered of labels that were not drawn here yet. */
  learn(remembered: Colours): void {
    const drawnHere = [...this.#colours];
    this.#colours.clear();
    for (const [label, colour] of [...Object.entries(remembered), ...drawnHere]) this.give(label, colour);
  }
}
