import { ChangedMeanwhile, type WatchedConfig } from '../../platform/ports/watched-config.ts';
import { AccountError } from './account-error.ts';
import type { Account } from './account.ts';
import { entriesOfText, textOfEntries, textOfPart } from './part-text.ts';

/**
 * Opens the configuration of a part, to read it and to write it if nobody has changed it meanwhile. If the service stores
 * only values, the values are compared, and the text is generated. Rejects with AccountError.
 * @param place words for the part and its service, shown to a person
 */
export async function watchPart(account: Account, partId: string, place: string): Promise<WatchedConfig> {
  let last = await account.part(partId);

  const inForm = (text: string): string => {
    const entries = last.text === null ? entriesOfText(text) : null;
    return entries ? textOfEntries(entries) : text;
  };

  async function read(): Promise<string> {
    last = await account.part(partId);
    return textOfPart(last);
  }

  return {
    name: last.name,
    place,
    partId,
    read,
    inForm,
    get keeps() {
      return last.text === null ? 'values' : 'text';
    },
    async replace(before, after) {
      const entries = entriesOfText(after);
      if (!entries) throw new AccountError('unreadable', 'The text is not a JSON object.', 'Fix it, then write it.');
      const there = await read();
      const wanted = inForm(after);
      if (there === wanted) return there;
      if (there !== before) throw new ChangedMeanwhile(there);
      try {
        last = await account.update({ ...last, entries, text: last.text === null ? null : after });
        return textOfPart(last);
      } catch (error) {
        // Either the answer was lost, or somebody else has written first. The error differs between services, so read the
        // configuration again and compare it.
        const since = await textNow(account, partId);
        if (since === wanted) return since;
        if (since !== null && since !== before) throw new ChangedMeanwhile(since, { cause: error });
        throw error;
      }
    },
  };
}

async function textNow(account: Account, partId: string): Promise<string | null> {
  try {
    return textOfPart(await account.part(partId));
  } catch {
    return null;
  }
}
