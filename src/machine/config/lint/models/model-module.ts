import type { ModuleFinding } from '../../../../models/fit/modules/module-finding.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import type { Severity } from '../rule/finding.ts';
import { attributeOf, removeFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** What the module behind an ML model service makes of its attributes, and of its model file where that is at hand. */
export const modelModule: Rule = {
  code: 'model-module',
  *check(context) {
    for (const entry of context.entries.filter(({ kind }) => kind === 'mlmodel')) {
      for (const finding of context.judge(entry)) yield reportOf(context, entry, finding);
    }
  },
};

const severities: Readonly<Record<ModuleFinding['severity'], Severity>> = {
  refuses: 'error',
  'fails-at-first-frame': 'error',
  warns: 'warning',
  'cannot-tell': 'info',
};

const outcomes: Readonly<Record<ModuleFinding['severity'], string>> = {
  refuses: 'The machine’s model module does not start. ',
  'fails-at-first-frame': 'No frame gets an answer. ',
  warns: '',
  'cannot-tell': '',
};

function reportOf(context: LintContext, entry: ConfigEntry, finding: ModuleFinding): Report {
  const { severity, message, cure, attribute } = finding;
  const path = [...entry.attributesPath, attribute ?? 'model_path'];
  // An attribute that is missing cannot be removed, and a model needs its path.
  const isRemovable = attribute !== undefined && attribute !== 'model_path' && attributeOf(entry, attribute);
  return {
    path,
    severity: severities[severity],
    message: `${outcomes[severity]}${message} ${cure}`,
    ...(isRemovable && { onKey: severity === 'warns', fix: removeFix(context, `Remove "${attribute}"`, path) }),
  };
}
