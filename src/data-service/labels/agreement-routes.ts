import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type {
  HoneypotScoreSchema,
  LabelAgreementSchema,
  LabelService,
} from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import { callerOf } from '../ports/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Actor } from '../ports/audit-store.ts';
import type { LabelTask } from '../ports/label-store.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { requireWorkers, workerMessage } from './label-messages.ts';
import { FairTurns } from '../query/fair-turns.ts';
import { Turns } from '../../base/schedule/turns.ts';
import { LabelNumbers, type DrawnBoxes } from './drawn-boxes.ts';
import { AgreementBudget, AgreementMeasure, type Agreement } from './measure-agreement.ts';
import { taskPages } from './task-pages.ts';

/** Tasks that are read at a time, unless their boxes are so many that fewer come. */
const pageTasks = 500;
/** About so many tasks of a worker are measured, the oldest first: more hardly change a figure, and take long to match. */
const mostTasks = 20_000;
/** To read a box takes as long as to compare so many pairs. */
const unitsOfBox = 100;
/** Calls share the thread that serves: two are measured at once, of two organizations. */
const places = { places: 2, perOrganization: 1, perKey: 1, waitingPerOrganization: 20, shortPlaces: 0 };

type AgreementRoutes = Pick<ServiceImpl<typeof LabelService>, 'getAgreement'>;

/** Inter-annotator agreement: how far people draw the same boxes. */
export function agreementRoutes({ store: { labels } }: Pick<DataServiceDependencies, 'store'>): AgreementRoutes {
  const fairTurns = new FairTurns(places);
  return {
    async getAgreement({ organizationId, datasetId, workers, iou }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      const compared = requireWorkers(workers, 'workers', 2);
      // NaN fails both comparisons
      if (!(iou >= 0 && iou <= 1)) throw invalidArgument(`iou is ${iou}; it must be a number from 0 to 1.`);
      const least = iou === 0 ? 0.5 : iou;
      const [turns, numbers, budget] = [new Turns(), new LabelNumbers(), new AgreementBudget()];
      const measure = (): AgreementMeasure => new AgreementMeasure(least, numbers, turns, budget);
      const both = measure();
      const ofFirst = new Map<string, DrawnBoxes>();

      async function drawn(boxes: LabelTask['boxes']): Promise<DrawnBoxes> {
        budget.takeBoxes(boxes.length);
        if (turns.spend(unitsOfBox * boxes.length)) await turns.next();
        return numbers.drawn(boxes);
      }

      /** The blind tasks that a worker has handed in, the oldest of each state first. */
      async function* handedIn(assignee: Actor): AsyncGenerator<LabelTask> {
        let count = 0;
        for (const state of ['done', 'accepted'] as const) {
          const { locationId, partId } = principal;
          const filter = { organizationId, locationId, partId, assignee, state, datasetId, binaryDataId: '' };
          for await (const page of taskPages(labels, filter, pageTasks)) {
            context.signal.throwIfAborted();
            if (turns.spend(unitsOfBox * page.length)) await turns.next();
            for (const task of page) if (task.isBlind && count++ < mostTasks) yield task;
            if (count >= mostTasks) return;
          }
        }
      }

      async function honeypotScore(
        assignee: Actor,
        compare: (task: LabelTask, boxes: DrawnBoxes) => Promise<void>,
      ): Promise<MessageInitShape<typeof HoneypotScoreSchema>> {
        const measured = measure();
        let images = 0;
        for await (const task of handedIn(assignee)) {
          const boxes = await drawn(task.boxes);
          await compare(task, boxes);
          if (task.truth === null) continue;
          images++;
          await measured.add(await drawn(task.truth), boxes);
        }
        return { worker: workerMessage(assignee), images, ...(await agreementMessages(measured)) };
      }

      const asker = { organizationId, keyId: callerOf(principal), isPipeline: false };
      const turn = await fairTurns.enter(asker, context.signal);
      try {
        const [first, second] = compared;
        const honeypots = [
          await honeypotScore(first!, async ({ binaryDataId }, boxes) => {
            if (second !== undefined) ofFirst.set(binaryDataId, boxes);
          }),
        ];
        if (second !== undefined) {
          const score = await honeypotScore(second, async ({ binaryDataId }, boxes) => {
            const others = ofFirst.get(binaryDataId);
            ofFirst.delete(binaryDataId); // a task that is accepted meanwhile is read twice
            if (others !== undefined) await both.add(others, boxes);
          });
          honeypots.push(score);
        }
        return { ...(await agreementMessages(both)), honeypots };
      } finally {
        turn.leave();
      }
    },
  };
}

async function agreementMessages(measured: AgreementMeasure) {
  const { labels, overall } = await measured.result();
  return { labels: labels.map(agreementMessage), ...(overall !== null && { overall: agreementMessage(overall) }) };
}

const agreementMessage = ({ isFew, ...figures }: Agreement): MessageInitShape<typeof LabelAgreementSchema> => ({
  ...figures,
  few: isFew,
});
