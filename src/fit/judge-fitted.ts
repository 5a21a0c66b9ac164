import { readLoadFacts } from '../onnx/read-model.ts';
import type { FittedModel } from './fit-model.ts';
import { fileFindings } from './modules/file-findings.ts';
import type { ModuleFinding } from './modules/module-finding.ts';

/** What the machine's module makes of a model that was written, which lies alone in its folder; [] = it loads. */
export function judgeFitted({ model }: Pick<FittedModel, 'model'>): readonly ModuleFinding[] {
  return fileFindings({ format: 'onnx', facts: readLoadFacts(model), filesBeside: [] });
}
