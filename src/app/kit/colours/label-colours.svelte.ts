import { getContext, setContext } from 'svelte';
import { recall, remember, type MemoryPort } from '../memory/remembered.ts';
import type { HexColour } from './colour-distance.ts';
import { colourApart, PALETTE } from './colour-palette.ts';
import { GivenColours, type Colours } from './given-colours.ts';

const MEMORY_KEY = 'label-colours';
/** How many labels' colours are stored; those that were drawn longest ago are removed first. */
const MOST_GIVEN = 2000;
/** How many recently drawn labels a new label's colour must differ from: all but one colour of the palette. */
const TOLD_APART = PALETTE.length - 1;

/**
 * The colour of each label: the same wherever its boxes are drawn, in every tab and on every visit. A person may
 * choose it; otherwise it is assigned when the label is first drawn, by its name, or another one if a recently
 * drawn label looks alike. Labels are compared without case.
 */
export class LabelColours {
  readonly #memory: MemoryPort;
  #chosen = $state.raw<Colours>({});
  #ruled = $state.raw<Colours>({});
  readonly #given = new GivenColours();
  #isWriting = false;

  /** @param memory storage that all tabs share */
  constructor(memory: MemoryPort) {
    this.#memory = memory;
    this.#chosen = this.#remembered('chosen');
    this.#given.learn(this.#remembered('given'));
  }

  of(label: string): HexColour {
    const key = label.toLowerCase();
    const given = this.#given.draw(key) ?? this.#give(key);
    return own(this.#ruled, key) ?? own(this.#chosen, key) ?? given;
  }

  /** Sets the colours that a scheme prescribes, by label in lower case; they go before what a person chose. */
  rule(colours: Colours): void {
    this.#ruled = colours;
  }

  readonly hasChosen: boolean = $derived.by(() => Object.keys(this.#chosen).length > 0);

  choose(label: string, colour: HexColour): void {
    this.#chosen = { ...this.#chosen, [label.toLowerCase()]: colour.toLowerCase() };
    this.#write();
  }

  /** Removes all colours that a person chose. */
  forgetChoices(): void {
    this.#chosen = {};
    this.#write();
  }

  #give(key: string): HexColour {
    this.#writeSoon();
    const byAnotherTab = this.#given.draw(key);
    if (byAnotherTab !== undefined) return byAnotherTab;

    const drawnLast = this.#given.last(TOLD_APART).map(([label, given]) => own(this.#chosen, label) ?? given);
    const colour = colourApart(byName(key), drawnLast);
    this.#given.give(key, colour);
    return colour;
  }

  /** Many labels come at a time, with a model or a list: they are written together. */
  #writeSoon(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#given.learn(this.#remembered('given')); // another tab may have drawn them first
    queueMicrotask(() => {
      this.#isWriting = false;
      this.#write();
    });
  }

  #write(): void {
    this.#given.learn(this.#remembered('given')); // or what other tabs wrote would go
    const given = Object.fromEntries(this.#given.last(MOST_GIVEN));
    remember(this.#memory, MEMORY_KEY, { chosen: this.#chosen, given });
  }

  #remembered(what: 'chosen' | 'given'): Colours {
    const before = recall(this.#memory, MEMORY_KEY);
    return before && typeof before === 'object' ? coloursIn(Reflect.get(before, what)) : {};
  }
}

/** Context key of the page's label colours. */
export const LABEL_COLOURS = 'label-colours';
export const provideLabelColours = (colours: LabelColours): LabelColours => setContext(LABEL_COLOURS, colours);
/**
 * The label colours of the page, for every component that draws a label. Call it during the component's
 * initialization.
 */
export const labelColours = (): LabelColours => getContext(LABEL_COLOURS);

function byName(label: string): HexColour {
  let hash = 2166136261; // FNV-1a, 32 bits
  for (const character of label) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return PALETTE[(hash >>> 0) % PALETTE.length]!;
}

const own = (colours: Colours, label: string): HexColour | undefined =>
  Object.hasOwn(colours, label) ? colours[label] : undefined;

/** The readable part of stored colours. */
function coloursIn(remembered: unknown): Colours {
  if (!remembered || typeof remembered !== 'object') return {};
  const isColour = (value: unknown): value is HexColour => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value);
  return Object.fromEntries(
    Object.entries(remembered).filter((pair): pair is [string, HexColour] => isColour(pair[1])),
  );
}
