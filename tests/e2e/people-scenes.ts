import { readFileSync } from 'node:fs';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import type { Browser, Page } from 'playwright';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { launchPlainChromium, type Visit } from './app.ts';
import { peopleOf } from './people-server.ts';
import {
  inviteAtProvider,
  logInByProvider,
  serveWithProvider,
  visitWithProvider,
  type ServerWithProvider,
} from './provider-page.ts';

/** A scene of the documentation that shows a server. */
export interface ServerScene {
  readonly name: string;
  readonly enter: () => Promise<Visit>;
  readonly open: (page: Page) => Promise<void>;
}

const members = { Ada: 'owner', Ben: 'annotator', Cleo: 'reviewer' } as const;
const names = Object.keys(members) as (keyof typeof members)[];

/** A server with people who have work, and the scenes of it. Start it before the scenes, and close it. */
export class PeopleScenes {
  #served: ServerWithProvider | undefined;
  #browser: Browser | undefined;

  async start(): Promise<void> {
    [this.#served, this.#browser] = await Promise.all([serveWithProvider(names), launchPlainChromium()]);
    for (const name of names) {
      await inviteAtProvider(this.#served, members[name], name);
      const { context } = await this.#logIn(name, '#/data/images');
      await context.close();
    }
    await this.#giveWork(this.#served);
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#served?.close();
  }

  readonly scenes: readonly ServerScene[] = [
    {
      name: 'log-in',
      enter: () => visitWithProvider(this.#browser!, this.#served!, '#/data'),
      open: (page) => page.getByRole('link', { name: 'Log in with Acme' }).waitFor(),
    },
    {
      name: 'people',
      enter: () => this.#logIn('Ada', '#/data/settings/people'),
      async open(page) {
        await page.getByRole('button', { name: /^Ben/ }).click();
        await page.getByRole('button', { name: 'End all sessions' }).waitFor();
        await page.getByText('Dan').waitFor();
      },
    },
    {
      name: 'work',
      enter: () => this.#logIn('Ada', '#/data/work'),
      async open(page) {
        await page.getByText('1 task handed in.').waitFor();
        await page.getByRole('list', { name: 'Tasks' }).locator('img').nth(5).waitFor();
      },
    },
  ];

  #logIn(name: string, path: string): Promise<Visit> {
    return logInByProvider(this.#browser!, this.#served!, name, path);
  }

  /** Images of which each of two people has three. One of them is to be mended, one accepted, and one handed in. */
  async #giveWork({ server }: ServerWithProvider): Promise<void> {
    const { organizationId, partId, origin: baseUrl } = server;
    const people = await peopleOf(server);
    await people.inviteMember({ organizationId, role: 'operator', name: 'Dan' });
    const transport = (authorization: string | null) =>
      createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [authorizing(authorization)] });
    const { sync, labels } = await login(server, transport, new OperationRecord());
    const binaryDataIds: string[] = [];
    for (let at = 0; at < 6; at++) {
      const value = readFileSync(`public/builtin/frames/sample${(at % 3) + 1}.jpg`);
      const { binaryDataId } = await sync.dataCaptureUpload({
        metadata: { partId, fileName: `faces ${at + 1}.jpg`, type: DataType.BINARY_SENSOR, fileExtension: '.jpg' },
        sensorContents: [{ data: { case: 'binary', value } }],
      });
      binaryDataIds.push(binaryDataId);
    }
    const { members: joined } = await people.listMembers({ organizationId });
    const assignees = ['Ada', 'Ben'].map((name) => {
      const { personId: id } = joined.find(({ personName }) => personName === name)!;
      return { kind: 'person', id, name };
    });
    await labels.assignImages({ organizationId, binaryDataIds, assignees, mode: 'split' });
    const { tasks } = await labels.listTasks({ organizationId, assignee: assignees[1]! });
    for (const [at, { id, version }] of tasks.entries()) {
      const { task } = await labels.setTaskState({ id, version, state: 'done' });
      const { version: done } = task!;
      if (at === 0) await labels.setTaskState({ id, version: done, state: 'to-fix', comment: 'One face is missing' });
      if (at === 1) await labels.setTaskState({ id, version: done, state: 'accepted' });
    }
  }
}
