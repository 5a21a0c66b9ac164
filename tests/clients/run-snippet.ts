import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { goProgram, pythonProgram, type Program } from './other-languages.ts';

/** Runs a program given as text in the root of the checkout. Returns its output. @throws Error if it fails */
export async function runText(
  [command, ...args]: Extract<Program, readonly string[]>,
  text: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let [said, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more));
  child.stderr.setEncoding('utf8').on('data', (more: string) => (complaints += more));
  child.stdin.end(text);
  const status = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${complaints}`);
  return said;
}

/** The interpreter for each language. Go programs are compiled instead. */
export const interpreters: Readonly<Record<'js' | 'python' | 'sh', Program>> = {
  js: [process.execPath, '--input-type=module', '-'],
  python: pythonProgram('-'),
  sh: process.platform === 'win32' ? { missing: 'needs a POSIX shell with curl' } : ['sh', '-eu'],
};

/** The program for a text, by the language name of a Markdown code block. */
export const programFor = (language: string, text: string): Program =>
  language === 'go'
    ? goProgram(text, onTestFinished)
    : (interpreters[language as keyof typeof interpreters] ?? { missing: `knows no ${language}` });
