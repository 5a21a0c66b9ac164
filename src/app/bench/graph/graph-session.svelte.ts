import { tick } from 'svelte';
import type { FoldNode, GraphClient, GraphView, PlacedNode } from '../../../../workers/model-graph/client.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';

/** The view of one model's graph: which parts are unfolded, and which node is selected. */
export class GraphSession {
  readonly fileName: string;
  readonly viewport = new StageViewport();
  readonly #client: GraphClient;
  /** null: the model is being read for the first time */
  view = $state.raw<GraphView | null>(null);
  fault: string = $state.raw('');
  busy: boolean = $state.raw(false);
  /** the folds opened by each step */
  #steps = $state.raw<readonly (readonly number[])[]>([]);
  #nodeId = $state.raw('');
  /** The output whose ancestors are highlighted; '': none. */
  outputId: string = $state.raw('');

  constructor(fileName: string, client: GraphClient) {
    this.fileName = fileName;
    this.#client = client;
    void this.#show([]);
  }
  get isUnfolded(): boolean {
    return this.#steps.length > 0;
  }
  /** The node whose details are shown; null: none is selected. */
  readonly node: PlacedNode | null = $derived.by(() => this.view?.nodes.find(({ id }) => id === this.#nodeId) ?? null);

  chooseNode(id: string): void {
    this.#nodeId = id;
  }

  chooseOutput(id: string): void {
    this.outputId = id;
  }

  /** Whether a node is drawn at full strength: all are while no output is selected. */
  matters({ leadsTo }: Pick<PlacedNode, 'leadsTo'>): boolean {
    return this.outputId === '' || leadsTo.includes(this.outputId);
  }

  /** Shows the next operators of a fold; its rest stays selected. */
  async unfold({ next }: FoldNode): Promise<void> {
    if (next.length > 0) await this.#show([...this.#steps, next]);
  }

  /** Undoes the last unfolding. */
  async foldAgain(): Promise<void> {
    await this.#show(this.#steps.slice(0, -1));
  }

  close(): void {
    this.#client.end();
  }

  async #show(steps: readonly (readonly number[])[]): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.fault = '';
    try {
      const view = await this.#client.show(steps.flat());
      this.#steps = steps;
      const anchor = this.node;
      this.#take(view);
      await tick();
      this.#keepInPlace(anchor);
    } catch (error) {
      this.fault = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }

  #take(view: GraphView): void {
    this.view = view;
    this.viewport.frameWidthPx = view.widthPx;
    this.viewport.frameHeightPx = view.heightPx;
    if (view.nodes.some(({ id }) => id === this.#nodeId)) return;
    this.#nodeId = (view.nodes.findLast(({ kind }) => kind === 'output') ?? view.nodes[0])?.id ?? '';
  }

  /** Keeps the selected node at its position on the screen while the rest is laid out again. */
  #keepInPlace(before: PlacedNode | null): void {
    const { node, viewport } = this;
    if (!before || !node || viewport.fitted) return;
    viewport.panBy((before.x - node.x) * viewport.scale, (before.y - node.y) * viewport.scale);
  }
}
