import { findEntry } from '../../parse/config-entries.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { attributeOf, setFix, visionServices, type Rule } from '../rule/rule.ts';

/** A vision service without an ML model service, or with one that does not exist. */
export const mlmodelName: Rule = {
  code: 'mlmodel-name',
  *check(context) {
    const models = context.entries
      .filter(({ kind, name }) => kind === 'mlmodel' && name !== '')
      .map(({ name }) => name);
    for (const service of visionServices(context)) {
      const attribute = attributeOf(service, 'mlmodel_name');
      const name = attribute?.value ?? '';
      if (
        typeof name !== 'string' ||
        (name !== '' && (!context.closed || findEntry(context.entries, name, 'mlmodel')))
      ) {
        continue;
      }
      const near = models.length === 1 ? models[0] : didYouMean(name, models);
      const path = attribute?.path ?? [...service.attributesPath, 'mlmodel_name'];
      yield {
        path,
        severity: name === '' ? 'error' : 'warning', // a module may bring the service
        message:
          name === ''
            ? 'mlmodel_name is missing: the machine refuses the service.'
            : `The configuration has no ML model service named "${name}".${suggestion(near)}`,
        ...(near && { fix: setFix(context, `Use "${near}"`, path, near) }),
      };
    }
  },
};
