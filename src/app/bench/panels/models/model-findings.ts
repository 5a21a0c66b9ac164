import type { ModelDescription } from '../../../../../workers/vision/protocol.ts';
import type { ModelFormat } from '../../../../vision/inference/model-summary.ts';
import type { ConfigEntry } from '../../../../config/config-entries.ts';
import { judgeModule } from '../../../../fit/modules/judge-module.ts';
import { moduleFor } from '../../../../fit/modules/known-modules.ts';
import { verdictOf, type ModuleFinding } from '../../../../fit/modules/module-finding.ts';

/**
 * What the machine makes of a model on the bench: its model service's module where the configuration shows that, else the
 * one for files of this format. What is wrong with the service's attributes is the configuration's matter.
 */
export function modelFindings(
  { fileName, format, moduleFindings }: Pick<ModelDescription, 'fileName' | 'moduleFindings'> & { format: ModelFormat },
  modelService: ConfigEntry | undefined,
): readonly ModuleFinding[] {
  const ending = `.${format.name}`;
  // An address may end in anything; a file that is called .ONNX is copied under that name.
  const path = fileName.toLowerCase().endsWith(ending) ? fileName : `model${ending}`;
  const module = modelService?.model || moduleFor(format.name);
  return judgeModule(module, { model_path: path }, { format: format.name, findings: moduleFindings });
}

/** The verdict in words, for a heading: what becomes of the model on the machine. */
export function verdictText(findings: readonly ModuleFinding[]): string {
  switch (verdictOf(findings)) {
    case 'loads':
      return 'A Viam machine loads this model as it is';
    case 'refuses':
      return 'A Viam machine does not load this model';
    case 'fails-at-first-frame':
      return 'A Viam machine loads this model, and fails at the first frame';
    case 'cannot-tell':
      return 'Only the Viam machine can tell whether it loads this model';
  }
}
