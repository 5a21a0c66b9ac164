import { callByName, routeCalls, type Operations } from './route-calls.ts';

/** An api whose first call must be `start`: the other calls wait for it, and reject if it rejects. */
export function onceStarted<Given extends unknown[], Api extends Operations<Api>>(
  make: (...given: Given) => Promise<Api>,
): Api & { start(...given: Given): Promise<void> } {
  let begin!: (api: Promise<Api>) => void;
  const api = new Promise<Api>((resolve) => (begin = resolve));
  return routeCalls(async (operation, given) => {
    if (operation === 'start') begin(make(...(given as Given)));
    const made = await api;
    return operation === 'start' ? undefined : callByName(made, operation, given);
  });
}
