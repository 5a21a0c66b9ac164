import { changesOf, type LabelStore, notFound } from '../../../data-service/face/stores.ts';
import type { Keep, ReadTables, TableStore, WriteTables } from '../tables.ts';
import { auditRows, labelComments } from './entity-tables.ts';
import type { KnownFiles } from './known-files.ts';

/** The part of the store of labels that is about comments on images. */
export type CommentStore = Pick<LabelStore, 'addComment' | 'listComments' | 'editComment'>;

export const commentStore = <Writing extends WriteTables>(
  store: TableStore<ReadTables, Writing>,
  files: KnownFiles<Writing>,
  keep: Keep,
): CommentStore => ({
  addComment: (comment) =>
    store.write([labelComments, auditRows, ...files.scope], function* (tables) {
      const { organizationId, binaryDataId } = comment;
      if (!(yield* files.lock(tables, organizationId, binaryDataId))) throw notFound('binary data', binaryDataId);
      yield* tables.insertAll(labelComments, [comment]);
      yield* keep(tables, changesOf('comment', null, comment));
    }),
  listComments: (organizationId, binaryDataId, after, limit) =>
    store.read([labelComments], (tables) =>
      tables.list(labelComments, {
        where: { organizationId, binaryDataId },
        order: ['timeCreated', 'id'],
        ...(after !== null && { after: [after.time, after.id] }),
        limit,
      }),
    ),
  editComment: (organizationId, binaryDataId, id, edit) =>
    store.write([labelComments, auditRows], function* (tables) {
      const comment = yield* tables.find(labelComments, { organizationId, id, binaryDataId }, 'change');
      if (comment === null) throw notFound('comment', id);
      const edited = edit(comment);
      yield* tables.replace(labelComments, edited);
      yield* keep(tables, changesOf('comment', comment, edited));
      return edited;
    }),
});
