import { onTestFinished, vi } from 'vitest';
import { AuditService } from '../src/gen/sightglass/audit/v1/audit_pb.ts';
import type { TestServer } from '../src/server/test-server.ts';

/** Refused log-ins are written down once a minute. @returns ends that minute for all that were refused so far, and tells the rows of organization `a` */
export function refusedRows(): (server: Pick<TestServer, 'service'>) => Promise<unknown[]> {
  const timeouts = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timeouts.mockRestore());
  return async ({ service }) => {
    for (const [write, ms] of timeouts.mock.calls.splice(0)) if (ms === 60_000) (write as () => void)();
    await new Promise((resolve) => setImmediate(resolve));
    const request = { organizationId: 'a', what: 'refused-log-in' };
    const { changes } = await service.owner.of(AuditService).listChanges(request);
    return changes.map(({ objectName, after }) => [after!['by'], objectName, after!['address'], after!['times']]);
  };
}
