import { describe, expect, it } from 'vitest';
import { certificateOf, signedCertificate } from '../../../tests/certified.ts';
import { readCertificate, writeCertificate } from './read-certificate.ts';
import { fingerprintOf, signatureState } from './signature-state.ts';
import { signatureFinding } from './signature-finding.ts';

const signed = await signedCertificate();
const other = await signedCertificate();

it('fits also when the file was laid out otherwise', async () => {
  const written = JSON.stringify(Object.fromEntries(Object.entries(signed).toReversed()));
  expect(await signatureState(readCertificate(written), crypto.subtle)).toBe('valid');
  expect(await signatureState(readCertificate(writeCertificate(signed)), crypto.subtle)).toBe('valid');
});

describe('is broken', () => {
  const text = writeCertificate(signed);
  const { value, publicKey } = signed.signature!;
  it.each([
    ['a claim', text.replace('"atLeast": 0.95', '"atLeast": 0.96')],
    ['a hash', text.replace('a'.repeat(64), 'b'.repeat(64))],
    ['the date', text.replace('2026-11-01', '2026-11-02')],
    ['a word', text.replace('"dataset": "Yard"', '"dataset": "Yards"')],
    ['the value', text.replace(value, `${value.slice(0, -2)}${value.endsWith('00') ? '01' : '00'}`)],
    ['the length of the value', text.replace(value, value.slice(2))],
    ['the key of somebody else', text.replace(publicKey, other.signature!.publicKey)],
    ['no point of the curve', text.replace(publicKey, '04'.repeat(65))],
  ])('by %s', async (_, changed) => {
    expect(changed).not.toBe(text);
    const certificate = readCertificate(changed);
    const state = await signatureState(certificate, crypto.subtle);
    expect(state).toBe('broken');
    expect(signatureFinding(certificate, state, null)).toMatchObject({ says: 'differs' });
  });
});

describe('what is said of it', () => {
  const fingerprint = fingerprintOf(signed.signature!);

  it('is what it proves and what it does not', () => {
    const { says, words } = signatureFinding(signed, 'valid', null);
    expect(says).toBe('holds');
    expect(words).toContain(`holder of key ${fingerprint} made this statement, and that it was not changed since`);
    expect(words).toContain('does not prove who that is, unless you know this fingerprint by another way');
    expect(words).toContain('does not prove that the evidence is true');
  });

  it('depends on the key that is required', () => {
    const bare = fingerprint.replaceAll(' ', '').toUpperCase();
    expect(signatureFinding(signed, 'valid', bare)).toMatchObject({ says: 'holds' });
    expect(signatureFinding(signed, 'valid', fingerprintOf(other.signature!))).toMatchObject({ says: 'differs' });
    expect(signatureFinding(signed, 'valid', '')).toMatchObject({ says: 'differs' });
    expect(signatureFinding(certificateOf(), 'none', fingerprint)).toMatchObject({ says: 'differs' });
    expect(signatureFinding(certificateOf(), 'none', null)).toMatchObject({ says: 'unchecked' });
  });

  it('is that it was not checked where there is no WebCrypto', async () => {
    expect(await signatureState(signed, undefined)).toBe('cannot');
    expect(signatureFinding(signed, 'cannot', null)).toMatchObject({ says: 'unchecked' });
  });
});
