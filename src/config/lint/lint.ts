import { listEntries } from '../config-entries.ts';
import { isObject, parseDocument } from '../json-document.ts';
import type { Finding, LintFacts, ModelJudge } from './finding.ts';
import { findingOf, type LintContext } from './rule.ts';
import { rules } from './rules.ts';

/**
 * All findings on a machine configuration, in the order of the text. Never throws, whatever the text. Without a judge
 * nothing is said of what model modules take.
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
