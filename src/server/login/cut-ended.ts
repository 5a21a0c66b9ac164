import { goesOn, type SessionToken } from '../../data-service/access/sessions.ts';
import type { DataServiceDependencies } from '../../data-service/dependencies.ts';
import { cut, type Request, type Response } from '../exchange.ts';

/**
 * Cuts an exchange that is still going on when its session ends, on whichever host: what was let in once, as a long download, does not
 * go on for somebody who was removed.
 */
export function cutEnded(
  service: DataServiceDependencies,
  session: SessionToken,
  checkMs: number,
  request: Request,
  response: Response,
): void {
  const check = (): void =>
    void goesOn(service, session).then(
      (isGoing) => isGoing || cut(request, response),
      () => undefined, // of a store that cannot be asked now, the next check tells more
    );
  const timer = setInterval(check, checkMs);
  response.once('close', () => clearInterval(timer));
}
