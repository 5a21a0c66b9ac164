import type { DescService } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { requirementOf } from '../access/operation-roles.ts';
import { principalOf } from '../access/principal.ts';
import { withinQuotas } from '../usage/within-quotas.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';

type Route = (request: unknown, context: HandlerContext) => unknown;

/**
 * Makes the routes of a service. Each call of an operation that changes something runs over a store of its own, whose changes are its
 * caller's (`DataStore.as`). This is the one place where the audit gets its actor, so that no route can forget it.
 */
export function onBehalf<Routes extends object>(
  service: DescService,
  dependencies: DataServiceDependencies,
  makeRoutes: (dependencies: DataServiceDependencies) => Routes,
): Routes {
  const routes = makeRoutes(dependencies);
  const changingMethods = service.methods.filter((method) => requirementOf(method).changes);
  const ofCaller = changingMethods.map(({ localName }): readonly [string, Route] => [
    localName,
    (request, context) => {
      const { store } = dependencies;
      const changing = withinQuotas(store, store.as(principalOf(context).actor));
      const own = { ...dependencies, store: { ...store, ...changing } };
      return (makeRoutes(own) as Readonly<Record<string, Route>>)[localName]!(request, context);
    },
  ]);
  return { ...routes, ...Object.fromEntries(ofCaller) };
}
