import { readFileSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedCertificate } from '../../../tests/certified.ts';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { readCertificate } from '../../evidence/certificate/read-certificate.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { checkCertificateFile } from './check-certificate.ts';
import { drift } from './drift.ts';
import { evaluate } from './evaluate.ts';
import { signingKey } from './signing-key.ts';

const { at, write, base } = cliFolder();

interface Printed {
  readonly void?: boolean;
  readonly findings?: readonly { readonly about: string; readonly says: string; readonly words: string }[];
  readonly certificate?: unknown;
  readonly runtime?: string;
}

async function run(argv: readonly string[], heard: (text: string) => void = () => undefined) {
  const lines: Printed[] = [];
  const said: string[] = [];
  const terminal = {
    print: (value: object) => void lines.push(JSON.parse(JSON.stringify(value)) as Printed),
    say: (text: string) => {
      said.push(text);
      heard(text);
    },
  };
  const command = parseCommand(argv);
  const code =
    command.name === 'check' && 'certificatePath' in command
      ? await checkCertificateFile(command, terminal)
      : await evaluate(command as Extract<Command, { name: 'evaluate' }>, terminal);
  return { code, printed: lines[0]!, said: said.join('\n') };
}

const images = 30;
/** Carried at 0.9 with 90 % confidence where all are found: each picture has one box, which it is. */
const claim = ['--claim', 'recall:0=0.9', '--confidence', '0.9'];

