/** The pages of the documentation in the order of its menu; `source` is the path of the Markdown in the repository. */
export interface Chapter {
  readonly title: string;
  readonly pages: readonly Entry[];
}

export interface Entry {
  readonly source: string;
  /** the page's name in the menu */
  readonly title: string;
}

const page = (name: string, title: string): Entry => ({ source: `docs/${name}.md`, title });

export const contents: readonly Chapter[] = [
  { title: 'Start', pages: [page('index', 'What Sightglass is'), page('tour', 'A tour of the page')] },
  {
    title: 'Recipes',
    pages: [
      page('recipes/ultralytics', 'A YOLOv8 of Ultralytics'),
      page('recipes/yolox', 'A YOLOX'),
      page('recipes/tflite-ssd', 'An SSD MobileNet in TFLite'),
      page('recipes/own-tflite', 'Your own TFLite file'),
      page('recipes/viam-trained', 'A model that Viam trained'),
      page('recipes/teachable-machine', 'A Teachable Machine classifier'),
      page('recipes/colour', 'Something by its colour'),
      page('recipes/filtered-camera', 'Only the images that matter'),
      page('recipes/events', 'Alarms that do not flicker'),
      page('recipes/machine-anywhere', 'A machine that is somewhere else'),
      page('recipes/wrong-boxes', 'Boxes look wrong'),
      page('recipes/feeding', 'What preprocessing costs'),
      page('recipes/many-labels', '80 labels'),
      page('recipes/thresholds', 'Thresholds from evidence'),
      page('recipes/record', 'Record now, decide later'),
      page('recipes/captures-to-dataset', 'From captures to a dataset'),
      page('recipes/robot-ci', 'A robot’s CI'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('machine', 'What the machine does'),
      page('lint-rules', 'Lint rules'),
      page('families', 'Families of models'),
      page('foreign-models', 'Foreign models'),
      page('formats', 'Formats, in and out'),
      page('terminal', 'The command line'),
      page('library', 'As a library'),
      page('glossary', 'Glossary'),
    ],
  },
  {
    title: 'Hosting and data service',
    pages: [
      page('browsers', 'Browsers'),
      page('hosting', 'Hosting the page'),
      page('data-service', 'The data service'),
      page('labelling', 'Labelling together'),
      page('people', 'People and roles'),
      page('clients', 'Programs that call it'),
      page('sql', 'SQL over readings'),
      page('operations', 'Running a server'),
    ],
  },
  {
    title: 'The project',
    pages: [
      page('stability', 'What is stable'),
      page('performance', 'Performance'),
      page('architecture', 'Architecture'),
      { source: 'CONTRIBUTING.md', title: 'Contributing' },
      page('decisions/README', 'Decisions'),
      { source: 'CHANGELOG.md', title: 'Changelog' },
    ],
  },
];
