import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/** The folder of Viam's `viam` command line, which VIAM_CLI_PATH names; or why there is none. */
export function viamCli(): { readonly folder: string } | { readonly missing: string } {
  const path = process.env['VIAM_CLI_PATH'] ?? '';
  if (path !== '' && spawnSync(path, ['version']).status === 0) return { folder: dirname(path) };
  return { missing: 'needs Viam’s command line: put the path of viam into VIAM_CLI_PATH' };
}
