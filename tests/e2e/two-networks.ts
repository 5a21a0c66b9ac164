import { spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../../scripts/chromium.ts';
import { randomSource } from '../random-frame.ts';
import { unlessAborted } from '../../src/base/schedule/unless-aborted.ts';
import { runs } from '../oracle/packed-program.ts';

// Two networks on one computer: a machine is in one, a browser in the other, and no packet passes from one to the other. This computer is
// in both, and so is a relay (TURN) that runs on it.

/** Whether this computer can have them: Linux, root, `ip` of iproute2, and Debian's coturn as the relay. */
export const hasTwoNetworks =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  runs('turnserver', '--version') &&
  runs('ip', 'netns', 'add', 'sightglass-probe') &&
  runs('ip', 'netns', 'delete', 'sightglass-probe');

/** One end of a network: this computer has `gateway` in it, and what runs `within` has `address`. */
interface Network {
  readonly address: string;
  readonly gateway: string;
  readonly within: readonly string[];
  /** name of the end there */
  readonly device: string;
  /** the end at this computer; while it is down, no packet passes */
  set(state: 'up' | 'down'): void;
  remove(): void;
}

function ip(command: string): void {
  const { status, stderr } = spawnSync('ip', command.split(' '), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${command}: ${stderr}`);
}

/** @param third the third number of its addresses */
function addNetwork(name: string, third: number): Network {
  const namespace = `sightglass-${name}-${process.pid}`;
  const [here, there] = [`sg${name[0]}h${process.pid}`, `sg${name[0]}t${process.pid}`];
  const [gateway, address] = [`10.77.${third}.1`, `10.77.${third}.2`];
  ip(`netns add ${namespace}`);
  ip(`link add ${here} type veth peer name ${there} netns ${namespace}`);
  ip(`addr add ${gateway}/24 dev ${here}`);
  ip(`link set ${here} up`);
  ip(`-n ${namespace} addr add ${address}/24 dev ${there}`);
  for (const device of ['lo', there]) ip(`-n ${namespace} link set ${device} up`);
  ip(`-n ${namespace} route add default via ${gateway}`);
  return {
    address,
    gateway,
    within: ['ip', 'netns', 'exec', namespace],
    device: there,
    set: (state) => ip(`link set ${here} ${state}`),
    remove: () => ip(`netns delete ${namespace}`),
  };
}

/** What happens to packets between the browser and the relay. */
export interface Weather {
  /** one way */
  readonly delayMs: number;
  /** 0 … 1 */
  readonly lostShare: number;
}

export interface TwoNetworks {
  readonly ofMachine: Network;
  readonly ofPage: Network;
  /** the relay, as an account service names it */
  readonly iceServers: readonly { readonly urls: string[]; readonly username: string; readonly credential: string }[];
  readonly weather: { now: Weather };
  /** starts Chromium in the network of the page */
  readonly browserPath: string;
  /** Lets the browser reach a server of this computer, at the same address as here. */
  letReach(url: string): Promise<void>;
  close(): Promise<void>;
}

/** The flag by which the browser reaches this computer as 127.0.0.1. */
export const thisComputerFlag = ({ ofPage }: TwoNetworks): string =>
  `--host-resolver-rules=MAP 127.0.0.1 ${ofPage.gateway}`;

/** Removes networks of runs that were ended before they could. */
function removeStale(): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const [namespace, pid] of stdout.matchAll(/sightglass-(?:page|machine)-(\d+)/g))
    if (!existsSync(`/proc/${pid}`)) ip(`netns delete ${namespace}`);
}

export async function openTwoNetworks(): Promise<TwoNetworks> {
  removeStale();
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-networks-'));
  const [ofPage, ofMachine] = [addNetwork('page', 1), addNetwork('machine', 2)];
  // On a computer that forwards packets the default route leads to the other network: what the page sends there goes to nobody.
  const [page, nobody] = [`-n ${ofPage.within.at(-1)!}`, '10.77.1.9'];
  ip(`${page} neigh add ${nobody} lladdr 02:00:00:00:00:09 dev ${ofPage.device} nud permanent`);
  ip(`${page} route add ${ofMachine.address}/32 via ${nobody}`);
  const weather = { now: { delayMs: 0, lostShare: 0 } };
  const relay = await startRelay(ofPage, ofMachine);
  const way = await openWeatherWay(ofPage.gateway, relay.port, weather);
  const browserPath = join(folder, 'chromium');
  await writeFile(browserPath, `#!/bin/sh\nexec ${ofPage.within.join(' ')} '${chromiumPath()}' "$@"\n`);
  await chmod(browserPath, 0o755);
  const doors: { close(): void }[] = [way];
  return {
    ofMachine,
    ofPage,
    iceServers: [{ urls: [`turn:${ofPage.gateway}:${way.port}?transport=udp`], username: 'bench', credential: 'pass' }],
    weather,
    browserPath,
    async letReach(url) {
      const port = Number(new URL(url).port);
      const door = createServer((socket) => {
        const inside = connect(port, '127.0.0.1');
        socket.pipe(inside).pipe(socket);
        for (const end of [socket, inside]) end.on('error', () => (socket.destroy(), inside.destroy()));
      });
      door.listen(port, ofPage.gateway);
      await once(door, 'listening');
      doors.push(door);
    },
    async close() {
      for (const door of doors) door.close();
      await relay.close();
      for (const network of [ofPage, ofMachine]) network.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A relay that listens to the page's network and sends into the machine's. */
async function startRelay(ofPage: Network, ofMachine: Network) {
  const port = await freeUdpPort(ofPage.gateway);
  const args = ['-n', '--listening-ip', ofPage.gateway, '--listening-port', String(port), '--no-tls', '--no-dtls'];
  const relayed = ['--relay-ip', ofMachine.gateway, '--lt-cred-mech', '--user', 'bench:pass', '--realm', 'bench'];
  const quiet = ['--no-cli', '--log-file', '/dev/null', '--pidfile', '', '--userdb', ''];
  const child = spawn('turnserver', [...args, ...relayed, ...quiet], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  await untilAnswered(ofPage.gateway, port, () => child.exitCode === null);
  return {
    port,
    async close() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Asks a relay for this side's address until it answers (STUN's binding request). */
async function untilAnswered(address: string, port: number, isRunning: () => boolean): Promise<void> {
  const socket = createSocket('udp4').bind(0, address);
  const answered = once(socket, 'message');
  const request = Buffer.from('000100002112a442000102030405060708090a0b', 'hex');
  const asking = setInterval(() => isRunning() && socket.send(request, port, address), 50);
  const tooLong = AbortSignal.timeout(20_000);
  try {
    await unlessAborted(answered, tooLong);
  } finally {
    clearInterval(asking);
    socket.close();
  }
}

async function freeUdpPort(address: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

/** A way to the relay that delays and loses packets in both directions, as `tc netem` does where a kernel has it; losses are seeded. */
async function openWeatherWay(address: string, relayPort: number, weather: { readonly now: Weather }) {
  const random = randomSource(7);
  const outside = createSocket('udp4').bind(0, address);
  await once(outside, 'listening');
  const inside = new Map<number, Socket>();
  const pass = (send: () => void): void => {
    const { delayMs, lostShare } = weather.now;
    if (random() < lostShare) return;
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  };
  let isOpen = true;
  outside.on('message', (packet, { port, address: from }) => {
    let socket = inside.get(port);
    if (!socket) {
      socket = createSocket('udp4').bind(0, address);
      socket.on('message', (back) => pass(() => isOpen && outside.send(back, port, from)));
      socket.on('error', () => undefined);
      inside.set(port, socket);
    }
    const toRelay = socket;
    pass(() => isOpen && toRelay.send(packet, relayPort, address));
  });
  outside.on('error', () => undefined); // nobody listens any more
  return {
    port: outside.address().port,
    close() {
      isOpen = false;
      outside.close();
      for (const socket of inside.values()) socket.close();
    },
  };
}
