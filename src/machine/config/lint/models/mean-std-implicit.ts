import { defaultNormalization } from '../../parse/parse-vision-service.ts';
import { normalizationKeys } from './normalization.ts';
import { attributeOf, setFix, visionServices, type Rule } from '../rule/rule.ts';

/** A mean without a standard deviation, or the other way round, or neither for a float model: 0.5 fills in. */
export const meanStdImplicit: Rule = {
  code: 'mean-std-implicit',
  *check(context) {
    for (const service of visionServices(context)) {
      const missing = normalizationKeys.filter((key) => {
        const value = attributeOf(service, key)?.value ?? [];
        return Array.isArray(value) && value.length === 0;
      });
      const isFloat = context.facts[service.name]?.inputs?.[0]?.dtype === 'float32';
      if (missing.length === 2 && !isFloat) continue;
      for (const key of missing) {
        const path = attributeOf(service, key)?.path ?? [...service.attributesPath, key];
        yield {
          path,
          severity: missing.length === 1 ? 'warning' : 'info',
          message: `Without ${key} the machine takes 0.5 for every channel, though Viam’s page says that none is applied.`,
          fix: setFix(context, 'Write the default out', path, defaultNormalization),
        };
      }
    }
  },
};
