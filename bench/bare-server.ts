import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { DataSyncService } from '../src/gen/app/datasync/v1/data_sync_pb.ts';

// The baseline for the data service: a server that reads the same messages over the same protocol, and does nothing with them.
const server: Server = createServer(
  connectNodeAdapter({
    routes: (router) =>
      router.service(DataSyncService, {
        dataCaptureUpload({ sensorContents }) {
          let sum = 0;
          for (const { data } of sensorContents) {
            if (data.case === 'binary') for (let at = 0; at < data.value.length; at += 64) sum += data.value[at]!;
          }
          return { fileId: String(sum), binaryDataId: '' };
        },
      }),
  }),
);
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
