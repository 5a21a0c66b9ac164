import type { Account } from '../account/account.ts';
import { linkAccount } from '../account/link-account.ts';
import { serverTransport } from './server-transport.ts';

/** Opens a client of an account service over gRPC-Web. @param url without a trailing slash */
export const openAccountLink = (url: string, key: { readonly id: string; readonly secret: string }): Account =>
  linkAccount(serverTransport(url, key), url);
