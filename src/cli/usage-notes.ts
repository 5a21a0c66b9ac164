/** What is said of commands below their lines, and of which: a row belongs to each command of its first words. */
export interface UsageNote {
  /** names of commands; []: all of them */
  readonly of: readonly string[];
  readonly text: string;
}

const note = (of: string, text: string): UsageNote => ({ of: of === '' ? [] : of.split(' '), text });

export const usageNotes: readonly UsageNote[] = [
  note(
    'detect classify transform evaluate compare run',
    `detect and classify take further --model VISION=FILE for the vision services that the steps of a transform camera name.
A configuration that the machine refuses as a whole, for one badly typed attribute anywhere, fails them and transform, unless
--no-strict runs the rest of it (--strict is the default). --labels is the label file that the configuration's label_path
names; without one labels are index numbers, as on the machine.`,
  ),
  note(
    'detect classify transform evaluate compare run drift check',
    `--source webcam or module says what the camera at the beginning is where the configuration does not: transform cameras read
the frames of a built-in webcam (models webcam and fake) without an odd last column and row.`,
  ),
  note(
    'lint',
    `With --models, lint reads the model files of DIR that the model services name; with --model, the file of a vision service. It says
what the machine's modules make of them, and where the configuration describes another model, as all commands with --model do.`,
  ),
  note('classify', `--top=N keeps the N best classifications; N ≤ 0 (the default) gives all, in label order.`),
  note(
    'fit',
    `fit writes a model that the machine takes as it is: decoding and suppression in the graph, the machine's tensor names, and beside
it fitted.labels.txt and fitted.machine.json, a configuration for both. A .tflite model stays one: give --out fitted.tflite.
It prints what it knew the model by, what it added, and what the written model says of the frames (photographs that come with
the program); exit code 1 when that cannot be right, or when the machine does not load it. Where how it is fed is a guess,
--answer says what is surely on each --frame: every usual way of feeding is tried on them, and that of which the model knows the
answers is taken.`,
  ),
  note(
    'feeding',
    `feeding searches for how a model was fed in training: the resize of which library, border or crop, colours and values. It wants
a picture and what the model said of it there (one --frame and --answer a box, with its score where it is known), or labelled
frames. It prints the recipe, those that it cannot tell apart from it, what the machine's own feeding loses against it, and what
wins that back; exit code 1 when the model knows the answers by no recipe.`,
  ),
  note(
    'replay',
    `replay runs a bench saved by the app and prints what differs here; exit code 1 when a frame gives other results.`,
  ),
  note(
    'parity',
    `parity asks a running machine what its vision service says of its camera's frames, runs the same bytes here, and prints whether
labels, boxes, order and scores are the same (100 frames, or --frames N); exit code 1 when one has other labels, boxes or order,
or when a transform camera's steps give another picture there. It names the one thing that makes both sides say the same, and last
what it could not compare.
An edge by one pixel, and the order of scores within 1e-6, are rounding between two runtimes: counted apart, and no failure unless
--strict-rounding is given.
Without --model inference is asked of the machine's own model service; without --config the service has no thresholds.`,
  ),
  note(
    'evaluate signing-key',
    `evaluate says what a vision service is worth against truth: COCO's figures of its raw results, and precision, recall and F1 of
each label at its thresholds; of results in COCO's format, at --threshold (0.5). Exit code 1 when a figure of --fail-under
(mAP50=0.5,precision:person=0.9) is lower or undefined. --report writes a page, or .json or .csv, with thresholds to choose.
--promise gives the thresholds at which a recall is promised: as a mean over images, and of all objects together.
--certificate writes what is claimed, if the evidence carries it with --confidence (0.9): recall or precision (--claim
recall:person=0.95,precision=0.9), at the thresholds of the configuration, with hashes of the model, the configuration, the
labels and the truth. Precision is certified only with --thresholds-set-elsewhere, by which you say that the thresholds were
set without these pictures. Exit code 1, and no file, when a claim is not carried; the reasons go to stderr. --sign signs it with
a key that signing-key makes in a new file, which only its owner reads; of a file that is there it prints the key's fingerprint.`,
  ),
  note(
    'compare',
    `compare says what becomes of A's boxes in B, two result files or two configurations: how many vanish, appear, change their label
or move by more than 2 px (--moved), and whether B's figures are better, worse, or cannot be told apart on so few frames.
--report writes that as a page, or .json or .csv.`,
  ),
  note(
    'evaluate compare',
    `--map couch=sofa counts the label couch of the data as the model's label sofa; --map scheme.json reads such pairs of a label
scheme that the app exports, and label-scheme.json in the folder of the data is read by itself. Where names differ in wording
only, stderr says so, with the options to give.`,
  ),
  note(
    'evaluate compare drift',
    `Frames of one sequence, or of one camera and minute, count as one in every interval, and so do pictures of which nothing is
recorded and that look alike. Where many do, or nobody looked, it is not known which are independent: intervals say so, and
nothing is certified. --independent-frames says that each such picture shows another scene or time.`,
  ),
  note(
    'drift',
    `drift says whether later frames differ from those of a reference: brightness, contrast, sharpness, number, size and labels of
boxes, and scores. It compares labels, what the service answers on both sides (--config), or results in COCO's format, and
ranks what shifted; where nothing changed, it finds a shift in at most --level (0.05) of cases. The frames that drive each are
named. Where it is not known which frames are independent, no shift can be told from chance.
--keep writes the reference's features, which --reference reads later without its pictures. Exit code 1 when a feature shifted
or a frame failed. check certificate.json --drift reads what it prints.`,
  ),
  note(
    'run',
    `run looks at a whole video (by ffmpeg, which it starts by that name) or folder, a frame in memory at a time, and writes into DIR
frames.jsonl (results before the thresholds), results.csv, report.html, report.json and labels.csv; with --draw annotated.mp4, or
the pictures of a folder. --every N runs each N-th frame; --from and --to are times as 90, 7.04 or 1:30. --dataset writes frames
with their boxes into DIR/dataset, in --dataset-format (coco): every:N, interval:SECONDS, change[:SECONDS], label:LABEL or
score:LOW-HIGH[:LABEL]. After Ctrl+C (exit code 130) the same command goes on; with other thresholds it filters again, and runs
no frame again.`,
  ),
  note(
    'export',
    `export writes the rows of a query, or all readings of one resource, of a data service into a file: Parquet, CSV or JSONL by its
name, or by --format to stdout. Memory stays small for any number of rows; but a data service other than Sightglass's answers a
query in one message, and refuses a query whose rows do not fit into it. The file appears under its name when it is complete.
Texts of a CSV file that a spreadsheet would run as formulas get an apostrophe in front, unless --exact-text is given. Exit code
130 after Ctrl+C.`,
  ),
  note(
    'orgs parts keys people secrets clock',
    `orgs, parts, keys, people, secrets and clock take --database postgres://USER@HOST/NAME instead of --data. An address
with a password is in the variable SIGHTGLASS_DATABASE, or in the file that SIGHTGLASS_DATABASE_FILE names. people invite prints
a link by which one person joins within a week; without --origin it prints the token of the link ORIGIN/#/invitation/TOKEN. --role
is annotator, reviewer, operator or owner. With --part a key or a person reaches what that part captured, and nothing else.`,
  ),
  note(
    'health',
    `health asks the server of a data folder whether it is alive, wherever it listens; exit code 0 when it is.`,
  ),
  note(
    'backup restore',
    `backup copies a data folder into a new one, also while a server writes to it; restore makes a new data folder of that copy, whose
every byte it checks first.`,
  ),
  note(
    'move',
    `move copies a whole installation from a folder that nobody serves into an empty database and bucket, or from those into a new
folder, and compares both in the end: a line for each collection, with its digest, and for each difference; exit code 1 when
there is one. A move that was interrupted goes on when it is run again; what is not whole is not served.`,
  ),
  note(
    'check',
    `check compares the bytes of every file of a data folder, or of a database and a bucket, with what was stored, and checks the
database of a folder, also while servers run: a line for each file that is lost or damaged, and for each blob without a file;
exit code 1 when a file is damaged. --check-rate is how many bytes it reads a second.
check with a certificate says of each thing that it names whether it is still so: configuration, model, labels, date, signature
(--fingerprint requires a key); with --data the pictures are evaluated again; with --drift it is void where later pictures of
its camera differ from those of its evidence. Exit code 1 when the certificate is void, or --drift has other pictures.`,
  ),
  note(
    'secrets',
    `secrets rotate replaces the secrets that sign access tokens and URLs: within ten seconds none given out before is good, and
clients authenticate again with their keys, which stay.`,
  ),
  note(
    'clock audit orgs',
    `audit prints who changed what, the newest first, one change a line; it is kept forever unless serve --keep audit=5y says
otherwise. clock confirm says that the clock is right after it went on by more than a day at once. orgs quota ID 20GB bounds the
files and readings of one organization; orgs list says what each stores.`,
  ),
  note('', `One JSON object a frame is printed on stdout, in the order given; progress goes to stderr.`),
  note(
    '',
    `Exit code: 0 all well; 1 a frame, the configuration or the model failed, or lint found errors; 2 bad arguments.`,
  ),
];
