import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startDataService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import type { Request, Response } from '../exchange.ts';
import { cutEnded } from './cut-ended.ts';

it('cuts an exchange once its session has ended, on whichever host, and looks no more after its end', async () => {
  vi.useFakeTimers();
  try {
    const { dependencies } = await startDataService();
    const session = await logMemberIn(dependencies, await addMember(dependencies, 'operator'));
    const people = dependencies.store.people!;
    const destroy = vi.fn();
    const exchange = () => {
      const response = new EventEmitter();
      cutEnded(
        dependencies,
        session,
        1000,
        { socket: { destroy } } as unknown as Request,
        response as unknown as Response,
      );
      return response;
    };
    exchange();
    await vi.advanceTimersByTimeAsync(5000);
    expect(destroy).not.toHaveBeenCalled();

    const getSession = vi.spyOn(people, 'getSession').mockRejectedValueOnce(new Error('The store is down.'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(destroy).not.toHaveBeenCalled();
    getSession.mockRestore();

    const done = exchange();
    done.emit('close');
    for (const { id } of await people.listMembers({ organizationId: 'a' })) await people.removeMember(id);
    await vi.advanceTimersByTimeAsync(1000);
    expect(destroy).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
