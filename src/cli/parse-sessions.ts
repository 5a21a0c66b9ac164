import { defaultLimits } from '../data-service/dependencies.ts';
import { duration, type OptionValues } from './parse-options.ts';
import { UsageError } from './usage.ts';

const dayMs = 86_400_000;
/** No browser keeps a cookie for longer. */
const mostDays = 400;

/** How long a person's session lasts, in milliseconds; null: the default. */
export interface SessionLives {
  /** after its last use */
  readonly sessionIdleMs: number | null;
  /** however much it is used */
  readonly sessionLifeMs: number | null;
}

/**
 * How long sessions of people last.
 * @throws UsageError also where --session-idle is longer than a whole session
 */
export function parseSessions(values: OptionValues): SessionLives {
  const [sessionIdleMs, sessionLifeMs] = [duration('session-idle', values), duration('session-life', values)];
  if (sessionLifeMs !== null && sessionLifeMs > mostDays * dayMs)
    throw new UsageError(
      `--session-life wants at most ${mostDays}d, since browsers keep no cookie longer, got "${values.one('session-life')}".`,
    );
  const wholeMs = sessionLifeMs ?? defaultLimits.sessionLifeMs;
  if (sessionIdleMs !== null && sessionIdleMs > wholeMs)
    throw new UsageError(
      `--session-idle wants at most the whole life of a session, ${values.one('session-life') ?? `${wholeMs / dayMs}d (--session-life)`}, got "${values.one('session-idle')}".`,
    );
  return { sessionIdleMs, sessionLifeMs };
}
