/** The exit code by which a shell knows a command that Ctrl+C ended. */
export const interruptedCode = 130;

/** Aborts at the first Ctrl+C or SIGTERM; the second ends the process as ever. */
export function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
