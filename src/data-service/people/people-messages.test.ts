import { expect, it } from 'vitest';
import { invitedPart } from './people-messages.ts';

it('names the part of an invitation, by its id where it is not one of the organization any more', async () => {
  const invited = { organizationId: 'a', partId: 'p' };
  const named = (organizationId: string) => ({
    getPart: async () => ({ id: 'p', name: 'main', robotId: 'r', robotName: 'Rover', organizationId, locationId: 'l' }),
  });
  expect(await invitedPart(named('a'), invited)).toBe('Rover / main');
  expect(await invitedPart(named('b'), invited)).toBe('p');
  expect(await invitedPart({ getPart: async () => null }, invited)).toBe('p');
  expect(await invitedPart(named('a'), { ...invited, partId: null })).toBe('');
});
