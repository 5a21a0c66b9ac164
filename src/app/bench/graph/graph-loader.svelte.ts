import type { GraphClient, GraphSource } from '../../../../workers/model-graph/client.ts';
import type { GraphSession } from './graph-session.svelte.ts';

/** Reads a model's graph in a worker, whose code is loaded with the first graph. */
export type OpenGraph = (source: GraphSource) => Promise<GraphClient>;

/** The graph of a model, while its dialog is open. */
export class GraphLoader {
  readonly #open: OpenGraph;
  session = $state.raw<GraphSession | null>(null);

  constructor(open: OpenGraph) {
    this.#open = open;
  }

  async open(source: GraphSource): Promise<void> {
    const { GraphSession } = await import('./graph-session.svelte.ts');
    const client = await this.#open(source);
    this.close();
    this.session = new GraphSession(source.fileName, client);
  }

  close(): void {
    this.session?.close();
    this.session = null;
  }
}
