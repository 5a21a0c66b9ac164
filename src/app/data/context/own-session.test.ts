import { createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { SessionService } from '../../../gen/sightglass/people/v1/people_pb.ts';
import { OwnSession } from './own-session.svelte.ts';

/** A tab, and how often it has asked who is logged in. */
function openTab() {
  const tab = { asked: 0 };
  const transport = createRouterTransport(({ service }) => {
    service(SessionService, {
      getSession() {
        tab.asked += 1;
        return {};
      },
      logOut: () => ({}),
    });
  });
  return Object.assign(tab, { session: new OwnSession(transport) });
}

it('asks once after a log-out, and has every other tab ask', async () => {
  const here = openTab();
  const there = openTab();
  await expect.poll(() => here.asked).toBe(1); // the new tab has told
  const before = there.asked;
  await here.session.logOut(false);
  await expect.poll(() => there.asked).toBe(before + 1);
  expect(here.asked).toBe(2);
});
