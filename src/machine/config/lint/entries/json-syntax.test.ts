import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../json/json-document.ts';
import { lint } from '../lint.ts';
import { fixedText } from '../test-samples.ts';

describe('json-syntax', () => {
  it.each([
    ['a trailing comma in an object', '{"services": [],}', 15, '{"services": []}'],
    ['a trailing comma in a list', '{"services": [{}, ]}', 16, '{"services": [{} ]}'],
    ['a comment', '{"services": [] /* none */}', 16, '{"services": [] }'],
    ['a missing comma', '{"components": [] "services": []}', 18, '{"components": [], "services": []}'],
  ])('%s', (_, text, offset, mended) => {
    const findings = lint(text).filter(({ code }) => code === 'json-syntax');
    expect(findings.map((finding) => finding.offset)).toEqual([offset]);
    const result = fixedText('json-syntax', text);
    expect(result).toBe(mended);
    expect(parseDocument(result).errors).toEqual([]);
  });

  it.each([
    ['an open brace', '{"services": ['],
    ['an open text', '{"services": "'],
    ['a second value', '{} {}'],
    ['nothing', ''],
  ])('%s is reported without a fix', (_, text) => {
    const findings = lint(text).filter(({ code }) => code === 'json-syntax');
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ severity, fix }) => severity === 'error' && fix === undefined)).toBe(true);
  });

  it('leaves the other rules running around a mistake', () => {
    const text = '{"services": [{"name": "v", "api": "rdk:service:vision", "model": "mlmodel", "attributes": {},}]}';
    expect(lint(text).map(({ code }) => code)).toContain('mlmodel-name');
  });
});
