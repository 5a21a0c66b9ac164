// What the machine would refuse or do otherwise, and what mends it.

export { applyFix } from '../lint/apply-fix.ts';
export { describeFinding } from '../lint/describe-finding.ts';
export { didYouMean } from '../lint/rule/did-you-mean.ts';
export type { Finding, Fix, LintFacts, ModelJudge, ServiceFacts } from '../lint/rule/finding.ts';
export { lint } from '../lint/lint.ts';
