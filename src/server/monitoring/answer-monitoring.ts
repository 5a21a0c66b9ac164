import { answerText, pathOf, type Handle, type Response } from '../http/exchange.ts';
import type { Metrics } from './metrics.ts';
import type { StoreHealth } from '../storage/store-health.ts';
import type { StorageRoom } from '../storage/storage-room.ts';

export type MonitoringPath = 'healthz' | 'readyz' | 'metrics';

export interface MonitoringDependencies {
  /** why the store cannot be used, in words; null: it can. Rejects where it does not answer */
  readonly storeTrouble: () => Promise<string | null>;
  readonly metrics: Metrics;
  /** the damage found so far */
  readonly health: StoreHealth;
  /** null: nobody watches the disk */
  readonly room: StorageRoom | null;
  /** whether its keeper has still to be told of its key */
  readonly isStarting: () => boolean;
  /** aborted when the server stops */
  readonly stopping: AbortSignal;
}

/** Answers those who keep the server: is it alive, is it ready, how is it. */
export async function answerMonitoring(
  dependencies: MonitoringDependencies,
  question: MonitoringPath,
  response: Response,
): Promise<void> {
  switch (question) {
    case 'healthz':
      return answerText(response, 200, 'alive');
    case 'readyz':
      return answerReadiness(dependencies, response);
    case 'metrics':
      return answerText(response, 200, await dependencies.metrics.text(), dependencies.metrics.contentType);
  }
}

/** What a path asks of these; null: nothing. */
export function monitoringPath(path: string): MonitoringPath | null {
  const question = path.slice(1);
  return question === 'healthz' || question === 'readyz' || question === 'metrics' ? question : null;
}

/** Whether a path is one that orchestrators ask again and again. */
export const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz';

/** A port for keepers alone. */
export function answerOnlyMonitoring(dependencies: MonitoringDependencies): Handle {
  return (request, response) => {
    const question = monitoringPath(pathOf(request));
    if (question === null) return answerText(response, 404, 'Here are /metrics, /healthz and /readyz.');
    return answerMonitoring(dependencies, question, response);
  };
}

const damaged = 'the database is damaged: the log has the error and the cure, and "sightglass check" says what is hit';

async function answerReadiness(
  { storeTrouble, health, room, isStarting, stopping }: MonitoringDependencies,
  response: Response,
): Promise<void> {
  if (stopping.aborted) return answerText(response, 503, 'stopping');
  if (isStarting()) return answerText(response, 503, 'starting');
  try {
    const trouble = await storeTrouble();
    if (trouble !== null) return answerText(response, 503, trouble);
    const full = (await room?.fullDisk()) ?? null;
    if (full !== null) return answerText(response, 503, full);
    if (health.isDatabaseDamaged) return answerText(response, 503, damaged);
    answerText(response, 200, 'ready');
  } catch (error) {
    health.report(error, { operation: 'readyz' });
    answerText(response, 503, 'the store does not answer');
  }
}
