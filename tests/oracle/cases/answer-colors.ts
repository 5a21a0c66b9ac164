import { colorDetectorFields } from '../../../src/machine/config/parse/attribute-fields.ts';
import { parseAttributes } from '../../../src/machine/config/parse/parse-attributes.ts';
import { colorRule } from '../../../src/machine/vision/color-detector/color-rule.ts';
import { detectColors } from '../../../src/machine/vision/color-detector/detect-colors.ts';
import { pixelTest } from '../../../src/machine/vision/color-detector/pixel-test.ts';
import type { ColorCase } from './color-cases.ts';

/** What a colour detector says of a picture, each box as `label xMin,yMin,xMax,yMax`; null: it is refused. */
export type ColorAnswer = readonly string[] | null;

/** Sightglass's answer. */
export function answerColors({ attributes, frame }: ColorCase): ColorAnswer {
  const { value, errors } = parseAttributes(attributes, colorDetectorFields);
  const rule = errors.length > 0 ? null : colorRule(value);
  if (!rule || 'code' in rule) return null;
  const { count, box, labels, labelIndex } = detectColors(frame, { rule, test: pixelTest(rule) });
  return Array.from(
    { length: count },
    (_, row) => `${labels[labelIndex[row]!]} ${box.subarray(4 * row, 4 * row + 4).join(',')}`,
  );
}

/** The machine sorts up to twelve boxes without exchanging equal ones; of more, the order of equal areas is left open. */
export function inOrder(answer: ColorAnswer): ColorAnswer {
  return answer && answer.length > 12 ? answer.toSorted() : answer;
}
