import { goesOn, type SessionToken } from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import { cut, type Request, type Response } from '../http/exchange.ts';

/**
 * Cuts an exchange that is still going on when its session ends, on whichever host it was ended: a long download stops for a person who
 * was removed.
 * @param checkMs between two looks at the session
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
      () => undefined, // the store cannot be asked now: the next check asks again
    );
  const timer = setInterval(check, checkMs);
  response.once('close', () => clearInterval(timer));
}
