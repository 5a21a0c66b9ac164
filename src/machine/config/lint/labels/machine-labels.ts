import { nameLabelFile } from '../../edit/edit-config.ts';
import { besideModel, labelFileName, labelFileOf, modelServiceOf } from '../../parse/label-file.ts';
import type { Fix } from '../rule/finding.ts';
import { rewriteFix, type LintContext } from '../rule/rule.ts';

/** The labels that the machine will say for a vision service, as far as text and bench know. */
export function machineLabels(
  { entries, facts, closed }: LintContext,
  service: string,
): readonly string[] | 'index numbers' | 'unknown' {
  if (labelFileOf(entries, service)) return facts[service]?.labels ?? 'unknown';
  // A fragment or a remote may bring the ML model service with its label file.
  return modelServiceOf(entries, service) || closed ? 'index numbers' : 'unknown';
}

/** Whether a label can be one of index numbers. */
export function isIndexNumber(label: string): boolean {
  return /^(0|[1-9]\d*)$/.test(label);
}

/** Names a label file made of the labels inside the model file; undefined if it has none of the wanted labels. */
export function useOfferedFix(context: LintContext, service: string, wanted: readonly string[]): Fix | undefined {
  const { offeredLabels, modelFileName } = context.facts[service] ?? {};
  const offered = new Set(offeredLabels?.map((label) => label.toLowerCase()));
  if (modelFileName === undefined || !wanted.some((label) => offered.has(label.toLowerCase()))) return undefined;
  const path = besideModel(context.entries, service, labelFileName(modelFileName));
  return rewriteFix(context, `Name a label file, ${path}, with the model's labels`, (text) =>
    nameLabelFile(text, service, path),
  );
}
