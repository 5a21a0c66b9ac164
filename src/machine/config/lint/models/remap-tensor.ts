import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { remaps } from './remap-entry.ts';
import { removeFix, renameFix, type Rule } from '../rule/rule.ts';

/** A remap of a tensor that the model does not have: the machine crashes on the first frame. */
export const remapTensor: Rule = {
  code: 'remap-tensor',
  *check(context) {
    for (const { entries } of remaps(context)) {
      const used = entries.map(({ tensor }) => tensor);
      for (const { path, side, tensor, tensors, reversed } of entries) {
        if (!tensors || reversed || tensors.includes(tensor)) continue;
        const near = didYouMean(
          tensor,
          tensors.filter((name) => !used.includes(name)),
        );
        yield {
          path,
          onKey: true,
          severity: 'error',
          message: `The model has no ${side} "${tensor}"; it has ${tensors.join(', ') || 'none'}.${suggestion(near)}`,
          fix:
            near === undefined
              ? removeFix(context, `Remove "${tensor}"`, path)
              : renameFix(context, `Rename to "${near}"`, path, near),
        };
      }
    }
  },
};
