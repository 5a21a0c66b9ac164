import { MongoError } from './mongo-error.ts';

const writing = new Set(
  `insert update delete bulkWrite findAndModify findandmodify create createIndexes drop dropDatabase dropIndexes
  renameCollection collMod convertToCapped cloneCollectionAsCapped compact reIndex mapReduce createSearchIndexes
  updateSearchIndex dropSearchIndex createUser updateUser dropUser dropAllUsersFromDatabase grantRolesToUser
  revokeRolesFromUser createRole updateRole dropRole grantPrivilegesToRole`.split(/\s+/),
);

const administering = new Set(
  `serverStatus hostInfo getLog getCmdLineOpts top currentOp killOp killSessions killAllSessions replSetGetStatus
  usersInfo rolesInfo profile setParameter shutdown fsync fsyncUnlock validate dbHash logRotate
  setFeatureCompatibilityVersion dbStats collStats dataSize connPoolStats listCommands getClusterParameter`.split(
    /\s+/,
  ),
);

const withoutCounterpart = new Set(['explain', 'commitTransaction', 'abortTransaction']);

/** Whether MongoDB has such a command, which is not answered here. */
export const isRefused = (command: string): boolean =>
  writing.has(command) || administering.has(command) || withoutCounterpart.has(command);

/** Known commands that MongoDB would refuse to a user with the role `read`, and unknown ones. */
export function refusalOf(command: string): MongoError {
  if (writing.has(command)) {
    const words = 'data is uploaded, tagged and deleted by the calls of the data service';
    return new MongoError('Unauthorized', `${command} writes, and this endpoint only reads: ${words}.`);
  }
  if (administering.has(command)) {
    return new MongoError('Unauthorized', `${command} is not allowed to the user of the database endpoint.`);
  }
  if (command === 'explain') return new MongoError('CommandNotSupported', 'explain is not supported here.');
  if (withoutCounterpart.has(command)) {
    return new MongoError('IllegalOperation', 'There are no transactions here: every query reads for itself.');
  }
  return new MongoError('CommandNotFound', `no such command: '${command}'`);
}
