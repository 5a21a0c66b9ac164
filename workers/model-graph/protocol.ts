import type { ModelSource } from '../../src/ports/model-source.ts';

export type * from '../../src/model-graph/graph-view.ts';
export type { OperatorKind } from '../../src/model-graph/operator-kind.ts';

/** What crosses between the page and the worker that shows graphs. Everything here survives structured cloning. */

export interface GraphSource {
  readonly fileName: string;
  readonly source: ModelSource;
}
