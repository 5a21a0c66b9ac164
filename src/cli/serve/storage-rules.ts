import { defaultRoomLimits } from '../../server/storage/storage-room.ts';
import type { StorageRules } from '../../server/storage/keep-storage.ts';
import { parseDuration } from '../record/duration.ts';
import { option, repeated, together, usual } from '../record/field.ts';
import { byteSize, oneOf } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

/** How long `serve` keeps data, and the room for it. */
export const storageRules = together(
  {
    keep: repeated(
      '--keep TIME',
      'delete what is older, but no file of a dataset: 90d (h, d, w, y), files=1y, readings=30d or audit=5y. Otherwise all is kept. After the clock went on by more than a day at once, nothing is deleted by age until "clock confirm" says that it is right',
    ),
    budgetBytes: option(
      '--disk-budget SIZE',
      'room for files and rows, as 200GB: beyond it uploads are refused',
      byteSize,
    ),
    overBudget: usual(
      '--over-budget WHAT',
      'refuse uploads, or delete-oldest: the oldest go',
      oneOf(['refuse', 'delete-oldest']),
      'refuse',
    ),
    keepFreeBytes: usual(
      '--keep-free SIZE',
      'refuse uploads while less of the disk is free',
      byteSize,
      defaultRoomLimits.keepFreeBytes,
      '256MiB',
    ),
  },
  ({ keep, budgetBytes, overBudget, keepFreeBytes }): StorageRules => {
    if (overBudget === 'delete-oldest' && budgetBytes === null)
      throw new UsageError('--over-budget delete-oldest wants a --disk-budget, as --disk-budget 200GB.');
    return { limits: { keepFreeBytes, budgetBytes }, retention: retention(keep), overBudget };
  },
);

/** "90d" for files and readings, "files=1y" and "readings=30d" for the kinds; a kind's own goes before. Who changed what only has its own. */
function retention(rules: readonly string[]): StorageRules['retention'] {
  const kept = new Map<string, number>();
  for (const rule of rules) {
    const [, kind = 'everything', time] = /^(?:(files|readings|audit)=)?(.*)$/.exec(rule)!;
    const ms = parseDuration(time!, ['h', 'd', 'w', 'y']);
    if (ms === null) {
      throw new UsageError(
        `--keep wants how long, in h, d, w or y, as 90d, files=1y, readings=12w or audit=5y (0 is nothing); got "${rule}".`,
      );
    }
    if (kept.has(kind)) throw new UsageError(`--keep was given twice for ${kind}; give it once.`);
    kept.set(kind, ms);
  }
  const everything = kept.get('everything') ?? null;
  return {
    filesMs: kept.get('files') ?? everything,
    readingsMs: kept.get('readings') ?? everything,
    auditMs: kept.get('audit') ?? null,
  };
}
