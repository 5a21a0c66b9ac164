import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startDataService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import type { Request, Response } from '../http/exchange.ts';
import { cutEnded } from './cut-ended.ts';

it('cuts an exchange once its session has ended, on whichever host, and looks no more after its end', async () => {
  const { dependencies } = await startDataService();
  const session = await logMemberIn(dependencies, await addMember(dependencies, 'operator'));
  const people = dependencies.store.people!;
  const getSession = vi.spyOn(people, 'getSession');
  const exchange = () => {
    const [response, destroy] = [new EventEmitter(), vi.fn()];
    const request = { socket: { destroy } } as unknown as Request;
    cutEnded(dependencies, session, 1, request, response as unknown as Response);
    return { close: () => response.emit('close'), destroy };
  };
  const [open, done] = [exchange(), exchange()];
  done.close();

  getSession.mockRejectedValueOnce(new Error('The store is down.'));
  await vi.waitFor(() => expect(getSession.mock.calls.length).toBeGreaterThan(3));
  expect(open.destroy).not.toHaveBeenCalled();

  for (const { id } of await people.listMembers({ organizationId: 'a' })) await people.removeMember(id);
  await vi.waitFor(() => expect(open.destroy).toHaveBeenCalled());
  open.close();
  expect(done.destroy).not.toHaveBeenCalled();
});
