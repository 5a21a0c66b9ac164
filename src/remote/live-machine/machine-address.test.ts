import { describe, expect, it } from 'vitest';
import { readMachineAddress, whyPageCannotCall } from './machine-address.ts';

describe('the address of a machine', () => {
  it.each([
    ['robot.local', 'http://robot.local:8080'],
    [' 10.0.0.7:9090 ', 'http://10.0.0.7:9090'],
    ['localhost', 'http://localhost:8080'],
    ['http://robot.local', 'http://robot.local'],
    ['http://robot.local:8080/', 'http://robot.local:8080'],
    ['https://robot.example/some/path', 'https://robot.example'],
    ['[::1]:8080', 'http://[::1]:8080'],
  ])('reads %s', (typed, url) => {
    expect(readMachineAddress(typed)).toEqual({ url });
  });

  it.each([
    ['', /No address/],
    ['http://', /not the address/],
    ['ftp://robot', /not the address/],
    ['two words', /not the address/],
    ['http://me:secret@robot', /more than a host/],
    ['http://robot?key=1', /more than a host/],
    ['http://robot#key', /more than a host/],
  ])('refuses “%s” in words', (typed, message) => {
    const answer = readMachineAddress(typed);
    expect(answer).toMatchObject({ message: expect.stringMatching(message), cure: expect.stringMatching(/./) });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('a page that may not call a machine', () => {
  it.each([
    ['http://robot:8080', 'https://app.example/', true],
    ['http://127.evil.example', 'https://app.example/', true],
    ['http://localhost:8080', 'https://app.example/', false],
    ['http://127.0.0.1:8080', 'https://app.example/', false],
    ['http://[::1]:8080', 'https://app.example/', false],
    ['https://robot:8080', 'https://app.example/', false],
    ['http://robot:8080', 'http://localhost:5173/', false],
  ])('%s from %s', (machine, page, isBarred) => {
    expect(whyPageCannotCall(machine, page) !== null).toBe(isBarred);
  });
});
