import type { ConnectError } from '@connectrpc/connect';
import type { BinaryEdit } from '../ports/binary-store.ts';
import { datasetIdsOf } from '../ports/capture-filter.ts';
import type { Acceptance, BinaryRecord } from '../ports/stored-captures.ts';
import { failedPrecondition } from '../wire/invalid-argument.ts';

// An accepted image is locked: nobody changes its boxes and tags until it is reopened. This is checked within the transaction of an edit, so
// that nobody can accept the image between the check and the write. The datasets of an image, which are stored as tags, can still change.

/** Why an image that was accepted is not edited. */
export const acceptedImage = ({ by, time }: Acceptance, which = 'This image'): ConnectError =>
  failedPrecondition(
    `${which} was accepted by ${by === '' ? 'somebody' : by} on ${new Date(time / 1000).toISOString().slice(0, 10)}; reopen it first.`,
  );

/**
 * The same edit, but for images that were accepted.
 * @throws ConnectError FailedPrecondition from within the edit
 */
export const unlessAccepted =
  (edit: BinaryEdit): BinaryEdit =>
  (record, own) => {
    const after = edit(record, own);
    if (record.accepted !== undefined && changesLabels(record, after))
      throw acceptedImage(record.accepted, `Binary data ${record.id}`);
    return after;
  };

/** An edit of many images that leaves those that were accepted as they are, and remembers which they are. */
export class EditSkippingAccepted {
  readonly #skipped = new Map<string, Acceptance>();

  /** The same edit, but for images that were accepted. */
  of(edit: BinaryEdit): BinaryEdit {
    return (record, own) => {
      const after = edit(record, own);
      this.#skipped.delete(record.id); // a store may call an edit more than once
      if (record.accepted === undefined || !changesLabels(record, after)) return after;
      this.#skipped.set(record.id, record.accepted);
      return record;
    };
  }

  /** @throws ConnectError FailedPrecondition where some were left as they are */
  requireNoneSkipped(): void {
    const [first] = this.#skipped;
    if (first === undefined) return;
    const [id, { by }] = first;
    throw failedPrecondition(
      `${this.#skipped.size} of the images were accepted and stay as they are, ${id} by ${by === '' ? 'somebody' : by} among them: reopen them first. All others are changed.`,
    );
  }
}

function changesLabels(before: BinaryRecord, after: BinaryRecord): boolean {
  return before.boundingBoxes !== after.boundingBoxes || labelTags(before).join('\n') !== labelTags(after).join('\n');
}

const labelTags = ({ tags }: BinaryRecord): readonly string[] => tags.filter((tag) => datasetIdsOf([tag]).length === 0);