/** Pictures with a white pixel each, at whose upper left the model finds a box. */
beforeAll(async () => {
  const annotations = await Promise.all(
    Array.from({ length: images }, async (_, id) => {
      const [x, y] = [1 + (id % 7), 1 + (Math.floor(id / 7) % 3)];
      const samples = new Uint8ClampedArray(4 * 8 * 4).fill(20);
      samples.fill(255, 4 * (8 * y + x), 4 * (8 * y + x) + 4);
      await writePngFile(at(`${id}.png`), { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
      return { id: id + 1, image_id: id, category_id: 7, bbox: [x - 1, y - 1, 1, 1], area: 1, iscrowd: 0 };
    }),
  );
  const truth = {
    images: annotations.map(({ image_id: id }) => ({ id, file_name: `${id}.png`, width: 8, height: 4 })),
    categories: [{ id: 7, name: '0' }],
    annotations,
  };
  await write('truth.json', JSON.stringify(truth));
  const moved = annotations.map((one) => (one.id === 1 ? { ...one, bbox: [6, 2, 1, 1] } : one));
  await write('corrected.json', JSON.stringify({ ...truth, annotations: moved }));
});

const makingAt = (name: string, ...more: readonly string[]): readonly string[] => [
  ...base('evaluate', 'bright', 'bright.onnx'),
  '--data',
  at('truth.json'),
  '--certificate',
  at(name),
  '--independent-frames',
  ...more,
];
const making = (...more: readonly string[]): readonly string[] => makingAt('made.json', ...more);
const checking = (...more: readonly string[]): readonly string[] => [
  'check',
  at('made.json'),
  '--config',
  at('machine.json'),
  ...more,
];

describe('evaluate --certificate', () => {
  it('writes what the evidence carries', async () => {
    const { code, printed, said } = await run(making(...claim, '--valid-days', '30'));
    expect([code, printed.certificate]).toEqual([0, { path: at('made.json'), refused: [], signedBy: null }]);
    expect(said).toContain(
      `recall of 0 ≥ 0.9 with 90 % confidence: ${images} of ${images} labelled boxes found, all counted together; it is not known how many`,
    );
    expect(readCertificate(await readFile(at('made.json'), 'utf8'))).toMatchObject({
      evidence: { dataset: 'truth.json', modelMade: null, thresholdsFrom: 'these-images' },
      models: [{ service: 'bright', name: 'bright.onnx' }],
      labels: null,
      inference: printed.runtime,
    });
    expect(printed.runtime).toMatch(/^ONNX Runtime \d/);
  });

  it('writes no file and exits with 1 where it does not', async () => {
    const asked = ['--claim', 'recall:0=0.93,precision=0.5'];
    const { code, printed, said } = await run(makingAt('none.json', ...asked));
    expect(code).toBe(1);
    expect(printed.certificate).toMatchObject({ path: null, refused: [expect.any(String), expect.any(String)] });
    expect(said).toContain('It takes at least 32 images');
    expect(said).toContain('nobody said that these were');
    await expect(stat(at('none.json'))).rejects.toThrow();
  });

  it('certifies what was run, though its files are edited meanwhile', async () => {
    const certified = async () => {
      const { configuration, models } = readCertificate(await readFile(at('made.json'), 'utf8'));
      return { entry: configuration.entry, models };
    };
    await run(making(...claim));
    const before = await certified();
    const files = ['machine.json', 'bright.onnx'];
    const kept = await Promise.all(files.map((name) => readFile(at(name))));
    const text = kept[0]!.toString().replace('"camera_name":"right-half"', '"default_minimum_confidence":0.9,"camera_name":"right-half"'); // prettier-ignore
    expect(text).toContain('0.9');
    try {
      await run(making(...claim), (words) => {
        if (!words.startsWith('1/')) return;
        writeFileSync(at('machine.json'), text);
        writeFileSync(at('bright.onnx'), readFileSync(at('fixed.onnx')));
      });
      expect(await certified()).toEqual(before);
    } finally {
      for (const [row, name] of files.entries()) writeFileSync(at(name), kept[row]!);
    }
  });

  it('certifies precision where thresholds were set elsewhere', async () => {
    const { code } = await run(making('--claim', 'precision:0=0.9', '--thresholds-set-elsewhere'));
    expect(code).toBe(0);
  });

  it('signs with a key file, which only its owner reads, and check says what that proves', async () => {
    const made: { created?: boolean; fingerprint?: string }[] = [];
    const nameKey = () =>
      signingKey(parseCommand(['signing-key', at('key.pem')]) as Extract<Command, { name: 'signing-key' }>, {
        print: (value) => void made.push(value),
        say: () => undefined,
      });
    await nameKey();
    expect((await stat(at('key.pem'))).mode & 0o777).toBe(0o600);
    await nameKey();
    const { fingerprint } = made[0]!;
    expect(made).toMatchObject([{ created: true }, { created: false, fingerprint }]);
    const { printed } = await run(makingAt('by-file.json', ...claim, '--sign', at('key.pem')));
    expect(printed.certificate).toMatchObject({ signedBy: fingerprint });
    const check = ['check', at('by-file.json'), '--config', at('machine.json'), '--fingerprint', fingerprint!];
    const { code, said } = await run(check);
    expect([code, said]).toEqual([0, expect.stringContaining(`the holder of key ${fingerprint} made this statement`)]);
    expect(said).toContain('does not tell whether the key is one that can be copied');
    const text = await readFile(at('by-file.json'), 'utf8');
    await write('by-file.json', text.replace('"validUntil": null', '"validUntil": "2999-01-01T00:00:00Z"'));
    expect((await run(check)).said).toContain('VOID     The signature does not fit');
  });

  it('refuses a key that others read, one of another kind, and what is none, before a frame is run', async () => {
    const sign = (name: string) => run(makingAt('unsigned.json', ...claim, '--sign', at(name)));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
    await writeFile(at('other.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await expect(sign('other.pem')).rejects.toThrow('another kind than ECDSA P-256');
    await chmod(at('other.pem'), 0o640);
    await expect(sign('other.pem')).rejects.toThrow('Others may read or change the key (0640');
    await chmod(at('labels.txt'), 0o600);
    await expect(sign('labels.txt')).rejects.toThrow('is not a private key in PEM');
    await expect(sign('nowhere.pem')).rejects.toThrow('ENOENT');
  });

  it.each([
    [['--claim', 'recall=0.9'], '--claim goes with --certificate'],
    [['--certificate', 'c.json'], 'wants --claim'],
    [['--certificate', 'c.json', '--claim', 'speed=0.9'], '--claim wants recall=NUMBER'],
    [['--certificate', 'c.json', '--claim', 'recall=1'], 'above 0 and below 1'],
    [['--certificate', 'c.json', '--claim', 'recall=0.9', '--confidence', '0.5'], 'above 0.5'],
    [['--certificate', 'c.json', '--claim', 'recall=0.9', '--valid-days', '0'], 'days from 1 on'],
  ])('refuses %j', (more, words) => {
    expect(() => parseCommand([...base('evaluate', 'bright', 'bright.onnx'), '--data', 'd', ...more])).toThrow(words);
  });

  it('is of a service, not of a file of results', () => {
    const results = ['evaluate', '--detections', 'r.json', '--data', 'd.json', '--certificate', 'c.json', ...claim];
    expect(() => parseCommand(results)).toThrow('--detections does not');
  });
});

describe('check of a certificate', () => {
  const says = ({ findings }: Printed, wanted: string) =>
    findings!.filter(({ says: said }) => said === wanted).map(({ about }) => about);

  const unsigned = 'it is not signed, so that anybody may have written or changed it';

  beforeAll(async () => {
    await run(making(...claim));
  });

  it('holds with the files it was made of, and the same pictures', async () => {
    const { code, printed, said } = await run(checking('--model', at('bright.onnx'), '--data', at('truth.json')));
    expect([code, printed.void, says(printed, 'unchecked')]).toEqual([0, false, ['drift', 'signature']]);
    expect(said).toContain('the same images give the same counts again');
    expect(said.endsWith(`holds: ${unsigned}.`)).toBe(true);
  });

  it('counts again on the runtime that made it, and leaves open what another one may round apart', async () => {
    const made = readCertificate(await readFile(at('made.json'), 'utf8'));
    const [made0] = made.claims;
    const ofAnother = async (inference: string | undefined) => {
      const claims = [{ ...made0!, right: made0!.right - 1, bound: 0 }];
      await write('rounded.json', JSON.stringify({ ...made, claims, inference }));
      const given = ['--config', at('machine.json'), '--model', at('bright.onnx'), '--data', at('truth.json')];
      return run(['check', at('rounded.json'), ...given, '--runtime', 'wasm']);
    };
    const evidence = ({ printed }: Awaited<ReturnType<typeof ofAnother>>) =>
      printed.findings!.find(({ about }) => about === 'evidence')!.says;
    expect(evidence(await ofAnother('ONNX Runtime 1, native'))).toBe('unchecked');
    expect(evidence(await ofAnother(undefined))).toBe('differs');
  });

  it('says what was not checked', async () => {
    const { code, printed, said } = await run(checking());
    expect(code).toBe(0);
    expect(said.endsWith(`holds: ${unsigned}; the model (--model) was not checked.`)).toBe(true);
    expect(says(printed, 'unchecked')).toEqual(['model', 'drift', 'evidence', 'signature']);
  });

  it('is void by another model, another threshold, labels or truth', async () => {
    expect(await run(checking('--model', at('fixed.onnx')))).toMatchObject({ code: 1, printed: { void: true } });
    const labels = await run(checking('--labels', at('labels.txt')));
    expect(says(labels.printed, 'differs')).toEqual(['labels']);
    const corrected = await run(checking('--model', at('bright.onnx'), '--data', at('corrected.json')));
    expect(corrected.printed.findings!.find(({ about }) => about === 'evidence')!.words).toContain('other images');
    const text = await readFile(at('machine.json'), 'utf8');
    await write(
      'tuned.json',
      text.replace('"camera_name":"right-half"', '"default_minimum_confidence":0.9,"camera_name":"right-half"'),
    );
    const tuned = await run(['check', at('made.json'), '--config', at('tuned.json')]);
    expect(tuned.code).toBe(1);
    expect(tuned.said).toContain('VOID     The configuration differs: the default threshold was 0 and is 0.9.');
  });

  it('is void by drift of later pictures, which other pictures than its own do not tell', async () => {
    const later = { images: [] as object[], categories: [{ id: 7, name: '0' }], annotations: [] };
    for (let id = images; id < 2 * images; id++) {
      const samples = new Uint8ClampedArray(4 * 8 * 4).fill(200);
      await writePngFile(at(`${id}.png`), { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
      later.images.push({ id, file_name: `${id}.png`, width: 8, height: 4 });
    }
    await write('later.json', JSON.stringify(later));
    const compared = async (name: string, reference: string, against: string, ...more: readonly string[]) => {
      const argv = ['drift', '--reference', at(reference), '--later', at(against), ...more];
      await drift(parseCommand(argv) as Extract<Command, { name: 'drift' }>, {
        print: (value) => void writeFileSync(at(name), JSON.stringify(value)),
        say: () => undefined,
      });
      return run(checking('--model', at('bright.onnx'), '--drift', at(name)));
    };
    const brighter = await compared('drift.json', 'truth.json', 'later.json', '--independent-frames');
    expect([brighter.code, says(brighter.printed, 'differs')]).toEqual([1, ['drift']]);
    expect(brighter.said).toContain('VOID     Later images are no longer like those of truth.json: ');
    const other = await compared('other.json', 'later.json', 'truth.json');
    expect([other.code, other.printed.void, says(other.printed, 'differs')]).toEqual([1, false, []]);
    expect(other.said).toContain('not seen The reference has other images than truth.json');
    const open = `holds: ${unsigned}; the drift of later images (--drift) was not checked.`;
    expect(other.said.endsWith(open)).toBe(true);
    const unknown = await compared('unknown.json', 'truth.json', 'later.json');
    expect([unknown.code, says(unknown.printed, 'differs')]).toEqual([0, []]);
    expect(unknown.said.endsWith(open)).toBe(true);
    await expect(run(checking('--drift', at('truth.json')))).rejects.toThrow('It is not a comparison of images');
  });

  it('requires the key that is named', async () => {
    const signed = await signedCertificate({
      entry: readCertificate(await readFile(at('made.json'), 'utf8')).configuration.entry,
      labels: null,
    });
    await write('signed.json', JSON.stringify(signed));
    const of = (...more: readonly string[]) =>
      run(['check', '--config', at('machine.json'), at('signed.json'), ...more]);
    const { code, said } = await of();
    expect(code).toBe(0);
    expect(said.endsWith('It is not known whether the certificate holds: the model (--model) was not checked.')).toBe(
      true,
    );
    const fingerprint = /holder of key ((?:[0-9a-f]{4} ?){16}) made/.exec(said)![1]!;
    expect((await of('--fingerprint', fingerprint)).code).toBe(0);
    expect((await of('--fingerprint', '00'.repeat(32))).code).toBe(1);
    expect((await run(checking('--fingerprint', fingerprint))).code).toBe(1);
  });

  it('names what is wrong with a file', async () => {
    await write('half.json', '{"format": "sightglass-certificate", "version": 1}');
    await expect(run(['check', at('half.json'), '--config', at('machine.json')])).rejects.toThrow(
      '"claims" is missing',
    );
    await expect(run(['check', at('machine.json'), '--config', at('machine.json')])).rejects.toThrow(
      'not a Sightglass certificate',
    );
    await expect(run(['check', at('nowhere.json'), '--config', at('machine.json')])).rejects.toThrow('no such file');
  });

  it.each([
    [['c.json'], 'wants --config'],
    [['c.json', 'd.json', '--config', 'm.json'], 'wants one certificate'],
    [['c.json', '--config', 'm.json', '--check-rate', '1MB'], '--check-rate'],
    [['c.json', '--config', 'm.json', '--data', 'd'], 'give it by --model'],
    [['c.json', '--config', 'm.json', '--split', 'val'], 'goes with --data'],
    [['--config', 'm.json'], '--config'],
  ])('refuses %j', (more, words) => {
    expect(() => parseCommand(['check', ...more])).toThrow(words);
  });

  it('is the check of a store where no file is named', () => {
    expect(parseCommand(['check', '--data', 'd'])).toMatchObject({ name: 'check', dataDir: 'd' });
  });
});
