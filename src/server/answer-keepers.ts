import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { answerText, pathOf, type Handle, type Response } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { StorageRoom } from './storage/storage-room.ts';

export type KeepersQuestion = 'healthz' | 'readyz' | 'metrics';

export interface KeepersDependencies {
  readonly service: DataServiceDependencies;
  readonly metrics: Metrics;
  /** null: nobody watches the disk */
  readonly room: StorageRoom | null;
  /** aborted when the server stops */
  readonly stopping: AbortSignal;
}

/** Answers those who keep the server: is it alive, is it ready, how is it. */
export async function answerKeepers(
  { service, metrics, room, stopping }: KeepersDependencies,
  question: KeepersQuestion,
  response: Response,
): Promise<void> {
  switch (question) {
    case 'healthz':
      return answerText(response, 200, 'alive');
    case 'readyz':
      return answerReadiness(service, room, stopping, response);
    case 'metrics':
      return answerText(response, 200, await metrics.text(), metrics.contentType);
  }
}

/** What a path asks of these; null: nothing. */
export function keepersQuestion(path: string): KeepersQuestion | null {
  const question = path.slice(1);
  return question === 'healthz' || question === 'readyz' || question === 'metrics' ? question : null;
}

/** Whether a path is one that orchestrators ask again and again. */
export const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz';

/** A port for keepers alone. */
export function answerOnlyKeepers(dependencies: KeepersDependencies): Handle {
  return (request, response) => {
    const question = keepersQuestion(pathOf(request));
    if (question === null) return answerText(response, 404, 'Here are /metrics, /healthz and /readyz.');
    return answerKeepers(dependencies, question, response);
  };
}

async function answerReadiness(
  { store, defects }: DataServiceDependencies,
  room: StorageRoom | null,
  stopping: AbortSignal,
  response: Response,
): Promise<void> {
  if (stopping.aborted) return answerText(response, 503, 'stopping');
  try {
    await store.access.listOrganizations();
    const full = (await room?.fullDisk()) ?? null;
    if (full !== null) return answerText(response, 503, full);
    answerText(response, 200, 'ready');
  } catch (error) {
    defects.report(error, { operation: 'readyz' });
    answerText(response, 503, 'the store does not answer');
  }
}
