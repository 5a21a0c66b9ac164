import { countedChanges, freeDescriptionBytes } from '../../../data-service/face/captures.ts';

/** What counts as `Usage.labelling`, with the condition of a row. The published schema is made from this, so it must not change. */
const counted: Readonly<Record<string, string>> = {
  label_tasks: 'true',
  label_comments: 'true',
  label_schemes: 'true',
  audit_rows: `what IN (${countedChanges.map((what) => `'${what}'`).join(', ')})`,
};

/** The rows that a statement adds to what is counted, or takes from it. */
const rowsOf = (rows: string, sign: '' | '-', condition: string): string =>
  `SELECT organization_id, ${sign}1 AS rows, ${sign}octet_length(entry) AS bytes FROM ${rows} WHERE ${condition}`;

const triggerOf = (table: string, event: string, tables: string, rows: string): string => `
  CREATE FUNCTION ${table}_${event}_counted() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM count_labelling(organization_id, sum(rows)::bigint, sum(bytes)::bigint)
      FROM (${rows}) AS changed GROUP BY organization_id;
    RETURN NULL;
  END $function$;
  CREATE TRIGGER ${table}_${event}_counted AFTER ${event.toUpperCase()} ON ${table}
    REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${table}_${event}_counted();`;

/**
 * Adds counters of what people make of captures, counted from what is there, which triggers keep from then on: once a statement, in a
 * row of counts that no other write holds, as files are counted.
 */
export const countLabelling = `
  ALTER TABLE usage_counts ADD COLUMN labelling bigint NOT NULL DEFAULT 0, ADD COLUMN labelling_bytes bigint NOT NULL DEFAULT 0;
  CREATE FUNCTION count_labelling(organization text, added bigint, added_bytes bigint) RETURNS void LANGUAGE sql AS $function$
    WITH free AS (
      SELECT slot FROM usage_counts WHERE organization_id = organization LIMIT 1 FOR UPDATE SKIP LOCKED
    ), counted AS (
      UPDATE usage_counts AS held SET labelling = held.labelling + added, labelling_bytes = held.labelling_bytes + added_bytes
      FROM free WHERE held.organization_id = organization AND held.slot = free.slot
    )
    INSERT INTO usage_counts (organization_id, labelling, labelling_bytes)
      SELECT organization, added, added_bytes WHERE NOT EXISTS (SELECT FROM free);
  $function$;
  ${Object.entries(counted)
    .map(([table, condition]) => {
      const [before, after] = [rowsOf('rows_before', '-', condition), rowsOf('rows_after', '', condition)];
      return [
        triggerOf(table, 'insert', 'NEW TABLE AS rows_after', after),
        triggerOf(table, 'update', 'OLD TABLE AS rows_before NEW TABLE AS rows_after', `${before} UNION ALL ${after}`),
        triggerOf(table, 'delete', 'OLD TABLE AS rows_before', before),
        `
  INSERT INTO usage_counts (organization_id, labelling, labelling_bytes)
    SELECT organization_id, count(*), sum(octet_length(entry)) FROM ${table} WHERE ${condition} GROUP BY organization_id;`,
      ].join('');
    })
    .join('')}
`;

/** What a statement adds to what counts of descriptions of files, or takes from it. */
const descriptionsOf = (rows: string, sign: '' | '-'): string =>
  `SELECT organization_id, 0 AS rows, ${sign}(octet_length(entry) - ${freeDescriptionBytes}) AS bytes FROM ${rows}
   WHERE octet_length(entry) > ${freeDescriptionBytes}`;

/** Adds what is kept beside the bytes of files, with their boxes. */
export const countDescriptions = `
  ${triggerOf('binary_captures', 'insert', 'NEW TABLE AS rows_after', descriptionsOf('rows_after', ''))}
  ${triggerOf(
    'binary_captures',
    'update',
    'OLD TABLE AS rows_before NEW TABLE AS rows_after',
    `${descriptionsOf('rows_before', '-')} UNION ALL ${descriptionsOf('rows_after', '')}`,
  )}
  ${triggerOf('binary_captures', 'delete', 'OLD TABLE AS rows_before', descriptionsOf('rows_before', '-'))}
  INSERT INTO usage_counts (organization_id, labelling_bytes)
    SELECT organization_id, sum(bytes) FROM (${descriptionsOf('binary_captures', '')}) AS there GROUP BY organization_id;
`;
