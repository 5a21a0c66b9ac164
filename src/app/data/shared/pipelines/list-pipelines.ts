import type { DataPipeline } from '../../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { DataContext } from '../../context/data-context.ts';

/** The pipelines of the home's organization, in the service's order. @throws ConnectError */
export async function listPipelines(
  { pipelines, home }: Pick<DataContext, 'pipelines' | 'home'>,
  signal?: AbortSignal,
): Promise<readonly DataPipeline[]> {
  const { organizationId } = home;
  return (await pipelines.listDataPipelines({ organizationId }, signal && { signal })).dataPipelines;
}
