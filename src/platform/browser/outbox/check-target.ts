import type { ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { connectTargets } from './connect-target.ts';

/** Asks for data that does not exist: whoever answers so speaks the API and takes the key. @throws UploadError */
export async function checkTarget(target: ServerTarget, key: string, signal: AbortSignal): Promise<void> {
  const connect = connectTargets({ get: async () => key }, null);
  const connection = await connect(target);
  await connection?.read('sightglass-connection-check', signal);
}
