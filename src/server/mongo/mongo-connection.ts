import type { Socket } from 'node:net';
import type { Log } from '../http/log.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import { answerCommand, LoginOutdated } from './answer-command.ts';
import type { MongoService } from './command.ts';
import { maxMessageBytes } from './connection-commands.ts';
import { Login, type LoginDependencies } from './login.ts';
import { MessageReader, ProtocolViolation } from './message-reader.ts';
import type { MongoMetrics } from '../monitoring/mongo-metrics.ts';
import { readRequest, replyTo } from './wire-message.ts';

/** A hello with all that drivers say of themselves has some hundred bytes, an exchange of SCRAM fewer. */
const maxStrangerMessageBytes = 16 * 1024;
/** Drivers keep connections for later; MongoDB's sessions last as long. */
const idleTimeoutMs = 30 * 60_000;
const keepAliveMs = 60_000;

export interface ConnectionDependencies {
  readonly service: MongoService;
  readonly login: LoginDependencies;
  readonly limits: ServerLimits;
  readonly metrics: MongoMetrics;
  readonly log: Log;
}

/** One client's connection: messages in, one after the other, and their answers. */
export class MongoConnection {
  readonly #socket: Socket;
  readonly #dependencies: ConnectionDependencies;
  readonly #id: number;
  readonly #address: string;
  readonly #login: Login;
  readonly #reader = new MessageReader();
  readonly #gone = new AbortController();
  #isBusy = false;
  #isReceiving = false;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, id: number, dependencies: ConnectionDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    this.#id = id;
    this.#address = socket.remoteAddress ?? 'gone';
    this.#login = new Login(dependencies.login, this.#address);
    const { metrics, limits } = dependencies;
    metrics.connections.inc();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('error', () => undefined); // the client's end broke; 'close' follows
    socket.once('close', () => {
      clearTimeout(this.#timer);
      metrics.connections.dec();
      this.#gone.abort(new Error('The client is gone.'));
    });
    socket.on('data', (chunk) => this.#receive(chunk));
    this.#awaitClient(limits.headersTimeoutMs);
  }

  /** null: not logged in */
  get organizationId(): string | null {
    return this.#login.organizationId;
  }

  /** Lets the command that is under way finish. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isBusy) this.#socket.destroy();
  }

  cut(): void {
    this.#socket.destroy();
  }

  get #maxBytes(): number {
    return this.organizationId === null ? maxStrangerMessageBytes : maxMessageBytes;
  }

  #receive(chunk: Buffer): void {
    this.#reader.push(chunk);
    // Reading goes on during a command, to learn that the client is gone, but not without end.
    if (this.#isBusy && this.#reader.length > this.#maxBytes) this.#socket.pause();
    void this.#answerAll();
  }

  async #answerAll(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let message = this.#take(); message !== null; message = this.#take()) {
        clearTimeout(this.#timer);
        this.#isReceiving = false;
        await this.#answer(message);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isBusy = false;
    if (this.#isEnding) this.#socket.destroy();
    if (this.#socket.destroyed) return;
    this.#socket.resume();
    this.#awaitMessage();
  }

  #take(): Buffer | null {
    return this.#socket.destroyed || this.#isEnding ? null : this.#reader.take(this.#maxBytes);
  }

  async #answer(message: Buffer): Promise<void> {
    const { service, metrics, log } = this.#dependencies;
    const startMs = performance.now();
    const request = readRequest(message);
    const peer = `${this.#address}:${this.#socket.remotePort}`;
    const connection = { id: this.#id, peer, login: this.#login };
    metrics.running.inc();
    const { reply, command, outcome } = await answerCommand(service, connection, request, this.#gone.signal).finally(
      () => metrics.running.dec(),
    );
    metrics.commands.inc({ command, outcome });
    // neither the query nor the user's messages: they may hold what is nobody's business
    const ms = Math.round(performance.now() - startMs);
    const level = ['hello', 'isMaster', 'ismaster', 'ping'].includes(command) ? 'debug' : 'info';
    const who = { address: this.#address, connection: this.#id, organization: this.organizationId };
    log[level]({ operation: `mongo ${command}`, outcome, ms, ...who }, 'answered');
    if (request.wantsReply) await this.#send(replyTo(request, reply));
  }

  /** Waits until the client took it all. */
  async #send(bytes: Uint8Array): Promise<void> {
    const { stallTimeoutMs, minBytesPerSecond } = this.#dependencies.limits;
    const sent = new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
    this.#awaitClient(stallTimeoutMs, (minBytesPerSecond * stallTimeoutMs) / 1000);
    await sent;
    clearTimeout(this.#timer);
  }

  /** Between messages a client may rest; one that it began it must go on with. */
  #awaitMessage(): void {
    const { headersTimeoutMs, stallTimeoutMs, minBytesPerSecond, ...limits } = this.#dependencies.limits;
    const isStranger = this.organizationId === null;
    if (this.#reader.length === 0) return this.#awaitClient(isStranger ? limits.idleTimeoutMs : idleTimeoutMs);
    if (this.#isReceiving) return;
    this.#isReceiving = true;
    if (isStranger) this.#awaitClient(headersTimeoutMs);
    else this.#awaitClient(stallTimeoutMs, (minBytesPerSecond * stallTimeoutMs) / 1000);
  }

  /** Cuts the client off after `timeoutMs`, or gives it as long again for every `leastBytes` that moved. */
  #awaitClient(timeoutMs: number, leastBytes = Infinity): void {
    const moved = (): number => this.#socket.bytesRead + this.#socket.bytesWritten;
    const movedBefore = moved();
    clearTimeout(this.#timer);
    if (this.#socket.destroyed) return;
    this.#timer = setTimeout(() => {
      if (moved() - movedBefore >= Math.max(1, leastBytes)) return this.#awaitClient(timeoutMs, leastBytes);
      this.#cutOff('stalled');
    }, timeoutMs);
  }

  #fail(error: unknown): void {
    if (this.#socket.destroyed) return;
    if (error instanceof ProtocolViolation) return this.#cutOff('garbage');
    if (error instanceof LoginOutdated) return this.#cutOff('password');
    this.#dependencies.service.defects.report(error, { operation: 'mongo' });
    this.#socket.destroy();
  }

  #cutOff(reason: 'stalled' | 'garbage' | 'password'): void {
    this.#dependencies.metrics.cutOff.inc({ reason });
    this.#dependencies.log.info({ operation: 'mongo', reason, address: this.#address }, 'cut off');
    this.#socket.destroy();
  }
}
