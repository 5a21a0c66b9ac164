import { listEntries } from '../parse/config-entries.ts';
import { isObject, parseDocument } from '../json/json-document.ts';
import type { Finding, LintFacts, ModelJudge } from './rule/finding.ts';
import { findingOf, type LintContext } from './rule/rule.ts';
import { rules } from './rules.ts';

/**
 * Lints a machine configuration. It never throws, whatever the text.
 * @param text of any kind
 * @param facts what is known besides the text, such as the labels of models; default: nothing
 * @param judge says what a model module takes; default: nothing is said of modules
 * @returns findings in the order of the text
 * @example
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: {} };
 * lint(JSON.stringify({ components: [], services: [service] })).map(({ severity }) => severity); // => ['error']
 * lint('{}'); // => []
 */
export function lint(text: string, facts: LintFacts = {}, judge: ModelJudge = () => []): readonly Finding[] {
  const document = parseDocument(text);
  const { value } = document;
  const brought = (key: string): boolean => {
    const list = isObject(value) ? value[key] : undefined;
    return Array.isArray(list) && list.length > 0;
  };
  const context: LintContext = {
    document,
    text,
    facts,
    judge,
    entries: listEntries(document),
    closed: !brought('fragments') && !brought('remotes'),
  };
  const findings = rules.flatMap((rule) =>
    Array.from(rule.check(context), (report) => findingOf(context, rule.code, report)),
  );
  return findings.toSorted((a, b) => a.offset - b.offset);
}
