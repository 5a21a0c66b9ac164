import { execFileSync } from 'node:child_process';

/** Bundles the command line, before any test starts it. */
export default function bundleCli(): void {
  execFileSync(process.execPath, ['scripts/build-cli.ts', 'build/tested-cli'], { stdio: 'inherit' });
}
