import { deserialize, serialize } from 'bson';
import { DataService } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';

/** A source of readings (a method of a component of a machine part), and its number of readings. */
export interface ReadingSource {
  readonly partId: string;
  readonly componentName: string;
  readonly componentType: string;
  readonly methodName: string;
  readonly count: number;
}

export const sourceKey = ({ partId, componentName, componentType, methodName }: ReadingSource): string =>
  JSON.stringify([partId, componentName, componentType, methodName]);

/** All sources of an organization, sorted by name; none where the person may not query for them. @throws ConnectError */
export async function readingSources(
  { data, home, refusal }: Pick<DataContext, 'data' | 'home' | 'refusal'>,
  signal: AbortSignal,
): Promise<readonly ReadingSource[]> {
  if (refusal(DataService.method.tabularDataByMQL)) return [];
  const key = { part: '$part_id', name: '$component_name', type: '$component_type', method: '$method_name' };
  const stage = serialize({ $group: { _id: key, count: { $sum: 1 } } }) as Uint8Array<ArrayBuffer>;
  const answer = await data.tabularDataByMQL({ organizationId: home.organizationId, mqlBinary: [stage] }, { signal });
  return answer.rawData
    .map((document) => {
      const { _id: of, count } = deserialize(document) as { _id: Record<string, string>; count: unknown };
      return {
        partId: of['part'] ?? '',
        componentName: of['name'] ?? '',
        componentType: of['type'] ?? '',
        methodName: of['method'] ?? '',
        count: Number(count),
      };
    })
    .toSorted((a, b) => a.componentName.localeCompare(b.componentName));
}
