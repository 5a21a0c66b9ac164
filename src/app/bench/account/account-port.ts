import type { Account } from '../../../remote/account/account.ts';
import type { TargetKeys } from '../../../remote/outbox/target-keys.ts';

/** What a connection to an account service needs of the page; loaded with the first connection. */
export interface AccountPort {
  /** @param url without a slash at its end */
  open(url: string, key: { readonly id: string; readonly secret: string }): Promise<Account>;
  /** The encrypted key store, used if the person wants keys to be kept; the outbox uses it too. */
  keys(): Promise<TargetKeys>;
  /** URL of the page, which limits what it may call */
  readonly pageUrl: string;
}
