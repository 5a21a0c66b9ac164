import type { ModelDescription } from '../../../../../workers/vision/protocol.ts';
import type { ModelFormat } from '../../../../machine/vision/face/inference.ts';
import type { ConfigEntry } from '../../../../machine/config/face/machine-config.ts';
import { judgeModule } from '../../../../models/fit/modules/judge-module.ts';
import { moduleFor } from '../../../../models/fit/modules/known-modules.ts';
import { verdictOf, type ModuleFinding } from '../../../../models/fit/modules/module-finding.ts';

/**
 * What the machine's module reports about a model: the module of its model service if the configuration has one,
 * otherwise the one for files of this format. Errors in the service's attributes are reported with the
 * configuration.
 */
export function modelFindings(
  { fileName, format, moduleFindings }: Pick<ModelDescription, 'fileName' | 'moduleFindings'> & { format: ModelFormat },
  modelService: ConfigEntry | undefined,
): readonly ModuleFinding[] {
  const ending = `.${format.name}`;
  // A URL may have any ending; a file named .ONNX is copied with that name.
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
