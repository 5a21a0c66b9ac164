import { describe, expect, it } from 'vitest';
import { splitLabelFile } from '../../../vision/decode/labels.ts';
import { lint } from '../lint.ts';
import { visionSample } from '../test-samples.ts';

const code = 'label-line';
const messagesOf = (file: string) =>
  lint(visionSample({}).text, { vision: { labelsSplit: splitLabelFile(file) } })
    .filter((finding) => finding.code === code)
    .map(({ severity, message }) => `${severity}: ${message}`);

describe(code, () => {
  it('names the labels that a label of several words becomes', () => {
    expect(messagesOf('stop sign\n')).toEqual([
      'warning: The label file has one line, which the machine splits at blanks into 2 labels: "stop", "sign". Write one label a line.',
    ]);
  });

  it('names those between commas, the first of many', () => {
    expect(messagesOf('a,b c,d,e,f')).toEqual([
      'info: The label file has one line, which the machine splits at commas into 5 labels: "a", "b c", "d", "e", …. Write one label a line.',
    ]);
  });

  it.each(['stop\n', 'stop sign\ncar\n', '', '\n\n'])('leaves alone %j', (file) => {
    expect(messagesOf(file)).toEqual([]);
  });
});
