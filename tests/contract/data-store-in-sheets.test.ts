import { describeDataStore } from './data-store/describe-data-store.ts';
import { describeFieldIndexes } from './data-store/field-indexes.ts';
import { openSqlite } from './data-store/open-sqlite.ts';

describeDataStore('in SQLite and files, in sheets of two readings', openSqlite(2));
describeFieldIndexes('in SQLite, in sheets of two readings', openSqlite(2));
