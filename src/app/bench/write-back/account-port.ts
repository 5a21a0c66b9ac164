import type { Account } from '../../../account/account.ts';
import type { TargetKeys } from '../../../outbox/target-keys.ts';

/** What asking an account service needs of the page; fetched with the first connection. */
export interface AccountPort {
  /** @param url without a slash at its end */
  open(url: string, key: { readonly id: string; readonly secret: string }): Promise<Account>;
  /** Where keys are kept, if that is asked for: encrypted, as the outbox keeps its own. */
  keys(): Promise<TargetKeys>;
  /** of the page, which decides what it may call */
  readonly pageUrl: string;
}
