import { isChannelsFirst } from '../../../machine/vision/face/feeding.ts';
import type { ModuleFinding } from './module-finding.ts';

/** What the vision service cannot write a frame into: it makes one picture of 3 channels, of the input's own size. */
export function* pictureFindings(input: {
  readonly name: string;
  /** -1 = any size, null = the file does not even say how many axes there are */
  readonly shape: readonly number[] | null;
}): Generator<ModuleFinding> {
  const { name, shape } = input;
  const declared = `The input "${name}" is ${shape === null ? 'of no declared shape' : `[${shape.join(', ')}]`}`;
  const channels = shape && isChannelsFirst(shape) ? 3 : shape?.[3];
  if (shape?.length !== 4 || (channels !== 3 && channels !== -1)) {
    yield {
      code: 'input-shape',
      severity: 'fails-at-first-frame',
      message: `${declared}; the machine fills a picture of 3 channels, [1, height, width, 3] or [1, 3, height, width].`,
      cure: 'Export it for one colour picture.',
    };
    return;
  }
  const [batch] = shape as [number, ...number[]];
  if (batch !== 1 && batch !== -1) {
    yield {
      code: 'input-batch',
      severity: 'fails-at-first-frame',
      message: `${declared}, ${batch} pictures at a time; the machine gives one.`,
      cure: 'Export it with a batch of 1, or a dynamic one.',
      repair: 'sets the batch to 1 where the model allows',
    };
  }
}
