import { filled, parseOptions } from './parse-options.ts';
import { parseShared, sharedOptions } from './parse-shared.ts';
import type { MoveArguments } from './serve-arguments.ts';
import { UsageError } from './usage.ts';

/** @throws UsageError */
export function parseMove(args: readonly string[]): MoveArguments {
  const { values, positionals } = parseOptions(args, ['from-data', 'to-data', ...sharedOptions], []);
  if (positionals.length > 0) throw new UsageError(`move wants no "${positionals[0]}".`);
  const [from, to] = [filled('from-data', values), filled('to-data', values)];
  const dataDir = from ?? to;
  if (dataDir === null || (from !== null && to !== null)) {
    throw new UsageError(
      `move wants either --from-data DIR, the folder that is copied into the database and the bucket, or --to-data DIR, a new folder that they are copied into.`,
    );
  }
  const shared = parseShared(values, process.env);
  if (shared === null) throw new UsageError(`move wants --database and --blobs beside the folder.`);
  return { name: 'move', from: from === null ? 'shared' : 'folder', dataDir, shared };
}
