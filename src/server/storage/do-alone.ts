import { type LeaseStore, StoreError } from '../../data-service/face/stores.ts';

/** Another host takes the work over from one that was silent for so long. */
const leaseMs = 60_000;
const renewEveryMs = 20_000;

/**
 * Does work that one of all hosts shall do at a time, under a lease which is renewed until the work ends; null: another host is at
 * it. The signal that the work gets aborts with `signal`, and when the lease was lost, as after this host was frozen. Until it
 * learns of that, two may work at once, so the work must be harmless when done twice.
 */
export async function doAlone<T>(
  leases: LeaseStore,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const lease = await leases.take(name, leaseMs * 1000);
  if (lease === null) return null;
  const lost = new AbortController();
  const renew = (): void =>
    void leases.renew(lease, leaseMs * 1000).catch((error: unknown) => {
      // where the store cannot be reached now, the next renewal tells more
      if (error instanceof StoreError && error.code === 'conflict') lost.abort(error);
    });
  const timer = setInterval(renew, renewEveryMs);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    if (lost.signal.aborted) return null;
    throw error;
  } finally {
    clearInterval(timer);
    await leases.release(lease).catch(() => undefined); // otherwise it ends by itself
  }
}
