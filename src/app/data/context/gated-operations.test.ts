import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescMethod } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { requirementOf } from '../../../data-service/access/operation-roles.ts';
import { isAtLeast } from '../../../data-service/ports/access-store.ts';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../../gen/app/datasync/v1/data_sync_pb.ts';
import { AuditService } from '../../../gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../../gen/sightglass/labels/v1/labels_pb.ts';
import { PeopleService } from '../../../gen/sightglass/people/v1/people_pb.ts';
import { QueryService } from '../../../gen/sightglass/query/v1/query_pb.ts';

const services = [
  DataService,
  DataSyncService,
  DatasetService,
  DataPipelinesService,
  QueryService,
  AuditService,
  LabelService,
  PeopleService,
];
const methods = new Map<string, DescMethod>(
  services.flatMap(({ methods: all }) => all.map((one) => [one.localName, one] as const)),
);

/** Operations that are called only behind the control or the tab of another one, which requires as much or more. */
const behind: Readonly<Record<string, string>> = {
  dataCaptureUpload: 'fileUpload',
  streamingDataCaptureUpload: 'fileUpload',
  tabularDataBySQL: 'tabularDataByMQL',
  getSavedQuery: 'tabularDataByMQL',
  listSavedQueries: 'tabularDataByMQL',
  listDataPipelineRuns: 'listDataPipelines',
  getSequence: 'listSequences',
  sequencesByDatasetID: 'listSequences',
  getSequenceBinaryData: 'listSequences',
  getSequenceDatasetExport: 'startSequenceDatasetExport',
  listInvitations: 'inviteMember',
  deleteInvitation: 'inviteMember',
  changeMember: 'inviteMember',
  removeMember: 'inviteMember',
  endSessions: 'inviteMember',
};

/** The page's code without tests. */
const sources: readonly string[] = readdirSync('src/app', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|svelte)$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join('src/app', path), 'utf8'));
const occurs = (pattern: string): boolean => sources.some((text) => new RegExp(pattern).test(text));

const isCalled = (name: string): boolean => occurs(`\\b${name}\\(`);
/** whether the page asks if it would be refused: for a control, or for a tab as a whole */
const isAsked = (name: string): boolean =>
  occurs(`refusal(?:\\?\\.)?\\((?:[^()]|\\([^()]*\\))*\\b${name}\\b`) || occurs(`needs: [\\w.]+\\.${name}\\b`);

const called = [...methods.values()].filter((method) => {
  const { role, wholeOrganization } = requirementOf(method);
  return (wholeOrganization || (role !== null && role !== 'annotator')) && isCalled(method.localName);
});

it('finds the operations that the page calls and not everyone may', () => {
  const names = called.map(({ localName }) => localName);
  for (const name of ['deleteBinaryDataByIDs', 'createSequence', 'enableDataPipeline', 'putScheme', 'removeMember'])
    expect(names).toContain(name);
  expect([isCalled('noSuchOperation'), isAsked('noSuchOperation')]).toEqual([false, false]);
});

it.each(called.map(({ localName }) => localName))('asks whether %s would be refused before it offers it', (name) => {
  const asked = behind[name] ?? name;
  expect(isAsked(asked)).toBe(true);
  const [own, other] = [requirementOf(methods.get(name)!), requirementOf(methods.get(asked)!)];
  expect(isAtLeast(other.role!, own.role!)).toBe(true);
  expect(other.wholeOrganization || !own.wholeOrganization).toBe(true);
});

it('names nothing behind another that the page does not call', () => {
  expect(Object.keys(behind).filter((name) => !called.includes(methods.get(name)!))).toEqual([]);
});
