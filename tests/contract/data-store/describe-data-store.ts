import { afterEach, beforeEach, describe } from 'vitest';
import { describeAccess } from './access.ts';
import { describeAudit } from './audit.ts';
import { describeAuditOfCalls } from './audit-of-calls.ts';
import { describeBinary } from './binary.ts';
import { describeBlobs } from './blobs.ts';
import { describeDatasets } from './datasets.ts';
import { describeDeletions } from './deletions.ts';
import { describeDrawing } from './drawing.ts';
import { describeIndexes } from './indexes.ts';
import { describeLabels } from './labels.ts';
import { describeLeases } from './leases.ts';
import { describePeople } from './people.ts';
import { describePipelines } from './pipelines.ts';
import { describeRandomOperations } from './random-operations.ts';
import { describeResults } from './results.ts';
import { describeSavedQueries } from './saved-queries.ts';
import { describeSequences } from './sequences.ts';
import { describeSharing } from './sharing.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { describeTabular } from './tabular.ts';
import { describeUsage } from './usage.ts';

/** The contract tests for every data store: the rules in the doc comments of src/data-service/ports. */
export function describeDataStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the data store ${name}`, () => {
    let opened: StoreUnderTest;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const subject = (): StoreUnderTest => opened;
    describeBinary(subject);
    describeTabular(subject);
    describeDatasets(subject);
    describeAccess(subject);
    describePipelines(subject);
    describePeople(subject);
    describeSavedQueries(subject);
    describeSequences(subject);
    describeLabels(subject);
    describeDeletions(subject);
    describeDrawing(subject);
    describeIndexes(subject);
    describeBlobs(subject);
    describeLeases(subject);
    describeUsage(subject);
    describeAudit(subject);
    describeAuditOfCalls(subject);
    describeResults(subject);
    describeSharing(subject);
    describeRandomOperations(open);
  });
}
