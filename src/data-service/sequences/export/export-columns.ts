import type { Sequence } from '../../ports/sequence-store.ts';
import type { BinaryRecord, Micros, TabularRow } from '../../ports/stored-captures.ts';
import { safeExtension } from '../../wire/file-names.ts';
import {
  doubleElement,
  listElements,
  structElements,
  textElement,
  timeElement,
  type Column,
} from '../../../base/row-files/parquet-file.ts';

// The columns of the three files, as the API's public documentation of sequence datasets describes them.

interface Captured {
  readonly sequenceId: string;
}
export interface ImageRow extends Captured {
  readonly capture: BinaryRecord;
}
export interface ReadingRow extends Captured {
  readonly capture: TabularRow;
}

const text = <Row>(name: string, valueOf: (row: Row) => string): Column<Row> => ({
  elements: [textElement(name)],
  valueOf,
});
const time = <Row>(name: string, valueOf: (row: Row) => Micros): Column<Row> => ({
  elements: [timeElement(name)],
  valueOf: (row) => BigInt(valueOf(row)),
});

const originColumns = <Row extends ImageRow | ReadingRow>(): Column<Row>[] => [
  text('sequence_id', ({ sequenceId }) => sequenceId),
  time('timestamp', ({ capture }) => capture.timeRequested),
  text('part_id', ({ capture }) => capture.partId),
  text('component_name', ({ capture }) => capture.componentName),
  text('method_name', ({ capture }) => capture.methodName),
];

const labelled = [textElement('label'), doubleElement('confidence', 'OPTIONAL')];
const corners = ['x_min', 'y_min', 'x_max', 'y_max'].map((name) => doubleElement(name, 'REQUIRED'));

export const imageColumns: readonly Column<ImageRow>[] = [
  ...originColumns<ImageRow>(),
  // The zip has no images: a client fetches them by their ids into a folder `binary_data` beside it.
  text('path', ({ capture }) => `binary_data/${capture.id}${safeExtension(capture.fileExtension)}`),
  {
    elements: listElements('classifications', structElements(labelled)),
    valueOf: ({ capture }) => capture.classifications.map(({ label, confidence }) => ({ label, confidence })),
    sizeOf: ({ capture }) => capture.classifications.length * 32,
  },
  {
    elements: listElements('bounding_boxes', structElements([...labelled, ...corners])),
    valueOf: ({ capture }) =>
      capture.boundingBoxes.map((box) => ({
        label: box.label,
        confidence: box.confidence,
        x_min: box.xMinNormalized,
        y_min: box.yMinNormalized,
        x_max: box.xMaxNormalized,
        y_max: box.yMaxNormalized,
      })),
    sizeOf: ({ capture }) => capture.boundingBoxes.length * 64,
  },
];

export const readingColumns: readonly Column<ReadingRow>[] = [
  ...originColumns<ReadingRow>(),
  {
    // JSON has no NaN and no infinities: they become null
    ...text<ReadingRow>('payload', ({ capture }) => JSON.stringify(capture.payload)),
    sizeOf: ({ capture }) => capture.sizeBytes,
    statistics: false, // a minimum and a maximum of such texts, up to 4 MB each, do not help a reader to skip rows
  },
];

export const sequenceColumns: readonly Column<Sequence>[] = [
  text('sequence_id', ({ id }) => id),
  { elements: listElements('tags', [textElement('element')]), valueOf: ({ tags }) => tags },
  time('start_at', ({ start }) => start),
  time('end_at', ({ end }) => end),
];
