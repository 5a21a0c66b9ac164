/**
 * Whether a store of a database holds anything: a page without data starts nothing for it. It opens the database as it is,
 * and neither makes nor upgrades one.
 */
export async function hasRecords(databaseName: string, storeName: string): Promise<boolean> {
  try {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === databaseName)) return false;
    const database = await answered(indexedDB.open(databaseName));
    try {
      if (!database.objectStoreNames.contains(storeName)) return false;
      return (await answered(database.transaction(storeName).objectStore(storeName).count())) > 0;
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
