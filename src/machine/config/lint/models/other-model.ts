import type { ConfigEntry } from '../../parse/config-entries.ts';
import { describesModel, otherModelWords } from '../../describes-model.ts';
import { besideModel, modelPathOf, modelServiceOf } from '../../parse/label-file.ts';
import { setFix, visionServices, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** The configuration describes another model than the one that runs here: what was tuned on one is written for the other. */
export const otherModel: Rule = {
  code: 'other-model',
  *check(context) {
    const said = new Set<string>();
    for (const service of visionServices(context)) {
      const report = reportOf(context, service);
      // Several vision services may run the model of one model service.
      const key = JSON.stringify([report?.path, report?.message]);
      if (report && !said.has(key)) yield report;
      said.add(key);
    }
  },
};

function reportOf(context: LintContext, { name, attributesPath }: ConfigEntry): Report | undefined {
  const { entries, facts } = context;
  const { modelFileName: fileName = '', modelSha256: sha256, modelMeant, inputs, outputs } = facts[name] ?? {};
  const meant = modelMeant?.path === modelPathOf(entries, name) ? modelMeant : {};
  const match = describesModel(entries, name, { fileName, sha256, inputs, outputs }, meant);
  if (match.says !== 'differs') return undefined;
  const modelService = modelServiceOf(entries, name);
  const path = modelService ? [...modelService.attributesPath, 'model_path'] : [...attributesPath, 'mlmodel_name'];
  // Under the same name nothing that is written here would mend it.
  const isMendable = modelService && fileName !== '' && match.meant !== '' && match.meant !== fileName;
  return {
    path,
    severity: 'warning',
    message: `${otherModelWords(match, 'the model here is')} What is set for one model is seldom right for another.`,
    ...(isMendable && { fix: setFix(context, `Name ${fileName}`, path, besideModel(entries, name, fileName)) }),
  };
}
