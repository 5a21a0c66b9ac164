import { parseByteSize } from '../server/storage/byte-size.ts';
import { defaultRoomLimits } from '../server/storage/storage-room.ts';
import type { StorageRules } from '../server/storage/keep-storage.ts';
import { parseDuration } from './duration.ts';
import type { OptionValues } from './parse-options.ts';
import { UsageError } from './usage.ts';

/** What `serve` is told of how long data is kept, and of the room for it. @throws UsageError */
export function parseStorageRules(values: OptionValues): StorageRules {
  const budgetBytes = byteSize('disk-budget', values);
  const overBudget = values.one('over-budget') ?? 'refuse';
  if (overBudget !== 'refuse' && overBudget !== 'delete-oldest') {
    throw new UsageError(`--over-budget wants refuse or delete-oldest, got "${overBudget}".`);
  }
  if (overBudget === 'delete-oldest' && budgetBytes === null) {
    throw new UsageError('--over-budget delete-oldest wants a --disk-budget, as --disk-budget 200GB.');
  }
  return {
    limits: { keepFreeBytes: byteSize('keep-free', values) ?? defaultRoomLimits.keepFreeBytes, budgetBytes },
    retention: retention(values.many('keep')),
    overBudget,
  };
}

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

/** @throws UsageError */
export function byteSize(option: string, values: OptionValues): number | null {
  const text = values.one(option);
  if (text === null) return null;
  const bytes = parseByteSize(text);
  if (bytes === null) throw new UsageError(`--${option} wants a size, as 500MB or 1.5TB, got "${text}".`);
  return bytes;
}
