import { expect, it, vi } from 'vitest';
import { parseCommand, type Command } from './arguments.ts';
import { parity } from './parity.ts';

vi.mock('../platform/node/peer-connection.ts', () => ({ loadPeerConnections: async () => null }));

it('says what WebRTC needs where it is not installed, before anybody is called', async () => {
  const command = parseCommand(['parity', '--machine', 'webrtc://gate/?via=http://127.0.0.1:9', '--vision', 'v']);
  const terminal = { print: () => {}, say: () => expect.fail('something is called') };
  await expect(parity(command as Extract<Command, { name: 'parity' }>, terminal)).rejects.toMatchObject({
    code: 'no-webrtc',
    message: expect.stringMatching(/npm install werift.*http:\/\/robot\.local:8080/),
  });
});
