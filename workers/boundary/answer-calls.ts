import { expose } from 'comlink';
import { giveBack, installComlinkHandlers } from './comlink-handlers.ts';
import { callByName, routeCalls, type Operations } from './route-calls.ts';
import { tellThatRunning } from './worker-life.ts';

/**
 * The worker's side of the boundary: calls the operations of `api` that `linkWorker` asks for. `name` is the
 * worker's name, used for its lock. `ready`: see `tellThatRunning`.
 */
export function answerCalls<Api extends Operations<Api>>(name: string, api: Api, ready?: Promise<void>): void {
  installComlinkHandlers();
  const running = tellThatRunning(self, name, ready);
  const answering = routeCalls<Api>(async (operation, given) => {
    await running;
    try {
      return await callByName(api, operation, given);
    } finally {
      giveBack(given);
    }
  });
  expose(answering);
}
