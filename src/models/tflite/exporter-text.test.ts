import { describe, expect, it } from 'vitest';
import { namesOf, readExporterText } from './exporter-text.ts';

describe('readExporterText', () => {
  it.each([
    ['JSON', '{"task": "detect", "names": {"0": "person", "1": "it\\"s"}, "imgsz": [640, 640]}', ['person', 'it"s']],
    ['Python', "{'stride': 32, 'names': {0: 'person', 1: \"driver's\"}, 'task': 'detect'}", ['person', "driver's"]],
    ['a list', "{'names': ['cat', 'dog'], 'task': 'detect'}", ['cat', 'dog']],
  ])('reads the names of %s', (_, text, names) => {
    expect(readExporterText(text)?.labels).toEqual(names);
  });

  it('takes no list of labels for a description', () => {
    expect(readExporterText('cat\ndog')).toBeNull();
    expect(readExporterText('{"a": 1}')).toBeNull();
    expect(namesOf('')).toBeNull();
  });
});
