import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

function sightglass(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/sightglass.js', ...argv], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the command line', () => {
  it('exits with 2 for bad arguments and keeps stdout empty', () => {
    const { status, stdout, stderr } = sightglass('detect', '--nope');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^Unknown option '--nope'[^]*\nUsage: sightglass detect --config [^]*'--nope'.* Help: sightglass detect --help\n$/,
    );
    expect(stderr.split('\n').length).toBeLessThan(10);
  });

  it('exits with 1 and one error object for a configuration that is not there', () => {
    const { status, stdout } = sightglass('lint', 'no-such-machine.json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'not-found', message: expect.stringContaining('no-such-machine.json') },
    });
  });

  it('stops quietly when nobody reads its stdout any more', async () => {
    const child = spawn(process.execPath, ['bin/sightglass.js', 'lint', 'no-such-machine.json']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await once(child, 'close');
    expect(stderr).toBe('');
  });

  it('explains one command alone', () => {
    const { status, stdout } = sightglass('evaluate', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: sightglass evaluate --config /);
    expect(stdout).not.toContain('--mongo-port');
  });

  it('explains itself', () => {
    const { status, stdout } = sightglass('--help');
    expect(status).toBe(0);
    for (const command of ['detect', 'classify', 'transform', 'lint']) expect(stdout).toContain(command);
  });
});
