import type { LastSeen } from '../../../remote/account/account.ts';
import { timeText } from '../../kit/words/figures.ts';

/** "online", "offline since 2026-11-29 08:00"; '': its service does not say. */
export function seenText(seen: LastSeen | undefined): string {
  if (!seen) return '';
  if (seen.isOnline) return 'online';
  return seen.atMs === null ? 'never online' : `offline since ${timeText(seen.atMs)}`;
}
