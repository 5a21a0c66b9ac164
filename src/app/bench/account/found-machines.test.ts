import { describe, expect, it } from 'vitest';
import type { AccountEntry } from '../../../remote/account/account.ts';
import { listMachines, matchingMachines, type FoundMachine } from './found-machines.ts';

const { signal } = new AbortController();
const location = (name: string): AccountEntry => ({ id: name.toLowerCase(), name });
const machine = (name: string, place: string, seen?: AccountEntry['seen']): FoundMachine => ({
  id: name.toLowerCase(),
  name,
  location: location(place),
  ...(seen && { seen }),
});
const online = { isOnline: true } as const;
const offline = { isOnline: false, atMs: 5 } as const;

describe('the machines of an account', () => {
  it('are those of all locations, of which four are asked for at a time', async () => {
    let [running, most] = [0, 0];
    const machines = async (id: string) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return id === 'l3' ? [] : [{ id: `${id}-m`, name: id }];
    };
    const locations = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6'].map(location);
    const found = await listMachines({ machines }, locations, signal);
    expect(found.map(({ id, location: { name } }) => [id, name])).toEqual([
      ['l1-m', 'L1'],
      ['l2-m', 'L2'],
      ['l4-m', 'L4'],
      ['l5-m', 'L5'],
      ['l6-m', 'L6'],
    ]);
    expect(most).toBe(4);
  });

  const all = [
    machine('Press', 'Hall 2', offline),
    machine('Gate', 'Yard', online),
    machine('Crane', 'Yard', offline),
    machine('Arm', 'Hall 1', online),
    machine('Old', 'Attic'),
  ];
  it.each([
    ['', ['Arm', 'Gate', 'Old', 'Crane', 'Press']],
    ['yard', ['Gate', 'Crane']],
    [' HALL  ar', ['Arm']],
    ['2', ['Press']],
    ['boat', []],
  ])('that match “%s” are %j', (typed, names) => {
    expect(matchingMachines(all, typed).map(({ name }) => name)).toEqual(names);
  });
});
