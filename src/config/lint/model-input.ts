import type { TensorInfo } from '../../vision/tensor.ts';
import { attributeOf, visionServices, type Rule } from './rule.ts';

/** What the machine cannot feed: a second input, or a first one that is no picture of a type it fills. */
export const modelInput: Rule = {
  code: 'model-input',
  *check(context) {
    for (const service of visionServices(context)) {
      const inputs = context.facts[service.name]?.inputs;
      const [first, ...others] = inputs ?? [];
      if (!first) continue;
      const path = attributeOf(service, 'mlmodel_name')?.path ?? service.attributesPath;
      for (const message of [...othersMessage(first, others), ...firstMessages(first)]) {
        yield { path, severity: 'error', message };
      }
    }
  },
};

function othersMessage(first: TensorInfo, others: readonly TensorInfo[]): readonly string[] {
  if (others.length === 0) return [];
  const names = others.map(({ name }) => `"${name}"`).join(', ');
  return [
    `The machine fills only the model's first input "${first.name}", not ${names}: export the model with ${others.length === 1 ? 'it' : 'them'} built in.`,
  ];
}

function firstMessages({ name, dtype, shape }: TensorInfo): readonly string[] {
  const messages: string[] = [];
  if (dtype !== 'uint8' && dtype !== 'float32') {
    messages.push(`The model's input "${name}" is ${dtype}; the machine fills uint8 and float32.`);
  }
  const channelsFirst = shape.slice(0, 3).indexOf(3) === 1;
  const channels = channelsFirst ? 3 : shape[3];
  if (shape.length !== 4 || (channels !== 3 && channels !== -1)) {
    messages.push(
      `The model's input "${name}" is [${shape.join(', ')}]; the machine fills a picture of 3 channels, [1, height, width, 3] or [1, 3, height, width].`,
    );
  }
  return messages;
}
