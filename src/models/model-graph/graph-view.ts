import type { OperatorKind } from './operator-kind.ts';

/** A model's graph as it is shown, laid out. Survives structured cloning. */
export interface GraphView {
  /** from the inputs down, and from left to right */
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** number of operators of the whole model, those that lead to no output left out */
  readonly operatorCount: number;
  /** inputs and outputs that are not shown, as there are too many */
  readonly leftOut: number;
}

export type ShownNode = BoundaryNode | OperatorNode | FoldNode;

interface NodeWords {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** ids of the outputs that need it, in the model's order */
  readonly leadsTo: readonly string[];
}

export interface BoundaryNode extends NodeWords {
  readonly kind: 'input' | 'output';
  readonly tensor: ShownTensor;
}

export interface OperatorNode extends NodeWords {
  readonly kind: 'operator';
  readonly operatorKind: OperatorKind;
  /** written by Sightglass when the model was made machine-ready */
  readonly isAdded: boolean;
  /** name that the exporter gave it; '' where it gave none */
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly inputs: readonly ShownTensor[];
  readonly outputs: readonly ShownTensor[];
}

/** Operators that stand for one node until someone looks into it. */
export interface FoldNode extends NodeWords {
  readonly kind: 'fold';
  readonly count: number;
  /** how often each operator is in it, the most frequent first */
  readonly operators: readonly (readonly [operator: string, count: number])[];
  /** the operators that one step shows, the nearest to the outputs; [] = as much is shown as there may be */
  readonly next: readonly number[];
}

export interface ShownTensor {
  readonly name: string;
  /** "float32"; '' where the file does not say */
  readonly dtype: string;
  /** "1 × 84 × 8400"; '' where the file does not say */
  readonly shape: string;
  /** values of a constant, or ''; null for what the model computes */
  readonly constant: string | null;
}

export interface ShownEdge {
  /** ids of nodes */
  readonly from: string;
  readonly to: string;
  readonly tensors: readonly ShownTensor[];
  /** lines that stand on the edge; [] where another edge of the same tensors has them */
  readonly label: readonly string[];
}

/** The middle of a box. */
interface Place {
  readonly x: number;
  readonly y: number;
}

export type PlacedNode = ShownNode & Place & { readonly widthPx: number; readonly heightPx: number };

export interface PlacedEdge extends ShownEdge {
  readonly points: readonly Place[];
  /** the middle of its label; null without one */
  readonly labelAt: Place | null;
}
