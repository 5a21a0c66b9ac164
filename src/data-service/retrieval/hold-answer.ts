import { createContextKey } from '@connectrpc/connect';

/**
 * Waits until the host has room for so many bytes of files in an answer, which are held until it was sent. A host of one
 * person always has.
 */
export const holdAnswerValue = createContextKey<(bytes: number) => Promise<void>>(() => Promise.resolve(), {
  description: 'makes room for the bytes of files in an answer',
});
