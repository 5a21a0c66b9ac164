import { optionTable, type OptionGroup } from './option-table.ts';
import { serveOptions } from './serve-options.ts';
import { usageNotes } from './usage-notes.ts';

/** Bad arguments: exit code 2. Its message is the reason alone; `usageErrorText` adds what helps. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const synopses = `
  detect    --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] [--draw DIR] FRAME…
  classify  --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] [--top=N] FRAME…
  transform --config machine.json --camera NAME [--model VISION=FILE]… [--labels VISION=FILE]… --out DIR FRAME…
  lint      machine.json [--models DIR] [--model [VISION=]model.onnx]…
  fit       model.onnx --out fitted.onnx [--family NAME] [--labels FILE] [--size WxH] [--option NAME=VALUE]…
            [--frame PICTURE [--answer LABEL[@XMIN,YMIN,XMAX,YMAX]]]…
  feeding   model.onnx [--family NAME] [--labels FILE] [--size WxH] [--option NAME=VALUE]…
            --frame PICTURE --answer LABEL[@XMIN,YMIN,XMAX,YMAX[=SCORE]]… | --data coco.json|data.yaml|DIR [--split val]
            [--independent-frames]
  replay    [--model VISION=FILE]… bench.zip
  parity    --machine ADDRESS --vision NAME [--config machine.json] [--model model.onnx] [--labels FILE]
            [--camera NAME] [--frames N] [--report page.html] [--strict-rounding] [--key-id ID --key-file FILE]
  evaluate  --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] [--split val]
            --data coco.json|data.yaml|data.jsonl|DIR [--report out.html] [--fail-under FIGURE[:LABEL]=NUMBER,…]
            [--promise recall:LABEL=0.8,… [--broken-at-most 0.1]]
            [--certificate out.json --claim recall:LABEL=0.95,… [--confidence 0.9] [--valid-days N]
            [--thresholds-set-elsewhere] [--sign key.pem]] [--independent-frames] [--map LABEL=NAME|scheme.json]…
  evaluate  --detections results.json [--threshold T] --data coco.json [--fail-under FIGURE[:LABEL]=NUMBER,…]
            [--promise recall:LABEL=0.8,… [--broken-at-most 0.1]]
  compare   --data coco.json [--threshold T] [--moved PX] [--report out.html] A.json B.json
  compare   --vision NAME --model model.onnx [--labels FILE] [--camera NAME] --data … [--moved PX]
            [--report out.html] [--independent-frames] [--map LABEL=NAME|scheme.json]… A.json B.json
  drift     --reference coco.json|data.yaml|data.jsonl|DIR|reference.json [--split val] --later coco.json|…|DIR
            [--config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME]] [--level 0.05]
            [--reference-detections results.json --detections results.json [--threshold T]] [--keep reference.json]
            [--independent-frames]
  run       --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] --out DIR
            --video FILE | --frames DIR [--fps N]   [--every N] [--from T] [--to T] [--draw]
            [--dataset RULE]… [--dataset-format FORMAT]
  export    --server https://HOST --key-id ID --key-file FILE --out FILE.parquet|.csv|.jsonl | --format FORMAT
            --org ID --sql "SELECT …" | --org ID --mql stages.json [--pipeline ID]
            | --part ID --resource NAME [--resource-type TYPE] [--method NAME] [--from TIME] [--to TIME]   [--exact-text]
  serve     [--data DIR | --database postgres://USER@HOST/NAME --blobs s3://BUCKET/PREFIX[?endpoint=URL&region=NAME]]
            [--host HOST] [--port PORT] [--mongo-port PORT] [--tls-cert FILE --tls-key FILE] [--public-origin URL] [options]
  health    [--data DIR]
  backup    DIR [--data DIR]
  restore   DIR [--data DIR]
  move      --from-data DIR | --to-data DIR   --database postgres://USER@HOST/NAME --blobs s3://BUCKET/PREFIX[?…]
  orgs      list | create NAME | rename ID NAME | add-location ID NAME | quota ID SIZE|none   [--data DIR]
  parts     list | create NAME [--location ID] [--machine NAME] | delete ID   [--org ID] [--data DIR]
  keys      list | create NAME [--location ID | --part ID] [--role R] | revoke ID   [--org ID] [--data DIR]
  people    list | invite NAME [--email E] [--role R] [--location ID | --part ID] [--origin https://…]
            | change ID [--role R] [--location ID|all | --part ID] | remove ID   [--org ID] [--data DIR]
  secrets   rotate   [--data DIR]
  audit     [--who person:ID|key:ID|…] [--what KIND] [--object ID] [--from TIME] [--to TIME] [--org ID] [--data DIR]
  clock     confirm   [--data DIR]
  signing-key  key.pem
  check     [--data DIR | --database postgres://… --blobs s3://…] [--check-rate 20MB]
  check     certificate.json --config machine.json [--model model.onnx] [--labels FILE] [--fingerprint F]
            [--data coco.json|data.yaml|data.jsonl|DIR [--split val]] [--drift drift.json]
`.slice(1, -1);

const notesOf = (is: (of: readonly string[]) => boolean): string =>
  usageNotes
    .filter(({ of }) => is(of))
    .map(({ text }) => text)
    .join('\n');

/** All commands, and all that is said of them. */
export const usage = `Usage: sightglass <command> [options]

${synopses}

${notesOf(() => true)}
sightglass <command> --help says what belongs to one command.`;

/** A command's lines: its name stands at their beginning, and lines that go on are indented further. */
const synopsesByName = new Map<string, string[]>();
for (const lines of synopses.split(/\n(?= {2}\w)/)) {
  const name = /^ {2}(\S+)/.exec(lines)![1]!;
  synopsesByName.set(name, [...(synopsesByName.get(name) ?? []), lines]);
}

/** Of commands with more options than their lines hold. */
const tables: Readonly<Record<string, readonly OptionGroup[]>> = { serve: serveOptions };

export const commandNames: readonly string[] = [...synopsesByName.keys()];

/**
 * Gives the help of one command.
 * @param command its name
 * @returns its lines, its options where they are many, and what is said of it; null: there is no such command
 * @example
 * commandHelp('health')?.split('\n')[0]; // => 'Usage: sightglass health [--data DIR]'
 * commandHelp('helth'); // => null
 */
export function commandHelp(command: string): string | null {
  const lines = synopsesByName.get(command);
  if (!lines) return null;
  const table = tables[command];
  const options = table ? `${optionTable(table)}\n\n` : '';
  return `${commandLines(lines)}\n\n${options}${notesOf((of) => of.length === 0 || of.includes(command))}`;
}

/**
 * Says what a command line was refused for: the reason first and last, and between them the lines of its command.
 * @param reason why, as a UsageError says it
 * @param command the first word of the command line; undefined: none was given
 * @returns a text for a terminal
 * @example
 * usageErrorText('health wants no "x".', 'health').split('\n').at(-1); // => 'health wants no "x". Help: sightglass health --help'
 */
export function usageErrorText(reason: string, command: string | undefined): string {
  const lines = synopsesByName.get(command ?? '');
  const shown = lines ? commandLines(lines) : `Commands: ${commandNames.join(' ')}`;
  const help = lines ? `sightglass ${command} --help` : 'sightglass --help';
  return `${reason}\n\n${shown}\n\n${reason} Help: ${help}`;
}

function commandLines(lines: readonly string[]): string {
  return lines
    .map((text, at) => text.replace(/^ {2}(\S+) +/, `${at === 0 ? 'Usage: ' : '       '}sightglass $1 `))
    .join('\n');
}
