import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startDataService } from '../../../tests/data-service-fixture.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { ByteBudget } from '../limits/byte-budget.ts';
import { sendDownload } from './send-download.ts';

it('makes exports, whose length nobody knows, only while there is memory for them', async () => {
  const { dependencies, operator } = await startDataService();
  const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
  const { id: datasetId } = await operator.datasets.createDataset(clips);
  const { jobId } = await operator.datasets.startSequenceDatasetExport({ datasetId });
  const { downloadUrl } = await operator.datasets.getSequenceDatasetExport({ jobId });

  const memory = new ByteBudget(2 ** 20, 0);
  const server = createServer(
    (request, response) =>
      void sendDownload(
        dependencies,
        { verify: () => Promise.resolve(null), session: null, memory },
        'someone',
        request,
        response,
      ),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const fetched = async (url: string) => {
    const answer = await fetch(url.replace('https://data.example', `http://127.0.0.1:${port}`));
    await answer.arrayBuffer();
    return answer.status;
  };

  const held = await memory.hold('another', 2 ** 20, new AbortController().signal);
  expect(await fetched(downloadUrl)).toBe(503);
  expect(await fetched(downloadUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(403);
  held!.release();
  expect(await fetched(downloadUrl)).toBe(200);
  expect(memory.total).toBe(0);
});
