import { renameTensor } from '../onnx/face/model-files.ts';
import { operatorName, tensorNames } from '../onnx/face/graphs.ts';
import type { Correspondence } from './first-difference.ts';
import type { OrderedStep } from './narrow-steps.ts';
import { SideGraph } from './side-graph.ts';

/** A part that both sides have, between tensors that both have. Names are the reference's. */
export interface AlignedStep extends OrderedStep {
  /** places of its nodes in each graph, constants' left out */
  readonly reference: readonly number[];
  readonly other: readonly number[];
}

export interface AlignedSides {
  readonly reference: SideGraph;
  readonly other: SideGraph;
  /** in the reference's order */
  readonly steps: readonly AlignedStep[];
  /** outputs that both have */
  readonly results: ReadonlySet<string>;
  readonly correspondence: Correspondence;
  /** whether one file computes in int8 what the other does not */
  readonly isQuantised: boolean;
  /** the other's name of a tensor, where it is not the reference's */
  otherName(name: string): string;
}

/**
 * Finds the parts of a network that two files have in common: between tensors of the same name. Of one file on two backends
 * each node is one. Quantisers keep names, or hang words behind them; so does fit, which adds nodes of its own around.
 * Nothing is guessed from shapes or values: where no name is shared there is no correspondence.
 */
export function alignSides(referenceModel: Uint8Array, otherModel: Uint8Array): AlignedSides {
  const reference = new SideGraph(referenceModel);
  const isOneFile = referenceModel === otherModel;
  const named = new SideGraph(otherModel);
  const aliases = isOneFile ? new Map<string, string>() : renameAliases(reference, named);
  // Names were changed in place: who makes what is read again.
  const other = aliases.size === 0 ? named : new SideGraph(named.model);

  const there = new Set(other.varying());
  const matched = reference.varying().filter((name) => there.has(name));
  const stops = new Set(matched);
  const steps: AlignedStep[] = [];
  let unmatched = reference.varying().length - matched.length;
  const isFedToBoth = (name: string) => stops.has(name) || (reference.fed.has(name) && other.fed.has(name));
  for (const [place, node] of reference.nodes.entries()) {
    const outputs = node.output.filter((name) => stops.has(name));
    if (outputs.length === 0) continue;
    const here = reference.between(outputs, stops);
    const over = other.between(outputs, stops);
    const inputs = [...new Set([...here.reads, ...over.reads])];
    if (!inputs.every(isFedToBoth)) {
      unmatched += outputs.length;
      continue;
    }
    const varying = (side: SideGraph, places: readonly number[]) =>
      places.filter((k) => side.nodes[k]!.output.some((name) => !side.constant.has(name)));
    steps.push({
      inputs,
      outputs,
      reference: [...varying(reference, here.places).filter((k) => k !== place), place],
      other: varying(other, over.places),
    });
  }
  return {
    reference,
    other,
    steps,
    results: new Set(reference.results.filter((name) => other.results.includes(name))),
    correspondence: { matched: reference.varying().length - unmatched, unmatched },
    isQuantised: isQuantised(reference) !== isQuantised(other),
    otherName: (name) => aliases.get(name) ?? name,
  };
}

/** What quantisers call the float tensor behind a pair of QuantizeLinear and DequantizeLinear. */
const suffixes = ['_DequantizeLinear_Output', '/DequantizeLinear_output', '_dequantized', '_DequantizeLinear'];

/** Gives tensors of the other side the reference's names; returns those that they had. */
function renameAliases(reference: SideGraph, other: SideGraph): Map<string, string> {
  const aliases = new Map<string, string>();
  const taken = tensorNames(other.model.graph);
  for (const name of reference.varying()) {
    if (taken.has(name)) continue;
    const alias = suffixes.map((suffix) => name + suffix).find((candidate) => other.makerOf.has(candidate));
    if (alias === undefined) continue;
    renameTensor(other.model.graph, alias, name);
    aliases.set(name, alias);
  }
  return aliases;
}

function isQuantised({ nodes }: SideGraph): boolean {
  return nodes.some(({ domain, opType }) =>
    /^(com\.microsoft\.)?(Quantize|Dequantize|QLinear|DynamicQuantize|QGemm|ConvInteger|MatMulInteger)/.test(
      operatorName(domain, opType),
    ),
  );
}
