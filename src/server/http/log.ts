import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** One JSON object a line, on stderr: stdout is for what a person asked for. Callers hand it no headers and no messages. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    { level, base: null, formatters: { level: (label) => ({ level: label }) } },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
