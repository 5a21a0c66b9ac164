import { bytesToHex } from '@noble/hashes/utils.js';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { keyMark } from './access-token.ts';
import { installationSecret } from './installation-secret.ts';
import { principalOf } from './principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireBinaryAccess } from './require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { idOfPath, pathOf } from '../wire/download-address.ts';

type UrlDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'publicOrigin'>;

/** Files are served below this path by their ids, to everybody who has the signature. */
export const signedPath = '/data/signed/';

const defaultMinutes = 15;
// One week.
const maxMinutes = 10_080;

/** The result of checking a signed URL. */
export type SignedUrlCheck =
  | { readonly outcome: 'valid'; readonly id: string }
  | { readonly outcome: 'expired' }
  /** the key that made it was revoked, or the member who made it was removed, or has another place or role now */
  | { readonly outcome: 'revoked' }
  | { readonly outcome: 'forged' };

/** Creates URLs by which anybody may fetch a file until they expire. */
export function signedUrlRoutes(
  dependencies: UrlDependencies,
): Pick<ServiceImpl<typeof DataService>, 'createBinaryDataSignedURL'> {
  const { store } = dependencies;
  return {
    async createBinaryDataSignedURL({ binaryDataId, expirationMinutes = 0 }, context: HandlerContext) {
      requireText(binaryDataId, 'binary_data_id');
      if (expirationMinutes > maxMinutes) {
        throw invalidArgument(`expiration_minutes is ${expirationMinutes}; it may be at most ${maxMinutes}, a week.`);
      }
      const principal = principalOf(context);
      await requireBinaryAccess(store, principal, [binaryDataId]);
      const [record] = await store.binary.get(principal.organizationId, [binaryDataId]);
      if (!record) throw notFound(`There is no binary data ${binaryDataId}.`);
      const path = pathOf(signedPath, record.id);
      const { url, expiresAt } = await signUrl(dependencies, context, path, (expirationMinutes || defaultMinutes) * 60);
      return { signedUrl: url, expiresAt };
    },
  };
}

/** The URL by which anybody may fetch `path` for `seconds`, unless the caller's key is revoked, or the caller removed as a member, before. */
export async function signUrl(
  dependencies: UrlDependencies,
  context: HandlerContext,
  path: string,
  seconds: number,
): Promise<{ readonly url: string; readonly expiresAt: Timestamp }> {
  // Whole seconds, so that the time in the answer equals the time in the URL.
  const expiresSeconds = Math.ceil(dependencies.clock.now() / 1e6) + seconds;
  const signed = await signedPathOf(dependencies, path, expiresSeconds, principalOf(context));
  const origin = dependencies.publicOrigin({ url: context.url, header: context.requestHeader });
  return { url: origin + signed, expiresAt: toTimestamp(expiresSeconds * 1e6) };
}

/**
 * Checks the path and query of a request, exactly as they came: any changed character makes the URL invalid.
 * @param base what the path must begin with; the id in the result is the rest
 */
export async function checkSignedUrl(
  dependencies: Pick<UrlDependencies, 'store' | 'secrets' | 'clock'>,
  base: string,
  pathAndQuery: string,
  now: Micros,
): Promise<SignedUrlCheck> {
  const parts = /^(([^?]+)\?expires=(\d{1,12})(?:&key=([^&]{1,300}))?)&signature=([0-9a-f]{64})$/.exec(pathAndQuery);
  const id = parts === null ? null : idOfPath(base, parts[2]!);
  if (parts === null || id === null) return { outcome: 'forged' };
  const key = await installationSecret(dependencies, 'signed-urls');
  if (!(await dependencies.secrets.verifySignature(key, parts[1]!, fromHex(parts[5]!)))) return { outcome: 'forged' };
  if (Number(parts[3]) * 1e6 <= now) return { outcome: 'expired' };
  const isCurrent = parts[4] === undefined || (await isCurrentMark(dependencies, parts[4]));
  return isCurrent ? { outcome: 'valid', id } : { outcome: 'revoked' };
}

/** `path` with a query that has the time at which it expires, the mark of who made it, and the signature of these. */
async function signedPathOf(
  dependencies: Pick<UrlDependencies, 'store' | 'secrets' | 'clock'>,
  path: string,
  expiresSeconds: number,
  { keyId, membershipId }: Principal,
): Promise<string> {
  // null: a person's own browser has no keys
  const mark = membershipId === '' ? await markOf(dependencies, keyId) : await markOfMember(dependencies, membershipId);
  const signed = `${path}?expires=${expiresSeconds}${mark === null ? '' : `&key=${mark}`}`;
  const signature = await dependencies.secrets.sign(await installationSecret(dependencies, 'signed-urls'), signed);
  return `${signed}&signature=${bytesToHex(signature)}`;
}

/** A key's id and what distinguishes it from a later key with the same id; null: there is no such key. */
async function markOf({ store }: Pick<UrlDependencies, 'store'>, keyId: string): Promise<string | null> {
  const key = await store.access.getKey(keyId);
  return key === null ? null : `${encodeURIComponent(keyId)}.${keyMark(key).slice(0, 12)}`;
}

/** A member's id, place and role; null: there is no such member. It ends with a dot, and a key's mark with a dot and 12 characters. */
async function markOfMember({ store }: Pick<UrlDependencies, 'store'>, membershipId: string): Promise<string | null> {
  const member = (await store.people?.getMember(membershipId)) ?? null;
  if (member === null) return null;
  const powers = [member.locationId ?? '', member.partId ?? '', member.role].map(withoutDots).join(',');
  return `${encodeURIComponent(membershipId)}.${powers}.`;
}

async function isCurrentMark(dependencies: Pick<UrlDependencies, 'store'>, mark: string): Promise<boolean> {
  const isMember = mark.endsWith('.');
  const signed = isMember ? mark.slice(0, -1) : mark;
  const id = decodeURIComponent(signed.slice(0, signed.lastIndexOf('.')));
  return (await (isMember ? markOfMember(dependencies, id) : markOf(dependencies, id))) === mark;
}

const withoutDots = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
