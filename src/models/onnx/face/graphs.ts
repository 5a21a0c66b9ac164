// A model's graph: constants, shapes, what is cut or rewritten.

export { floatValues } from '../float-values.ts';
export { graphConstants } from '../graph-constants.ts';
export { definedIn, operatorName, readBy, subgraphsOf, tensorNames } from '../graph-walk.ts';
export { mendGrids } from '../grid-samples.ts';
export { lastSize } from '../last-size.ts';
export type { BoundaryValue, LoadFacts, OperatorUse } from '../load-facts.ts';
export { pruneGraph } from '../prune-graph.ts';
export { raiseOpset } from '../raise-opset.ts';
export { readGraph } from '../read-graph.ts';
export { statedShape } from '../stated-shapes.ts';
export { unsignConvolutions } from '../unsign-convolutions.ts';
export { reduceMax, reshape, slice, smaller } from '../versioned-operators.ts';
