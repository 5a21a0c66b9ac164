import { connect, type Socket } from 'node:net';

// A process that opens connections from several local addresses to a given port. Each sends a message slowly, and is opened
// again when the server closes it. At the end the process prints the total number of connections.

const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const connectionsPerAddress = 250;
const messageBytes = 60_000;
const dripBytes = 500;
const dripEveryMs = 20_000;
const reopenAfterMs = 2000;
/** interval between opening the initial connections */
const openEveryMs = 2;
/** limit of the total number of opened connections */
const maxOpened = 20_000;

const port = Number(process.argv[2]);
const head =
  `POST /proto.rpc.v1.AuthService/Authenticate HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${messageBytes}\r\n\r\n`;
const sockets = new Set<Socket>();
let opened = 0;
let ended = false;

function openFrom(localAddress: string): void {
  if (ended || opened >= maxOpened) return;
  opened++;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.add(socket);
  const drip = setInterval(() => socket.write(' '.repeat(dripBytes)), dripEveryMs);
  socket.on('error', () => undefined);
  socket.resume();
  socket.once('connect', () => socket.write(head + ' '.repeat(dripBytes)));
  socket.once('close', () => {
    sockets.delete(socket);
    clearInterval(drip);
    setTimeout(() => openFrom(localAddress), reopenAfterMs);
  });
}

process.once('message', () => {
  ended = true;
  for (const socket of sockets) socket.destroy();
  process.send!(opened);
});

for (let n = 0; n < connectionsPerAddress; n++) {
  for (const address of addresses) {
    openFrom(address);
    await new Promise((resolve) => setTimeout(resolve, openEveryMs));
  }
}
