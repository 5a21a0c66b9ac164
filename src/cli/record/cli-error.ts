import { errorCode, errorMessage } from '../../machine/vision/face/errors.ts';

/** The configuration, a model or a label file cannot be used: the whole command fails with one error object. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
}

/**
 * Describes an error in one code and one message, as the command line prints it.
 * @param error whatever was thrown
 * @returns the code of whoever threw it, or a clearer one for errors of the file system and the network
 * @example
 * reportOf(Object.assign(new Error('no entry'), { code: 'ENOENT', path: 'a.json' })); // => { code: 'not-found', message: 'There is no such file: "a.json".' }
 */
export function reportOf(error: unknown): ErrorReport {
  const code = errorCode(error, 'failed');
  if (!(error instanceof Error)) return { code, message: errorMessage(error) };
  if (code === 'ENOENT') return { code: 'not-found', message: `There is no such file: ${pathOf(error)}.` };
  if (code === 'EISDIR') return { code: 'not-a-file', message: 'This is a folder; name the files in it.' };
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return { code: 'not-a-folder', message: `There is a file where a folder is wanted: ${pathOf(error)}.` };
  }
  if (code === 'EACCES' && 'port' in error) {
    return { code: 'port-not-allowed', message: `Port ${String(error.port)} needs rights; choose one above 1023.` };
  }
  if (code === 'EACCES') return { code: 'not-readable', message: `Permission denied: ${pathOf(error)}.` };
  if (code === 'EADDRINUSE' && 'port' in error) {
    return { code: 'port-taken', message: `Port ${String(error.port)} is taken; choose another one.` };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const address = 'address' in error ? error.address : 'hostname' in error ? error.hostname : '';
    return {
      code: 'no-such-address',
      message: `This computer has no address "${String(address)}"; give another --host.`,
    };
  }
  // A failed step carries the step in its message and the reason's code in its cause.
  if (code === 'step-failed') return { code: reportOf(error.cause).code, message: error.message };
  const more = ['detail' in error && error.detail, 'cure' in error && error.cure].filter(Boolean);
  return { code, message: [error.message, ...more.map(String)].join(' ') };
}

function pathOf(error: Error): string {
  return 'path' in error && typeof error.path === 'string' ? `"${error.path}"` : error.message;
}
