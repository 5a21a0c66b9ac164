import { listEntries } from '../config-entries.ts';
import { isObject, parseDocument } from '../json-document.ts';
import type { Finding, LintFacts } from './finding.ts';
import { findingOf, type LintContext } from './rule.ts';
import { rules } from './rules.ts';

/** All findings on a machine configuration, in the order of the text. Never throws, whatever the text. */
export function lint(text: string, facts: LintFacts = {}): readonly Finding[] {
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
    entries: listEntries(document),
    closed: !brought('fragments') && !brought('remotes'),
  };
  const findings = rules.flatMap((rule) =>
    Array.from(rule.check(context), (report) => findingOf(context, rule.code, report)),
  );
  return findings.toSorted((a, b) => a.offset - b.offset);
}
