import type { HexColour } from './colour-distance.ts';

export type Colours = Readonly<Record<string, HexColour>>;

/**
 * The colours assigned to labels, in the order of their last use. Not reactive, as an assigned colour never
 * changes.
 */
export class GivenColours {
  readonly #colours = new Map<string, HexColour>();

  /** Marks a label as drawn and returns its colour; undefined: it has none yet. */
  draw(label: string): HexColour | undefined {
    const colour = this.#colours.get(label);
    if (colour !== undefined) this.give(label, colour);
    return colour;
  }

  give(label: string, colour: HexColour): void {
    this.#colours.delete(label);
    this.#colours.set(label, colour);
  }

  /** The labels that were drawn most recently, with their colours. */
  last(count: number): readonly (readonly [string, HexColour])[] {
    return [...this.#colours].slice(-count);
  }

  /** Adds stored colours of labels that were not drawn here yet. */
  learn(remembered: Colours): void {
    const drawnHere = [...this.#colours];
    this.#colours.clear();
    for (const [label, colour] of [...Object.entries(remembered), ...drawnHere]) this.give(label, colour);
  }
}
