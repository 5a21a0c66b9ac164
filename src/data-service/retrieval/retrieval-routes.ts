import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { binaryDataByFilter, binaryDataByIds } from './binary-data.ts';
import { exportTabularData, latestTabularData } from './resource-data.ts';
import { tabularDataByFilter } from './tabular-data.ts';

type RetrievalRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'binaryDataByFilter' | 'binaryDataByIDs' | 'tabularDataByFilter' | 'getLatestTabularData' | 'exportTabularData'
>;

/** How stored data is found and handed out. */
export const retrievalRoutes = (dependencies: DataServiceDependencies): RetrievalRoutes => ({
  binaryDataByFilter: (request, context) => binaryDataByFilter(dependencies, request, context),
  binaryDataByIDs: (request, context) => binaryDataByIds(dependencies, request, context),
  tabularDataByFilter: (request, context) => tabularDataByFilter(dependencies, request, context),
  getLatestTabularData: (request, context) => latestTabularData(dependencies, request, context),
  exportTabularData: (request, context) => exportTabularData(dependencies, request, context),
});
