import { organizationCommand, type MongoCommand } from './command.ts';
import { countField, textField } from './command-fields.ts';
import { MongoError } from './mongo-error.ts';

const getMore = organizationCommand(({ service, organizationId, database, document }) => {
  const namespace = `${database}.${textField(document, 'collection')}`;
  return service.cursors.read(organizationId, cursorId(document.getMore), namespace, countField(document, 'batchSize'));
});

const killCursors = organizationCommand(({ service, organizationId, document }) => {
  const ids: unknown = document.cursors;
  if (!Array.isArray(ids)) throw new MongoError('TypeMismatch', 'cursors must be an array of cursor ids.');
  const killed = ids.filter((id) => service.cursors.close(organizationId, cursorId(id)));
  const cursorsNotFound = ids.filter((id) => !killed.includes(id)) as unknown[];
  return { cursorsKilled: killed as unknown[], cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
});

/** An int64, which a decoder hands out as a number where that is exact. */
function cursorId(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'Long') {
    return (value as { toString(): string }).toString();
  }
  throw new MongoError('TypeMismatch', 'A cursor id must be a whole number of 64 bits.');
}

/** Commands that read an answer on, by name. */
export const cursorCommands: Readonly<Record<string, MongoCommand>> = { getMore, killCursors };
