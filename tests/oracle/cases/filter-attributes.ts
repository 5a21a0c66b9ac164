import type { Dice } from './dice.ts';

export const labelTexts = ['person', 'Broccoli', 'dog', 'traffic light', 'person', 'é', '7'] as const;

/** Random filter attributes: `default_minimum_confidence`, `label_confidences`, both or neither. */
export function filterAttributes(dice: Dice, labels: readonly string[]): object {
  const minimum = dice.chance(0.3) ? { default_minimum_confidence: dice.pick([0.5, 0.7, 1.2, -0.1, 0, 0.3]) } : {};
  if (!dice.chance(0.25)) return minimum;
  const listed = dice.list(dice.whole(1, 3), () => {
    const label = dice.pick([...labels, 'nothing']);
    const inSomeCase = dice.pick([label, label.toUpperCase(), label.toLowerCase()]);
    return [inSomeCase, dice.pick([0, 0.4, 0.7, dice.decimal(0, 1), 2])] as const;
  });
  // Avoid two spellings of a label, because the machine keeps one of them at random.
  const once = new Map(listed.map(([label, confidence]) => [label.toLowerCase(), [label, confidence] as const]));
  return { ...minimum, label_confidences: Object.fromEntries(once.values()) };
}

/** The source of labels: the vision service's file, the model service's file, a missing file, or none. */
export function labelSource(dice: Dice, labels: readonly string[]) {
  const text = labelFile(dice, labels);
  switch (dice.chance(0.04) ? 'missing' : dice.pick(['service', 'model', 'both', 'none', 'none', 'model missing'])) {
    case 'service':
      return { service: { label_path: '@service' }, model: {}, files: { '@service': text } };
    case 'model':
      return { service: {}, model: { label_path: '@model' }, files: { '@model': text } };
    case 'both':
      return {
        service: { label_path: '@service' },
        model: { label_path: '@model' },
        files: { '@service': text, '@model': 'x\ny' },
      };
    case 'missing':
      return { service: { label_path: '@missing' }, model: { label_path: '@model' }, files: { '@model': text } };
    case 'model missing':
      return { service: {}, model: { label_path: '@missing' }, files: {} };
    default:
      return { service: {}, model: {}, files: {} };
  }
}

function labelFile(dice: Dice, labels: readonly string[]): string {
  if (dice.chance(0.05)) return dice.pick(['', '\n \n', `b\n${'x'.repeat(70_000)}\n`]);
  const end = dice.pick(['\n', '\n', '\r\n']);
  if (dice.chance(0.2)) return labels.join(dice.pick([',', ' ', ', ']));
  const lines = labels.map((label) => (dice.chance(0.1) ? ` ${label} ` : label));
  if (dice.chance(0.2)) lines.splice(dice.whole(0, lines.length), 0, dice.pick(['', '  ', '\t']));
  return lines.join(end) + (dice.chance(0.5) ? end : '');
}
