import type { GraphView } from '../../src/models/model-graph/graph-view.ts';
import { layOutGraph } from '../../src/models/model-graph/lay-out-graph.ts';
import { showGraph } from '../../src/models/model-graph/show-graph.ts';
import { readModelGraph } from '../../src/models/read-model-graph.ts';
import type { ModelGraph } from '../../src/machine/vision/face/inference.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import type { GraphSource } from './protocol.ts';

export type GraphApi = ReturnType<typeof createGraphApi>;

/** Reads one model's graph and computes the layout of the parts that are shown. */
export function createGraphApi(access: Omit<ModelSourceAccess, 'documentBase'>) {
  let graph: ModelGraph | null = null;
  return {
    /** @throws ModelSourceError, ModelError */
    async read({ fileName, source }: GraphSource, documentBase: string): Promise<void> {
      const { signal } = new AbortController();
      const { bytes } = await readModelSource(source, { ...access, documentBase }, () => undefined, signal);
      graph = readModelGraph(bytes, fileName);
    },
    /** Lays out the head and the unfolded parts, by the numbers that folds carry. Call `read` first. */
    async show(unfolded: readonly number[]): Promise<GraphView> {
      return layOutGraph(showGraph(graph!, unfolded));
    },
  };
}
