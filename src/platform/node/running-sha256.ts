import { createHash } from 'node:crypto';
import type { RunningHash } from '../../data-service/face/hosts.ts';

/** A SHA-256 of OpenSSL. */
export function runningSha256(): RunningHash {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), end: () => hash.digest('hex') };
}
