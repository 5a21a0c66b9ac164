import { machineHsv, parseHexColor } from '../../../../machine/vision/face/colors.ts';
import type { BlobMark, Inseparable, Separation } from '../../../../machine/vision/face/color-search.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import type { ColorBench } from './color-bench.ts';
import type { ColorState } from './color-state.svelte.ts';

type Box = BlobMark['box'];

/** A box on the picture: found now, or marked before. */
export interface MarkableBox {
  readonly box: Box;
  /** undefined: not marked */
  readonly isWanted: boolean | undefined;
}

/** More boxes would cover each other on the stage. The largest come first. */
const mostBoxes = 100;

/** Boxes that are marked as wanted or not, on the picture of the stage, and the search for values that separate them. */
export class BlobMarks {
  readonly #bench: ColorBench;
  readonly #color: ColorState;
  #marks = $state.raw<{ readonly frame: string; readonly list: readonly BlobMark[] }>({ frame: '', list: [] });
  /** the result of the last search, in words; '': none yet */
  outcome = $state.raw('');
  hasFailed = $state.raw(false);
  isSearching = $state.raw(false);

  constructor(bench: ColorBench, color: ColorState) {
    this.#bench = bench;
    this.#color = color;
  }

  /** Identifies the picture on the stage: marks belong to one picture. */
  get #frame(): string {
    const { listed } = this.#bench.session;
    const { detections, frame } = listed ?? {};
    return frame
      ? `${frame.name} ${frame.index} ${detections?.frameWidthPx ?? 0}×${detections?.frameHeightPx ?? 0}`
      : '';
  }

  /** The marks of the picture on the stage. */
  readonly marks: readonly BlobMark[] = $derived.by(() => (this.#marks.frame === this.#frame ? this.#marks.list : []));

  readonly boxes: readonly MarkableBox[] = $derived.by(() => {
    const { count = 0, box = [] } = this.#bench.session.listed?.detections ?? {};
    const found = Array.from({ length: Math.min(mostBoxes, count) }, (_, row) =>
      [0, 1, 2, 3].map((side) => Math.round(box[4 * row + side]!)),
    ) as unknown as readonly Box[];
    const gone = this.marks.filter((mark) => !found.some((one) => isSame(one, mark.box))).map(({ box: at }) => at);
    return [...found, ...gone].map((at) => ({ box: at, isWanted: this.#markOf(at)?.isWanted }));
  });

  get wantedCount(): number {
    return this.marks.filter(({ isWanted }) => isWanted).length;
  }

  get unwantedCount(): number {
    return this.marks.length - this.wantedCount;
  }

  /** Why the search cannot start; '': it can. */
  readonly whyNot: string = $derived.by(() => {
    if (!this.#color.rule) return 'The machine cannot build it.';
    return this.wantedCount === 0 || this.unwantedCount === 0 ? 'Mark at least one yes and one no.' : '';
  });

  /** Changes the mark of a box: from none to yes, to no, and back to none. */
  mark(box: Box): void {
    const { rule } = this.#color;
    const before = this.#markOf(box);
    if (!rule && !before) return;
    const others = this.marks.filter((mark) => mark !== before);
    const isWanted = before === undefined;
    const next = before?.isWanted === false ? [] : [{ box, isWanted, rule: before?.rule ?? { ...rule! } }];
    this.#keep([...others, ...next]);
  }

  clear(): void {
    this.#keep([]);
  }

  #keep(list: readonly BlobMark[]): void {
    this.#marks = { frame: this.#frame, list };
    this.outcome = '';
  }

  #markOf(box: Box): BlobMark | undefined {
    return this.marks.find((mark) => isSame(mark.box, box));
  }

  /** Finds the values that separate the marked boxes, and writes them as one undo step. */
  async separate(): Promise<void> {
    const { rule, attributes } = this.#color;
    const color = parseHexColor(attributes.detect_color);
    if (this.whyNot || this.isSearching || !rule || !color) return;
    const { saturation, value } = machineHsv(color.red, color.green, color.blue);
    const { marks } = this;
    this.isSearching = true;
    this.#say('', false);
    try {
      const wish = { rule: { ...rule }, marks, most: { saturation: saturation / 255, value: value / 255 } };
      const found = await this.#bench.vision.separateBlobs(wish);
      const isLate = marks !== this.marks || !isSameRule(rule, this.#color.rule);
      if (isLate || !found) this.#say('The picture or the values changed meanwhile. Search again.', true);
      else if ('reason' in found) this.#say(wordsOf(found), true);
      else this.#take(found, rule);
    } catch (error) {
      this.#say(`The search failed: ${errorMessage(error)}`, true);
    } finally {
      this.isSearching = false;
    }
  }

  #take(found: Separation, before: Separation): void {
    const { tolerance, saturationCutoff, valueCutoff } = found;
    this.#color.set({
      hue_tolerance_pct: tolerance,
      ...(saturationCutoff !== before.saturationCutoff && { saturation_cutoff_pct: saturationCutoff }),
      ...(valueCutoff !== before.valueCutoff && { value_cutoff_pct: valueCutoff }),
    });
    const kept = `keeps each yes (${this.wantedCount}) and drops each no (${this.unwantedCount})`;
    this.#say(`Tolerance ${tolerance.toFixed(2)}${cutoffWords(found, before)} ${kept}.`, false);
  }

  #say(outcome: string, hasFailed: boolean): void {
    this.outcome = outcome;
    this.hasFailed = hasFailed;
  }
}

function cutoffWords(found: Separation, before: Separation): string {
  const raised = [
    ...(found.saturationCutoff === before.saturationCutoff ? [] : [`saturation ${found.saturationCutoff.toFixed(2)}`]),
    ...(found.valueCutoff === before.valueCutoff ? [] : [`value ${found.valueCutoff.toFixed(2)}`]),
  ];
  return raised.length > 0 ? ` with ${raised.join(' and ')}` : '';
}

function wordsOf({ reason, box }: Inseparable): string {
  const which = `the box at ${box[0]}, ${box[1]}`;
  return reason === 'passes'
    ? `No tolerance separates them: wherever each yes is found, ${which} is too. Pick the colour again, or tell them apart by area.`
    : `No tolerance separates them: ${which}, a yes, is never found by itself. Pick the colour again, or mark fewer.`;
}

function isSame(one: Box, other: Box): boolean {
  return one.every((side, at) => side === other[at]);
}

function isSameRule(one: object, other: object | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
