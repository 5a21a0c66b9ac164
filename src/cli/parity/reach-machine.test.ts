import { expect, it } from 'vitest';
import { reachMachine } from './reach-machine.ts';

it('says what WebRTC needs where it is not installed, before anybody is called', async () => {
  const { signal } = new AbortController();
  const command = { machineUrls: ['webrtc://gate/?via=http://127.0.0.1:9'], key: null };
  const say = (): never => expect.fail('something is called');
  await expect(reachMachine(command, say, signal, async () => null)).rejects.toMatchObject({
    code: 'no-webrtc',
    message: expect.stringMatching(/npm install werift.*http:\/\/robot\.local:8080/),
  });
});
