import type { GetDatabaseConnectionResponse } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { errorWords } from '../../../kit/words/error-words.ts';

/** The connection of MongoDB tools to the data, and the password of their user. */
export class DatabaseUserState extends Attempts {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'announce'>;
  /** null until it is read, and if the service has no MongoDB endpoint */
  connection = $state.raw<GetDatabaseConnectionResponse | null>(null);
  /** Why there is no endpoint; null if there is one, or it is not known yet. */
  absent = $state<string | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home' | 'announce'>) {
    super();
    this.#context = context;
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
    const { organizationId } = home;
    if (!(await this.attempt(() => data.configureDatabaseUser({ organizationId, password })))) return false;
    this.#context.announce('The password is set.');
    await this.read();
    return true;
  }
}
