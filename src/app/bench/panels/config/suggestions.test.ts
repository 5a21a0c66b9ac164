import { describe, expect, it } from 'vitest';
import { sampleConfigText } from '../../../../machine/config/share/sample-config.ts';
import type { LintFacts } from '../../../../machine/config/lint/rule/finding.ts';
import { describeAt, suggestionsAt } from './suggestions.ts';

const tensor = (name: string) => ({ name, dtype: 'float32', shape: [1], symbols: [null] }) as const;
const facts: LintFacts = {
  detector: { inputs: [tensor('pixels')], outputs: [tensor('boxes')], labels: ['face'], labelsSeen: ['nose'] },
};

/** The sample with its thresholds line replaced; | is the cursor. */
function at(line: string): { text: string; offset: number } {
  const marked = sampleConfigText.replace('"default_minimum_confidence": 0.5', line);
  const offset = marked.indexOf('|');
  return { text: marked.replace('|', ''), offset };
}

const names = (line: string): readonly string[] => {
  const { text, offset } = at(line);
  return suggestionsAt(text, offset, facts)?.items.map(({ name }) => name) ?? [];
};

describe('suggestionsAt', () => {
  it.each([
    ['keys that are missing', '"|"', ['remap_input_names', 'label_confidences', 'label_path']],
    ['labels', '"label_confidences": { "|" }', ['nose', 'face']],
    ['tensors', '"remap_output_names": { "|" }', ['boxes']],
    ['roles', '"remap_output_names": { "boxes": "|" }', ['location', 'category', 'score', 'probability']],
    ['true and false', '"input_image_bgr": |', ['true', 'false']],
  ])('offers %s', (_, line, expected) => {
    expect(names(line)).toEqual(expect.arrayContaining(expected));
  });

  it('does not offer what stands there already, or what is no attribute', () => {
    expect(names('"|"')).not.toContain('camera_name');
    expect(suggestionsAt('{ "anything": { "|" } }', 17, facts)).toBeNull();
  });

  it('writes a whole property, or only its key where a value stands', () => {
    const whole = at('"label_p|"');
    const found = suggestionsAt(whole.text, whole.offset, facts)!;
    expect(whole.text.slice(found.from, found.to)).toBe('"label_p"');
    expect(found.items.find(({ name }) => name === 'label_path')?.insert).toBe('"label_path": ""');
    const keyOnly = at('"label_p|": "a.txt"');
    const key = suggestionsAt(keyOnly.text, keyOnly.offset, facts)!;
    expect(key.items.find(({ name }) => name === 'label_path')?.insert).toBe('"label_path"');
  });
});

describe('describeAt', () => {
  it('knows the attribute under the pointer', () => {
    const { text, offset } = at('"input_image|_bgr": true');
    const described = describeAt(text, offset)!;
    expect(described.schema.key).toBe('input_image_bgr');
    expect(text.slice(described.from, described.to)).toBe('"input_image_bgr"');
    expect(describeAt(text, 1)).toBeNull();
  });
});
