/**
 * Whether any of these stores of a database holds something: a page without data starts nothing for it. It opens the database
 * once, as it is, and neither makes nor upgrades one.
 */
export async function hasRecords(databaseName: string, ...storeNames: readonly string[]): Promise<boolean> {
  try {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === databaseName)) return false;
    const database = await answered(indexedDB.open(databaseName));
    try {
      const present = storeNames.filter((name) => database.objectStoreNames.contains(name));
      if (present.length === 0) return false;
      const transaction = database.transaction(present);
      const counts = await Promise.all(present.map((name) => answered(transaction.objectStore(name).count())));
      return counts.some((count) => count > 0);
    } finally {
      database.close();
    }
  } catch {
    return false; // a browser that gives no storage has none
  }
}

const answered = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s storage did not answer.'));
  });
