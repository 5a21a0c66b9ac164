import { shareInterval } from '../../evidence/evaluation/face/intervals.ts';
import { QueryError } from '../ports/query-runner.ts';
import { Turns } from '../../base/schedule/turns.ts';
import { rowsByLabel, type DrawnBoxes, type LabelNumbers } from './drawn-boxes.ts';
import { matchInTurns, type RowsOfLabel } from './match-in-turns.ts';

/** How far the boxes of two people are the same. */
export interface Agreement {
  /** '' of all labels together */
  readonly label: string;
  /** images on which one of them has drawn the label */
  readonly images: number;
  readonly boxesA: number;
  readonly boxesB: number;
  readonly matched: number;
  /** matched boxes of both, as a share of all boxes of both: 1 where they drew the same */
  readonly f1: number;
  /** lower and upper end of the 95 % confidence interval of `f1`, over images */
  readonly low: number;
  readonly high: number;
  /** so few images that another image could change it much */
  readonly isFew: boolean;
}

/** How much is left of what one call may take: it works on the thread that serves. */
export class AgreementBudget {
  /** pairs of boxes whose overlap is computed: about a second */
  #pairs = 200_000_000;
  /** boxes that are read: those of one person are held */
  #boxes = 3_000_000;

  /** @throws QueryError `resource-exhausted` */
  takeBoxes(count: number): void {
    this.#boxes -= count;
    if (this.#boxes < 0) throw tooMuch('boxes');
  }

  /** @throws QueryError `resource-exhausted` */
  takePairs(count: number): void {
    this.#pairs -= count;
    if (this.#pairs < 0) throw tooMuch('pairs of boxes that lie near each other');
  }
}

const fewImages = 10;
const mostLabels = 10_000;
/** Units of work for each label of an image, beside its pairs. */
const unitsOfLabel = 400;
/** Units of work for the interval of a label, and for each of its images. */
const unitsOfInterval = 2000;
const unitsOfImage = 20;

/**
 * Measures how far two people draw the same boxes (inter-annotator agreement): those of a label are matched image by image, each with at
 * most one of the other person, where they overlap enough. The interval of F1 follows from how much the images differ.
 */
export class AgreementMeasure {
  readonly #iou: number;
  readonly #numbers: LabelNumbers;
  readonly #turns: Turns;
  readonly #budget: AgreementBudget;
  readonly #labels = new Map<number, Figures>();
  readonly #all = new Figures();

  /**
   * @param iou smallest intersection over union at which two boxes match, in (0, 1]
   * @param numbers of the labels of all boxes
   * @param turns of the work
   * @param budget for several measurements together
   */
  constructor(iou: number, numbers: LabelNumbers, turns = new Turns(), budget = new AgreementBudget()) {
    this.#iou = iou;
    this.#numbers = numbers;
    this.#turns = turns;
    this.#budget = budget;
  }

  /**
   * Adds what both have drawn on an image.
   * @throws QueryError `resource-exhausted` where the budget is used up
   */
  async add(a: DrawnBoxes, b: DrawnBoxes): Promise<void> {
    const [ofA, ofB] = [rowsByLabel(a), rowsByLabel(b)];
    let matched = 0;
    for (const label of new Set([...ofA.keys(), ...ofB.keys()])) {
      const [rowsA, rowsB] = [ofA.get(label) ?? [], ofB.get(label) ?? []];
      const found = await this.#match({ ...a, rows: rowsA }, { ...b, rows: rowsB });
      matched += found;
      this.#figuresOf(label).add(rowsA.length, rowsB.length, found);
      if (this.#turns.spend(unitsOfLabel)) await this.#turns.next();
    }
    this.#all.add(a.labels.length, b.labels.length, matched);
  }

  /** A figure for each label that one of them drew, by name; and one of all labels together, null where there is no box. */
  async result(): Promise<{ readonly labels: readonly Agreement[]; readonly overall: Agreement | null }> {
    const byName = new Map([...this.#labels].map(([label, figures]) => [this.#numbers.names[label]!, figures]));
    const labels: Agreement[] = [];
    for (const name of [...byName.keys()].toSorted()) {
      const figures = byName.get(name)!;
      const agreement = figures.agreement(name);
      if (agreement !== null) labels.push(agreement);
      if (this.#turns.spend(unitsOfInterval + unitsOfImage * figures.images)) await this.#turns.next();
    }
    return { labels, overall: this.#all.agreement('') };
  }

  #match(a: RowsOfLabel, b: RowsOfLabel): number | Promise<number> {
    if (a.rows.length === 0 || b.rows.length === 0) return 0;
    return matchInTurns(a, b, this.#iou, async (pairs) => {
      this.#budget.takePairs(pairs);
      if (this.#turns.spend(pairs)) await this.#turns.next();
    });
  }

  #figuresOf(label: number): Figures {
    let found = this.#labels.get(label);
    if (found === undefined) {
      if (this.#labels.size >= mostLabels) throw tooMuch('labels');
      this.#labels.set(label, (found = new Figures()));
    }
    return found;
  }
}

const tooMuch = (of: string): QueryError =>
  new QueryError(
    'resource-exhausted',
    `These people have drawn more ${of} than are compared at once; give a dataset_id, so that fewer tasks are measured.`,
  );

/** Boxes of each image that has some. */
class Figures {
  readonly #matchedOfBoth: number[] = [];
  readonly #ofBoth: number[] = [];
  #a = 0;
  #b = 0;
  #matched = 0;

  add(a: number, b: number, matched: number): void {
    if (a + b === 0) return;
    this.#ofBoth.push(a + b);
    this.#matchedOfBoth.push(2 * matched);
    this.#a += a;
    this.#b += b;
    this.#matched += matched;
  }

  /** that have a box */
  get images(): number {
    return this.#ofBoth.length;
  }

  /** null: there is no box */
  agreement(label: string): Agreement | null {
    const f1 = shareInterval(this.#matchedOfBoth, this.#ofBoth);
    if (f1 === null) return null;
    const { images } = this;
    return {
      label,
      images,
      boxesA: this.#a,
      boxesB: this.#b,
      matched: this.#matched,
      f1: f1.value,
      low: f1.low,
      high: f1.high,
      isFew: images < fewImages,
    };
  }
}
