import type { GetDatabaseConnectionResponse } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';

/** The connection of MongoDB tools to the data, and the password of their user. */
export class DatabaseUserState {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'announce'>;
  /** null until it is read, and if the service has no MongoDB endpoint */
  connection = $state.raw<GetDatabaseConnectionResponse | null>(null);
  /** Why there is no endpoint; null if there is one, or it is not known yet. */
  absent = $state<string | null>(null);
  /** Why the password was not set. */
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home' | 'announce'>) {
    this.#context = context;
  }

  dismiss(): void {
    this.failure = null;
  }

  async read(signal?: AbortSignal): Promise<void> {
    const { data, home } = this.#context;
    try {
      const { organizationId } = home;
      this.connection = await data.getDatabaseConnection({ organizationId }, signal && { signal });
      this.absent = null;
    } catch (error) {
      if (!signal?.aborted) this.absent = errorWords(error)?.message ?? null;
    }
  }

  /** Sets the user's password; resolves to whether that worked. */
  async setPassword(password: string): Promise<boolean> {
    const { data, home } = this.#context;
    this.failure = null;
    try {
      await data.configureDatabaseUser({ organizationId: home.organizationId, password });
    } catch (error) {
      this.failure = errorWords(error);
      return false;
    }
    this.#context.announce('The password is set.');
    await this.read();
    return true;
  }
}
