import { normalizations } from './normalization.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** One number a color channel: with fewer the machine refuses the service, more are ignored. */
export const meanStdLength: Rule = {
  code: 'mean-std-length',
  *check(context) {
    for (const { key, path, values } of normalizations(context)) {
      if (values.length === 3) continue;
      const last = values.at(-1) ?? 0;
      const three = [0, 1, 2].map((channel) => values[channel] ?? last);
      yield {
        path,
        severity: values.length < 3 ? 'error' : 'info',
        message:
          values.length < 3
            ? `${key} needs 3 values, one for each color channel, got ${values.length}.`
            : `${key} has ${values.length} values; the machine uses the first 3.`,
        fix: setFix(context, `Write [${three.join(', ')}]`, path, three),
      };
    }
  },
};
