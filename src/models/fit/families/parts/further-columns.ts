import { reshape } from '../../../onnx/face/graphs.ts';
import type { BoxUnit } from '../../attach/boxes.ts';
import { keyPointsOf } from '../../attach/details.ts';
import type { Details, Further, Head } from '../../structure/family.ts';
import { keyPointsOption, masksOption, type ChoiceOption, type OptionValues } from '../../structure/options.ts';
import type { FurtherNumbers } from './classes-among.ts';

/** The option that keeps further numbers for the bench, or leaves them out. */
export function furtherOptions(further: FurtherNumbers | null): readonly ChoiceOption[] {
  if (!further) return [];
  return [further.kind === 'masks' ? masksOption : keyPointsOption];
}

/** Whether the options keep them; `choice` reads an option. */
export function keepsFurther(
  further: FurtherNumbers | null,
  choice: (key: string) => unknown,
): further is FurtherNumbers {
  const [option] = furtherOptions(further);
  return option !== undefined && choice(option.key) === 'keep';
}

/** The outputs that decoding reads, with the prototypes where masks are kept. */
export function withPrototypes(output: string, further: FurtherNumbers | null, options: OptionValues): string[] {
  return keepsFurther(further, (key) => options[key]) && further.kind === 'masks' ? [output, further.output] : [output];
}

/** The part of further columns [T,N] of the candidates that is kept. */
export function furtherColumns(
  head: Head,
  further: FurtherNumbers,
  columns: string,
): { readonly further: Further; readonly details: Details } {
  const { build } = head;
  if (further.kind === 'key points') {
    const kept = keyPointsOf(head, columns, further, head.choice('boxUnit') as BoxUnit);
    return { further: kept, details: { kind: 'key points', count: further.points } };
  }
  const shape = [1, further.shape[1]!, head.size.heightPx / 4, head.size.widthPx / 4];
  const given = head.output(further.output);
  const turned = further.isChannelsLast ? build.add('Transpose', [given], { perm: { ints: [0, 3, 1, 2] } }) : given;
  const prototypes = reshape(build, turned, shape);
  return { further: { numbers: columns, count: shape[1]! }, details: { kind: 'masks', prototypes, shape } };
}
