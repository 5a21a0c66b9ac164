import type { OperatorKind, PlacedNode, ShownTensor } from '../../../../workers/model-graph/client.ts';

/** In the order of the legend; drawn in the dialog's colours --graph-weights, …. */
export const operatorKinds: readonly OperatorKind[] = [
  'weights',
  'activation',
  'arithmetic',
  'shape',
  'selection',
  'other',
];

/** A node in a few words for screen readers: its visible text comes first. */
export function nodeWords(node: PlacedNode): string {
  const { kind, title, subtitle } = node;
  const more = kind === 'operator' ? [node.operatorKind, ...(node.isAdded ? ['added by Sightglass'] : [])] : [kind];
  return [`${title} ${subtitle}`.trim(), ...more].join(', ');
}

/** "float32 1 × 84 × 8400", "constant int64 2: 3, 4"; '': the file says nothing. */
export function tensorWords({ dtype, shape, constant }: ShownTensor): string {
  const type = [constant === null ? '' : 'constant', dtype, shape].filter(Boolean).join(' ');
  return constant ? `${type}: ${constant}` : type;
}
