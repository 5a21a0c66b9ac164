import type { GraphView } from '../../src/model-graph/graph-view.ts';
import { layOutGraph } from '../../src/model-graph/lay-out-graph.ts';
import { showGraph } from '../../src/model-graph/show-graph.ts';
import { readModelGraph } from '../../src/models/read-model-graph.ts';
import type { ModelGraph } from '../../src/vision/inference/model-graph.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import type { GraphSource } from './protocol.ts';

export type GraphApi = ReturnType<typeof createGraphApi>;

/** Reads one model's graph, and lays out the parts of it that are asked for. */
export function createGraphApi(access: Omit<ModelSourceAccess, 'documentBase'>) {
  let graph: ModelGraph | null = null;
  return {
    /** @throws ModelSourceError, ModelError */
    async read({ fileName, source }: GraphSource, documentBase: string): Promise<void> {
      const { signal } = new AbortController();
      const { bytes } = await readModelSource(source, { ...access, documentBase }, () => undefined, signal);
      graph = readModelGraph(bytes, fileName);
    },
    /** The head and what is unfolded of the rest, by the numbers that folds name. Only after `read`. */
    async show(unfolded: readonly number[]): Promise<GraphView> {
      return layOutGraph(showGraph(graph!, unfolded));
    },
  };
}
