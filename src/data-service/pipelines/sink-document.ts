import { serialize } from 'bson';
import type { Micros } from '../ports/stored-captures.ts';
import type { PipelineRun } from '../ports/pipeline-store.ts';

/** A row of a run's answer with `_viam_pipeline_run` beside its fields, their types untouched. */
export function sinkDocument(row: Uint8Array, run: Pick<PipelineRun, 'id' | 'window' | 'organizationId'>): Uint8Array {
  const mark = serialize({
    _viam_pipeline_run: {
      id: run.id,
      interval: { start: toDate(run.window.start), end: toDate(run.window.end) },
      organization_id: run.organizationId,
    },
  });
  // a BSON document is its length in four bytes, its fields, and a zero byte
  const document = new Uint8Array(row.length + mark.length - 5);
  document.set(row.subarray(0, -1));
  document.set(mark.subarray(4), row.length - 1);
  new DataView(document.buffer).setInt32(0, document.length, true);
  return document;
}

const toDate = (time: Micros): Date => new Date(time / 1000);
