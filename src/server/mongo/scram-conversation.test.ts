import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readClientFirst, ScramConversation } from './scram-conversation.ts';

// RFC 7677, section 3: user "user", password "pencil"
const clientNonce = 'rOprNGfwEbeRWgbNEkqO';
const serverNonce = '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
const proof = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const clientFinal = `c=biws,r=${clientNonce}${serverNonce},p=${proof}`;

const salted = pbkdf2Sync('pencil', salt, 4096, 32, 'sha256');
const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const credentials = {
  iterations: 4096,
  salt,
  storedKey: createHash('sha256').update(hmac(salted, 'Client Key')).digest(),
  serverKey: hmac(salted, 'Server Key'),
};
const conversation = (): ScramConversation =>
  new ScramConversation(credentials, readClientFirst(`n,,n=user,r=${clientNonce}`), serverNonce);

describe('SCRAM-SHA-256', () => {
  it('is that of RFC 7677', () => {
    const server = conversation();
    expect(server.serverFirst).toBe(`r=${clientNonce}${serverNonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`);
    expect(server.finish(clientFinal)).toBe('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
  });

  it.each([
    ['another proof', clientFinal.replace('p=dH', 'p=dI')],
    ['a short proof', `c=biws,r=${clientNonce}${serverNonce},p=dHzb`],
    ['no proof', `c=biws,r=${clientNonce}${serverNonce}`],
    ['the nonce of another exchange', clientFinal.replace(serverNonce, 'other')],
    ['only its own nonce', clientFinal.replace(serverNonce, '')],
    ['another header than at first', clientFinal.replace('biws', 'eSws')],
    ['one more field than was signed', clientFinal.replace(',p=', ',x=1,p=')],
    ['nothing', ''],
  ])('refuses %s', (_, message) => {
    expect(conversation().finish(message)).toBeNull();
  });

  it('refuses the proof of another password', () => {
    const other = { ...credentials, storedKey: credentials.serverKey };
    const server = new ScramConversation(other, readClientFirst(`n,,n=user,r=${clientNonce}`), serverNonce);
    expect(server.finish(clientFinal)).toBeNull();
  });

  it('reads names with the characters that are escaped', () => {
    expect(readClientFirst('y,,n=a=2Cb=3D2C,r=x')).toMatchObject({ userName: 'a,b=2C', header: 'y,,', nonce: 'x' });
  });

  it.each([
    ['channel binding', 'p=tls-unique,,n=user,r=x'],
    ["another's rights", 'n,a=admin,n=user,r=x'],
    ['an extension that it must understand', 'n,,m=1,n=user,r=x'],
    ['a name escaped in another way', 'n,,n=a=2cb,r=x'],
    ['no nonce', 'n,,n=user,r='],
    ['a nonce with a comma', 'n,,n=user,r=\u0000x'],
    ['nothing', ''],
  ])('refuses a beginning with %s', (_, message) => {
    expect(() => readClientFirst(message)).toThrow('malformed');
  });
});
