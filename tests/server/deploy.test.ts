import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseCommand } from '../parse-command.ts';
import { monitoringPath } from '../../src/server/monitoring/answer-monitoring.ts';
import { defaultServerLimits } from '../../src/server/limits/server-limits.ts';

// These tests start no containers. They compare what deploy/ says with what the command line understands.

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const graceSeconds = defaultServerLimits.shutdownGraceMs / 1000;

afterEach(() => vi.unstubAllEnvs());

/** What a host is started with. */
function serveOf(args: readonly string[], environment: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const command = parseCommand(args);
  if (command.name !== 'serve' || command.shared === null) throw new Error(`It starts ${command.name}.`);
  return { ...command, shared: command.shared };
}

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
  readonly depends_on: Readonly<Record<string, unknown>>;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
}

it('compose.yaml starts hosts of one database and one bucket that are there, behind a proxy that knows them', async () => {
  // as Compose fills in what the environment says
  const text = (await read('deploy/compose.yaml')).replace(/\$\{\w+:\?\}/g, 'filled-in');
  const { services, volumes, configs } = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: object;
    readonly configs: { readonly caddyfile: { readonly content: string } };
  };
  const hosts = Object.entries(services).filter(([name]) => name.startsWith('sightglass-'));
  expect(hosts).toHaveLength(2);
  const proxied = [...configs.caddyfile.content.matchAll(/h2c:\/\/([\w-]+):(\d+)/g)].map(([, ...of]) => of);
  for (const [name, { command, environment, healthcheck, stop_grace_period: grace, depends_on: needs }] of hosts) {
    const { shared, host, port } = serveOf(command, environment);
    expect([host, proxied]).toEqual(['0.0.0.0', expect.arrayContaining([[name, String(port)]])]);
    const [database, store] = [new URL((shared.database as { url: string }).url), new URL(shared.blobs.endpoint!)];
    const [postgres, s3] = [services[database.hostname]!, services[store.hostname]!];
    expect(postgres.environment).toMatchObject({
      POSTGRES_USER: database.username,
      POSTGRES_DB: database.pathname.slice(1),
    });
    expect(s3.command).toContain(`:${store.port}`);
    expect(s3.volumes[0]).toMatch(new RegExp(`/${shared.blobs.bucket}$`));
    expect(s3.environment['ROOT_ACCESS_KEY']).toBe(environment['AWS_ACCESS_KEY_ID']);
    expect(healthcheck.test.join(' ')).toContain(`:${port}/readyz`);
    expect(parseInt(grace)).toBeGreaterThan(graceSeconds);
    for (const need of Object.keys(needs)) expect(services).toHaveProperty(need);
  }
  expect(proxied).toHaveLength(hosts.length);
  expect(monitoringPath(/health_uri (\S+)/.exec(configs.caddyfile.content)![1]!)).toBe('readyz');
  const named = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
    mounts.map((each) => each.split(':')[0]!),
  );
  expect(Object.keys(volumes).sort()).toEqual(named.sort());
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: unknown;
    readonly ports: readonly { readonly targetPort: string }[];
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: { readonly runAsUser: number };
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string; readonly valueFrom: { readonly secretKeyRef: object } }[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
        }[];
      };
    };
  };
}

it('the manifests of Kubernetes start hosts by secrets, and ask them where they answer', async () => {
  const documents = parseAllDocuments(await read('deploy/kubernetes/sightglass.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const [deployment, service, budget] = documents.map((document) => document.toJS() as Manifest) as [
    Manifest,
    Manifest,
    Manifest,
  ];
  const { template, selector } = deployment.spec;
  const { labels } = template.metadata;
  expect([deployment.kind, service.kind, budget.kind]).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
  expect([selector, service.spec.selector, budget.spec.selector]).toEqual([
    { matchLabels: labels },
    labels,
    { matchLabels: labels },
  ]);
  const [container] = template.spec.containers;
  const { args, env, ports, readinessProbe, livenessProbe } = container!;
  const secrets = env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef]);
  expect(secrets.map(([name]) => name)).toEqual(['SIGHTGLASS_DATABASE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  const { host, port, metricsPort } = serveOf(args, { SIGHTGLASS_DATABASE: 'postgres://u:p@db/n' });
  const portOf = (named: string) => ports.find(({ name }) => name === named)?.containerPort;
  expect([host, portOf('http'), portOf('metrics')]).toEqual(['0.0.0.0', port, metricsPort]);
  expect(service.spec.ports.map(({ targetPort }) => portOf(targetPort))).toEqual([port]);
  const asked = [readinessProbe, livenessProbe].map(({ httpGet }) => [
    monitoringPath(httpGet.path),
    portOf(httpGet.port),
  ]);
  expect(asked).toEqual([
    ['readyz', metricsPort],
    ['healthz', metricsPort],
  ]);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(graceSeconds);
  expect(template.spec.securityContext.runAsUser).toBe(1000); // the user `node` of the image
});
