import { counted } from '../../../kit/words/figures.ts';
import type { FrameSize } from '../../../../machine/vision/face/frames.ts';
import { changesTo } from './annotated-box.ts';
import type { BoxClipboard, CopiedBoxes } from './box-clipboard.ts';
import { besideThose, copiesFor, isAmong, isUnderAPixel } from './box-edits.ts';
import type { BoxesState } from './boxes-state.svelte.ts';

export interface CopiesPorts {
  readonly clipboard: BoxClipboard;
  readonly boxes: () => BoxesState;
  /** size of the shown image */
  readonly size: () => FrameSize;
  /** Goes to the next image; null at the last one. */
  readonly next: () => (() => void) | null;
  /** while a person draws, the last box is selected without being asked for */
  readonly isDrawing: () => boolean;
  readonly say: (sentence: string) => void;
}

/** Boxes to be added to the next image, `to`, once it is open. */
interface SentAhead extends CopiedBoxes {
  readonly from: BoxesState;
  to: BoxesState | null;
}

/** Copies boxes from image to image: by copy and paste, or directly to the next image. */
export class CopiesState {
  readonly #ports: CopiesPorts;
  #sentAhead: SentAhead | null = null;
  /** Number of boxes that a paste would add. */
  count: number = $state(0);
  #note = $state.raw<{ readonly words: string; readonly on: BoxesState } | null>(null);

  constructor(ports: CopiesPorts) {
    this.#ports = ports;
    this.count = ports.clipboard.read()?.boxes.length ?? 0;
  }
  get hasNext(): boolean {
    return this.#ports.next() !== null;
  }
  /** A remark about the last paste on this image; '' if there is nothing unusual. */
  get note(): string {
    return this.#note?.on === this.#ports.boxes() ? this.#note.words : '';
  }

  dismissNote(): void {
    this.#note = null;
  }

  /** Copies the selected boxes; while drawing, or without a selection, all boxes but predictions. */
  copy(): void {
    const copied = this.#chosen();
    this.dismissNote();
    if (copied.boxes.length === 0) return this.#ports.say('There are no boxes to copy.');
    this.#ports.clipboard.write(copied);
    this.count = copied.boxes.length;
    this.#ports.say(`${counted(copied.boxes.length, 'box')} copied.`);
  }

  /** Adds the copied boxes at the same fractions of the image, beside equal ones, and selects them. */
  paste(): void {
    const copied = this.#ports.clipboard.read();
    this.count = copied?.boxes.length ?? 0;
    this.dismissNote();
    if (!copied) return this.#tell('Nothing is copied yet: copy boxes first.');
    this.#add('Paste', copied, this.#ports.boxes(), this.#ports.size());
  }

  /**
   * Goes to the next image and copies the selected boxes there (or all but predictions); boxes that it has already
   * stay unchanged.
   */
  propagate(): void {
    const next = this.#ports.next();
    const chosen = this.#chosen();
    this.dismissNote();
    if (chosen.boxes.length === 0) return this.#ports.say('There are no boxes to copy to the next image.');
    if (!next) return this.#tell('This is the last image.');
    if (this.#sentAhead) return;
    this.#sentAhead = { ...chosen, from: this.#ports.boxes(), to: null };
    next();
  }

  /** Adds the boxes that were copied to this image. `isReady`: its boxes and its size are known. */
  arrive(isReady: boolean): void {
    const sent = this.#sentAhead;
    const shown = this.#ports.boxes();
    if (!sent || (sent.to === null && shown === sent.from)) return;
    sent.to ??= shown;
    const isPassed = sent.to !== shown;
    if (!isReady && !isPassed) return;
    this.#sentAhead = null;
    const news = sent.boxes.filter((box) => !isAmong(box, sent.to!.boxes));
    const size = isPassed ? sent.size : this.#ports.size();
    if (news.length > 0) this.#add('Copy from the previous image', { ...sent, boxes: news }, sent.to, size);
    else this.#tell(`${counted(sent.boxes.length, 'box')} ${sent.boxes.length === 1 ? 'is' : 'are'} here already.`);
  }

  #chosen(): CopiedBoxes {
    const { selection, boxes } = this.#ports.boxes();
    const isChosen = selection.length > 0 && !this.#ports.isDrawing();
    const chosen = isChosen ? selection : boxes.filter(({ predicted }) => !predicted);
    return { boxes: chosen, size: this.#ports.size() };
  }

  #add(does: string, { boxes, size: before }: CopiedBoxes, to: BoxesState, size: FrameSize): void {
    const copies = besideThose(
      copiesFor(boxes, size, () => crypto.randomUUID()),
      to.boxes,
      size,
    );
    to.edit(`${does}: ${counted(copies.length, 'box')}`, changesTo(copies));
    to.select(copies.map(({ key }) => key));
    const thin = boxes.filter((box) => isUnderAPixel(box, size)).length;
    const added = `${counted(copies.length, 'box')} added`;
    if (isSameSize(size, before)) this.#ports.say(`${added}.`);
    else {
      const widened = thin > 0 ? ` ${thin} would be thinner than a pixel here, and got one pixel.` : '';
      this.#tell(
        `${added} at the same relative positions: they come from an image of ${sizeText(before)}, this one has ${sizeText(size)}.${widened}`,
      );
    }
  }

  #tell(sentence: string): void {
    this.#note = { words: sentence, on: this.#ports.boxes() };
    this.#ports.say(sentence);
  }
}

const isSameSize = (a: FrameSize, b: FrameSize): boolean => a.widthPx === b.widthPx && a.heightPx === b.heightPx;

const sizeText = ({ widthPx, heightPx }: FrameSize): string => `${widthPx} × ${heightPx} pixels`;
