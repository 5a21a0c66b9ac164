import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type {
  HoneypotScoreSchema,
  LabelAgreementSchema,
  LabelService,
} from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { Actor } from '../ports/audit-store.ts';
import { positionOfCreated, type LabelTask } from '../ports/label-store.ts';
import { pagesOf } from '../retrieval/pages-of.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { requireWorkers, workerMessage } from './label-messages.ts';
import { measureAgreement, type Agreement } from './measure-agreement.ts';

const pageTasks = 500;
/** About so many tasks of a worker are measured, the oldest first: more hardly change a figure, and take long to match. */
const mostTasks = 20_000;

type AgreementRoutes = Pick<ServiceImpl<typeof LabelService>, 'getAgreement'>;

/** Inter-annotator agreement: how far people draw the same boxes. */
export function agreementRoutes({ store: { labels } }: Pick<DataServiceDependencies, 'store'>): AgreementRoutes {
  return {
    async getAgreement({ organizationId, datasetId, workers, iou }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      const compared = requireWorkers(workers, 'workers', 2);
      // NaN fails both comparisons
      if (!(iou >= 0 && iou <= 1)) throw invalidArgument(`iou is ${iou}; it must be a number from 0 to 1.`);
      const least = iou === 0 ? 0.5 : iou;

      /** The blind tasks that a worker has handed in. */
      async function handedIn(assignee: Actor): Promise<readonly LabelTask[]> {
        const tasks: LabelTask[] = [];
        for (const state of ['done', 'accepted'] as const) {
          const filter = {
            organizationId,
            locationId: principal.locationId,
            partId: principal.partId,
            assignee,
            state,
            datasetId,
            binaryDataId: '',
          };
          const pages = pagesOf((after) => labels.listTasks(filter, after, pageTasks), pageTasks, positionOfCreated);
          for await (const page of pages) {
            context.signal.throwIfAborted();
            tasks.push(...page.filter(({ isBlind }) => isBlind));
            if (tasks.length >= mostTasks) break;
          }
        }
        return tasks;
      }

      const [ofA = [], ofB = []] = await Promise.all(compared.map(handedIn));
      const byImage = new Map(ofA.map(({ binaryDataId, boxes }) => [binaryDataId, boxes]));
      const both = ofB.flatMap(({ binaryDataId, boxes: b }) => {
        const a = byImage.get(binaryDataId);
        return a === undefined ? [] : [{ a, b }];
      });
      const agreement = measureAgreement(both, least);
      return {
        labels: agreement.labels.map(agreementMessage),
        ...(agreement.overall !== null && { overall: agreementMessage(agreement.overall) }),
        honeypots: [ofA, ofB]
          .slice(0, compared.length)
          .map((tasks, index) => honeypotScore(compared[index]!, tasks, least)),
      };
    },
  };
}

function honeypotScore(
  worker: Actor,
  tasks: readonly LabelTask[],
  iou: number,
): MessageInitShape<typeof HoneypotScoreSchema> {
  const measured = tasks.flatMap(({ truth, boxes }) => (truth === null ? [] : [{ a: truth, b: boxes }]));
  const { labels, overall } = measureAgreement(measured, iou);
  return {
    worker: workerMessage(worker),
    images: measured.length,
    labels: labels.map(agreementMessage),
    ...(overall !== null && { overall: agreementMessage(overall) }),
  };
}

const agreementMessage = ({ isFew, ...figures }: Agreement): MessageInitShape<typeof LabelAgreementSchema> => ({
  ...figures,
  few: isFew,
});
