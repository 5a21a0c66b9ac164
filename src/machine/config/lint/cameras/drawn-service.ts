import { anyVision, findEntry, type EntryKind } from '../../parse/config-entries.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { drawingSteps, setFix, type Rule } from '../rule/rule.ts';

/** A drawing step that names no vision service of the machine: every frame fails. */
export const drawnService: Rule = {
  code: 'drawn-service',
  *check(context) {
    const services = context.entries
      .filter(({ kind, name }) => name !== '' && (anyVision as readonly EntryKind[]).includes(kind))
      .map(({ name }) => name);
    for (const { type, service, servicePath: path } of drawingSteps(context)) {
      const name = service?.value ?? '';
      if (typeof name !== 'string') continue;
      const found = findEntry(context.entries, name, ...anyVision);
      if (found?.kind === 'color-detector' && type === 'classifications')
        yield {
          path,
          severity: 'error',
          message: `"${name}" is a colour detector, which does not classify: every frame fails.`,
        };
      if (found) continue;
      if (name !== '' && !context.closed) continue;
      const near = services.length === 1 ? services[0] : didYouMean(name, services);
      yield {
        path,
        severity: name === '' ? 'error' : 'warning', // a module may bring the service
        message:
          name === ''
            ? `The step names no vision service: every frame fails.`
            : `No vision service is named "${name}": every frame fails.${suggestion(near)}`,
        ...(near && { fix: setFix(context, `Use "${near}"`, path, near) }),
      };
    }
  },
};
