import { getContext, setContext, untrack } from 'svelte';
import { onceEach } from '../thresholds/label-lists.ts';
import { recall, remember, type MemoryPort } from '../view/remembered.ts';
import type { HexColour } from './colour-distance.ts';
import { PALETTE, spreadColours } from './spread-colours.ts';

const MEMORY_KEY = 'label-colours';
/** So many that were moved aside are remembered; the ones that were moved first are forgotten first. */
const MOST_MOVED = 500;

type Colours = Readonly<Record<string, HexColour>>;

/**
 * The colour of each label, the same wherever its boxes are drawn and on every visit: the one that someone chose, else
 * the one that it was given beside others on screen, else one by its name. Labels are compared without regard to case.
 */
export class LabelColours {
  readonly #memory: MemoryPort;
  #chosen = $state.raw<Colours>({});
  #moved = $state.raw<Colours>({});

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY);
    if (!before || typeof before !== 'object') return;
    this.#chosen = coloursIn(Reflect.get(before, 'chosen'));
    this.#moved = coloursIn(Reflect.get(before, 'moved'));
  }

  of(label: string): HexColour {
    const key = label.toLowerCase();
    return own(this.#chosen, key) ?? own(this.#moved, key) ?? byName(key);
  }

  isChosen(label: string): boolean {
    return own(this.#chosen, label.toLowerCase()) !== undefined;
  }

  readonly hasChosen: boolean = $derived.by(() => Object.keys(this.#chosen).length > 0);

  choose(label: string, colour: HexColour): void {
    this.#keep({ ...this.#chosen, [label.toLowerCase()]: colour.toLowerCase() }, this.#moved);
  }

  /** Takes all choices back. */
  forgetChoices(): void {
    this.#keep({}, this.#moved);
  }

  /**
   * Tells labels on screen apart: those that look alike get other colours, and keep them. To be called from an effect
   * whenever the labels change; it reads no state that would call it again.
   */
  tellApart(labels: Iterable<string>): void {
    untrack(() => {
      const onScreen = onceEach(Array.from(labels, (label) => label.toLowerCase()));
      // What was moved aside once stays where it is if it can: it comes first.
      const settledFirst = onScreen.toSorted(
        (a, b) => Number(own(this.#moved, b) !== undefined) - Number(own(this.#moved, a) !== undefined),
      );
      const moved = spreadColours(settledFirst, {
        colourOf: (label) => this.of(label),
        isFree: (label) => !this.isChosen(label),
      });
      if (moved.size === 0) return;
      const others = Object.entries(this.#moved).filter(([label]) => !moved.has(label));
      this.#keep(this.#chosen, Object.fromEntries([...others, ...moved].slice(-MOST_MOVED)));
    });
  }

  #keep(chosen: Colours, moved: Colours): void {
    this.#chosen = chosen;
    this.#moved = moved;
    remember(this.#memory, MEMORY_KEY, { chosen, moved });
  }
}

/** Under what name components find the colours of the page. */
export const LABEL_COLOURS = 'label-colours';
export const provideLabelColours = (colours: LabelColours): LabelColours => setContext(LABEL_COLOURS, colours);
/** The colours of the page, for every component that draws a label: to be asked while it is made. */
export const labelColours = (): LabelColours => getContext(LABEL_COLOURS);

function byName(label: string): HexColour {
  let hash = 2166136261; // FNV-1a, 32 bits
  for (const character of label) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return PALETTE[(hash >>> 0) % PALETTE.length]!;
}

const own = (colours: Colours, label: string): HexColour | undefined =>
  Object.hasOwn(colours, label) ? colours[label] : undefined;

/** What of remembered colours can still be read. */
function coloursIn(remembered: unknown): Colours {
  if (!remembered || typeof remembered !== 'object') return {};
  const isColour = (value: unknown): value is HexColour => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value);
  return Object.fromEntries(
    Object.entries(remembered).filter((pair): pair is [string, HexColour] => isColour(pair[1])),
  );
}
