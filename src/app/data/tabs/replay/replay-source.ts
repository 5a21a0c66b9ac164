import { listRecordings, readResults, type Recording } from '../../../../remote/links/replay-link.ts';
import type { ResultColumns } from '../../../../evidence/replay/result-columns.ts';
import type { TimeSpan } from '../../../../evidence/replay/time-span.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { ReplayChoice } from './replay-query.ts';

export type { Recording };

/** Some of the stored results, in the order of time. */
export interface ResultPiece {
  readonly columns: ResultColumns;
  /** how much of the span is read with this piece, 0..1 */
  readonly progress: number;
}

/** Where stored results come from. */
export interface ReplaySource {
  /** What vision services captured. */
  list(signal: AbortSignal): Promise<readonly Recording[]>;
  read(choice: ReplayChoice, span: TimeSpan, signal: AbortSignal): AsyncIterable<ResultPiece>;
}

/** The data service that is shown. */
export function replaySource({ transport, home }: Pick<DataContext, 'transport' | 'home'>): ReplaySource {
  const { organizationId } = home;
  return {
    list: (signal) => listRecordings(transport, organizationId, signal),
    read: ({ partId, serviceName, kind }, span, signal) =>
      readResults(transport, { organizationId, partId, serviceName, kind, ...span }, signal),
  };
}
