import { timingSafeEqual, verifyApiKey, type VerifyKey } from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import type { ApiKey } from '../../data-service/face/accounts.ts';
import type { AttemptLimit } from '../limits/attempt-limit.ts';

/** The slow hashes that run at once: they share Node's pool of four threads with the reads of files. */
const maxHashesAtOnce = 2;
const maxRemembered = 1000;

/** One slow check of a key, and how many requests wait for what it says. */
interface Check {
  readonly result: Promise<ApiKey | null>;
  readonly dropped: AbortController;
  waiting: number;
}

/**
 * The one door for keys. A wrong key costs a slow hash, so each hash counts as an attempt of its address before it
 * begins, and is given back when the key was right; so many run at once, and one whose clients have all left is dropped.
 * A key that was right lately opens without another hash, as long as it stands in the store as it did.
 */
export class KeyVerifier {
  readonly #dependencies: Pick<DataServiceDependencies, 'store' | 'secrets'>;
  readonly #attempts: AttemptLimit;
  readonly #onRefused: () => void;
  readonly #checks = new Map<string, Check>();
  /** digest of a key id and secret that were right → the stored hash they fitted, the latest last */
  readonly #remembered = new Map<string, Uint8Array>();
  readonly #turns: (() => void)[] = [];
  #hashing = 0;

  constructor(
    dependencies: Pick<DataServiceDependencies, 'store' | 'secrets'>,
    attempts: AttemptLimit,
    onRefused: () => void,
  ) {
    this.#dependencies = dependencies;
    this.#attempts = attempts;
    this.#onRefused = onRefused;
  }

  /** How many slow hashes wait for their turn. */
  get waiting(): number {
    return this.#turns.length;
  }

  /** The check on behalf of `address`. @throws ConnectError ResourceExhausted after too many wrong keys */
  for(address: string): VerifyKey {
    return (keyId, secret, signal) => this.#verify(address, keyId, secret, signal);
  }

  async #verify(address: string, keyId: string, secret: string, signal: AbortSignal): Promise<ApiKey | null> {
    const shown = await this.#digest(keyId, secret);
    const known = await this.#recall(shown, keyId);
    if (known !== null) return known;
    signal.throwIfAborted();
    let check = this.#checks.get(shown);
    if (check === undefined) {
      if (!this.#attempts.take(address)) {
        this.#onRefused();
        throw this.#attempts.refusal('authenticate');
      }
      check = this.#begin(shown, address, keyId, secret);
    }
    return this.#join(shown, check, signal);
  }

  async #digest(keyId: string, secret: string): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify([keyId, secret]));
    return Buffer.from(await this.#dependencies.secrets.sha256(bytes)).toString('base64');
  }

  async #recall(shown: string, keyId: string): Promise<ApiKey | null> {
    const hash = this.#remembered.get(shown);
    if (hash === undefined) return null;
    const key = await this.#dependencies.store.access.getKey(keyId);
    if (key !== null && timingSafeEqual(key.secret.hash, hash)) return key;
    this.#remembered.delete(shown);
    return null;
  }

  #begin(shown: string, address: string, keyId: string, secret: string): Check {
    const dropped = new AbortController();
    const result = this.#inTurn(dropped.signal, () => verifyApiKey(this.#dependencies, keyId, secret))
      .then((key) => {
        if (key !== null) {
          this.#attempts.giveBack(address);
          this.#remember(shown, key.secret.hash);
        }
        return key;
      })
      .finally(() => this.#forget(shown, check));
    result.catch(() => undefined); // whoever still waits is told
    const check: Check = { result, dropped, waiting: 0 };
    this.#checks.set(shown, check);
    return check;
  }

  /** A check that was dropped may have been begun anew meanwhile. */
  #forget(shown: string, check: Check): void {
    if (this.#checks.get(shown) === check) this.#checks.delete(shown);
  }

  #remember(shown: string, hash: Uint8Array): void {
    this.#remembered.set(shown, hash);
    if (this.#remembered.size > maxRemembered) this.#remembered.delete(this.#remembered.keys().next().value!);
  }

  #join(shown: string, check: Check, signal: AbortSignal): Promise<ApiKey | null> {
    check.waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason as Error);
        if (--check.waiting > 0) return;
        check.dropped.abort(signal.reason);
        this.#forget(shown, check);
      };
      signal.addEventListener('abort', leave, { once: true });
      void check.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  /** Runs `hash` when there is room; one that was dropped before its turn never runs. */
  async #inTurn<T>(dropped: AbortSignal, hash: () => Promise<T>): Promise<T> {
    if (this.#hashing >= maxHashesAtOnce) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#hashing++;
    try {
      dropped.throwIfAborted();
      return await hash();
    } finally {
      const next = this.#turns.shift();
      if (next) next();
      else this.#hashing--;
    }
  }
}
