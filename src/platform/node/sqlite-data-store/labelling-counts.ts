import { countedChanges, freeDescriptionBytes } from '../../../data-service/face/captures.ts';

/** What counts as `Usage.labelling`, with the condition of a row. The published schema is made from this, so it must not change. */
const counted: Readonly<Record<string, (row: string) => string>> = {
  label_tasks: () => 'true',
  label_comments: () => 'true',
  label_schemes: () => 'true',
  audit_rows: (row) => `${row}what IN (${countedChanges.map((what) => `'${what}'`).join(', ')})`,
};

/** Adds counters of what people make of captures, counted from what is there, which triggers keep from then on. */
export const countLabelling = `
  ALTER TABLE usage ADD COLUMN labelling_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE usage ADD COLUMN labelling_bytes INTEGER NOT NULL DEFAULT 0;
  INSERT INTO usage (organization_id, labelling_count, labelling_bytes)
    SELECT organization_id, count(*), sum(size) FROM (
      ${Object.entries(counted)
        .map(
          ([table, isCounted]) => `SELECT organization_id, length(entry) AS size FROM ${table} WHERE ${isCounted('')}`,
        )
        .join(' UNION ALL ')}
    ) WHERE true GROUP BY organization_id
    ON CONFLICT DO UPDATE SET labelling_count = excluded.labelling_count, labelling_bytes = excluded.labelling_bytes;
  ${Object.entries(counted)
    .map(
      ([table, isCounted]) => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} WHEN ${isCounted('NEW.')} BEGIN
    INSERT INTO usage (organization_id, labelling_count, labelling_bytes)
      VALUES (NEW.organization_id, 1, length(NEW.entry))
      ON CONFLICT DO UPDATE SET labelling_count = labelling_count + 1,
        labelling_bytes = labelling_bytes + excluded.labelling_bytes;
  END;
  CREATE TRIGGER ${table}_replaced AFTER UPDATE OF entry ON ${table} WHEN ${isCounted('NEW.')} BEGIN
    UPDATE usage SET labelling_bytes = labelling_bytes + length(NEW.entry) - length(OLD.entry)
      WHERE organization_id = NEW.organization_id;
  END;
  CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} WHEN ${isCounted('OLD.')} BEGIN
    UPDATE usage SET labelling_count = labelling_count - 1, labelling_bytes = labelling_bytes - length(OLD.entry)
      WHERE organization_id = OLD.organization_id;
  END;`,
    )
    .join('')}
`;

/** What counts of the description of a file. */
const beyondFree = (row: string): string => `max(0, length(${row}entry) - ${freeDescriptionBytes})`;

/** Adds what is kept beside the bytes of files, with their boxes. The published schema, as above. */
export const countDescriptions = `
  INSERT INTO usage (organization_id, labelling_bytes)
    SELECT organization_id, sum(${beyondFree('')}) FROM binary_captures WHERE ${beyondFree('')} > 0 GROUP BY organization_id
    ON CONFLICT DO UPDATE SET labelling_bytes = labelling_bytes + excluded.labelling_bytes;
  CREATE TRIGGER binary_captures_added AFTER INSERT ON binary_captures WHEN ${beyondFree('NEW.')} > 0 BEGIN
    INSERT INTO usage (organization_id, labelling_bytes) VALUES (NEW.organization_id, ${beyondFree('NEW.')})
      ON CONFLICT DO UPDATE SET labelling_bytes = labelling_bytes + excluded.labelling_bytes;
  END;
  CREATE TRIGGER binary_captures_replaced AFTER UPDATE OF entry ON binary_captures
    WHEN ${beyondFree('NEW.')} <> ${beyondFree('OLD.')} BEGIN
    UPDATE usage SET labelling_bytes = labelling_bytes + ${beyondFree('NEW.')} - ${beyondFree('OLD.')}
      WHERE organization_id = NEW.organization_id;
  END;
  CREATE TRIGGER binary_captures_deleted AFTER DELETE ON binary_captures WHEN ${beyondFree('OLD.')} > 0 BEGIN
    UPDATE usage SET labelling_bytes = labelling_bytes - ${beyondFree('OLD.')}
      WHERE organization_id = OLD.organization_id;
  END;
`;
