import type { ResultColumns } from '../../evidence/replay/result-columns.ts';
import { everyFileOf, type BinaryFilter } from './capture-filter.ts';
import type { CaptureOrigin, Interval } from './stored-captures.ts';

/**
 * The method by which a machine captures a vision service: a picture with everything that the service says of it. There
 * is no other: of a vision service the machine's data manager keeps no readings.
 */
export const recordedMethod = 'CaptureAllFromCamera';

/** Boxes, or what was said of whole frames. */
export type ResultKind = 'detections' | 'classifications';

/** The recorded frames of one vision service. */
export interface ResultFilter extends Pick<CaptureOrigin, 'organizationId' | 'partId'> {
  /** empty: all */
  readonly locationIds: readonly string[];
  readonly serviceName: string;
  /** on the time requested */
  readonly interval: Interval;
}

/** Where recorded frames came from. */
export type RecordedOrigin = Pick<
  CaptureOrigin,
  'organizationId' | 'locationId' | 'robotName' | 'partId' | 'partName' | 'componentName'
>;

/** What recorded vision services said, in columns: stores read these without making a record of each frame. */
export interface ResultStore {
  /** Each origin of an organization's recorded frames at least once; of some all frames may be deleted by now. */
  origins(organizationId: string): Promise<readonly RecordedOrigin[]>;

  /**
   * The results of all frames that match, in the order of the time requested, piece by piece: no piece is empty, and the
   * next one is read when it is asked for. Results without a confidence are left out, since a person gave them. A frame
   * is in one piece, once, as it was at one moment after the call began; other pieces may be of another moment.
   * @throws the signal's reason, between pieces
   */
  scan(filter: ResultFilter, kind: ResultKind, signal: AbortSignal): AsyncIterable<ResultColumns>;
}

/**
 * The frames that a filter of results takes, as a filter of files.
 * @param filter which frames of which service
 * @returns a filter that takes them alone, without internal data
 * @example
 * const filter = { organizationId: 'a', locationIds: [], partId: 'p', serviceName: 'watch', interval: { start: 0, end: 1 } };
 * recordedFrames(filter).methodName; // => 'CaptureAllFromCamera'
 */
export const recordedFrames = ({ serviceName, ...rest }: ResultFilter): BinaryFilter => ({
  ...everyFileOf(rest.organizationId),
  ...rest,
  componentName: serviceName,
  methodName: recordedMethod,
  includeInternal: false,
});
