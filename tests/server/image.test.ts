import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path/posix';
import { expect, it } from 'vitest';
import { parseCommand } from '../parse-command.ts';

// These tests build no image. They compare the Dockerfile with package.json.

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const image = await read('Dockerfile');
const { bin, files, devDependencies } = JSON.parse(await read('package.json')) as {
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The arguments of all instructions of this kind. */
const said = (instruction: string): string[] =>
  [...image.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, words]) => words!);
const words = (instruction: string): string[] => JSON.parse(said(instruction)[0]!) as string[];
const [workFolder] = said('WORKDIR');

it('holds what the package holds, each at its place, but for what people read or import', () => {
  const copies = said('COPY --from=build').flatMap((line) => {
    const paths = line.split(' ');
    const target = paths.pop()!;
    return paths.map((path) => ({
      from: relative(workFolder!, path),
      to: target.endsWith('/') ? join(target, basename(path)) : target,
    }));
  });
  const forPeople = files.filter(
    (path) => /^(docs\/|build\/library$|deploy$|proto$|assets\/)/.test(path) || /^[RC].*\.md$/.test(path),
  );
  const copied = copies.map(({ from }) => from);
  expect([...copied, ...forPeople].sort()).toEqual([...files, 'package.json', 'node_modules'].sort());
  for (const { from, to } of copies) expect(to).toBe(from);
});

it('starts the command of the package, on the Node that the tests run on', () => {
  const [command] = words('ENTRYPOINT');
  const script = join(workFolder!, bin[command!]!);
  expect(said('RUN').join()).toContain(`ln -s ${script} /usr/local/bin/${command!} &&`);
  const node = /^\d+/.exec(devDependencies['node']!)![0];
  expect(said('FROM').map((base) => /^node:(\d+)-/.exec(base)?.[1])).toEqual([node, node]);
});

it('is asked for its health where it listens, and keeps its data in a volume of the user that it runs as', () => {
  const serve = parseCommand(words('CMD'));
  if (serve.name !== 'serve') throw new Error(`The image runs ${serve.name}.`);
  expect(said('EXPOSE')).toEqual([String(serve.port)]);
  const [, check] = /^HEALTHCHECK [^]*?CMD (.+)$/m.exec(image)!;
  const [command, ...args] = JSON.parse(check!) as string[];
  expect(command).toBe(words('ENTRYPOINT')[0]);
  // `health` finds the server's address in its data folder, whatever arguments the server had
  expect(parseCommand(args)).toEqual({ name: 'health', dataDir: serve.dataDir });
  expect(said('VOLUME')).toEqual([serve.dataDir]);
  const [user] = said('USER');
  expect(said('RUN').join()).toContain(`install -d -o ${user} -g ${user} -m 700 ${serve.dataDir}`);
});
