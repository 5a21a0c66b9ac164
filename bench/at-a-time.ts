/**
 * Makes `count` calls, `atATime` of them at once.
 * @param call gets the number of the call, from 0
 * @returns how long all of them took, in milliseconds
 */
export async function timedCalls(
  count: number,
  atATime: number,
  call: (number: number) => Promise<unknown>,
): Promise<number> {
  let begun = 0;
  const run = async (): Promise<void> => {
    while (begun < count) await call(begun++);
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: atATime }, run));
  return performance.now() - startMs;
}
