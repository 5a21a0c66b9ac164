import { openDB, type DBSchema } from 'idb';
import type { ChangeRule } from '../../ports/change-rule.ts';

interface Rules extends DBSchema {
  rules: { key: string; value: number };
}

const changes = 'days of changes';

/** In a database of its own, so that the rule is kept when the data is deleted. @param name of that database */
export function idbChangeRule(name = 'sightglass-rules'): ChangeRule {
  async function using<T>(work: (database: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const database = await open(name);
    try {
      return await work(database);
    } finally {
      database.close();
    }
  }
  return {
    days: () => using(async (database) => (await database.get('rules', changes)) ?? null),
    setDays: (days) =>
      using(async (database) => {
        if (days === null) await database.delete('rules', changes);
        else await database.put('rules', days, changes);
      }),
  };
}

const open = (name: string) =>
  openDB<Rules>(name, 1, {
    upgrade: (opened) => void opened.createObjectStore('rules'),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
