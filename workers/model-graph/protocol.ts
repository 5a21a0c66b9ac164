import type { ModelSource } from '../../src/platform/ports/model-source.ts';

export type * from '../../src/models/model-graph/graph-view.ts';
export type { OperatorKind } from '../../src/models/model-graph/operator-kind.ts';

/** The data that the page and the model-graph worker exchange; all of it survives structured cloning. */

export interface GraphSource {
  readonly fileName: string;
  readonly source: ModelSource;
}
