/** Bad arguments: exit code 2. Its message is the reason alone; `usageErrorText` adds what helps. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
