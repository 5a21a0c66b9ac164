import { everything, rooms, type Room } from './import-walls.ts';

/** A row of the map in CONTRIBUTING.md: folder, what it is, what it may import. */
const row = /^\| `([^`]+)` \|(.*)\|([^|]*)\|$/gm;

/** The folders that the map has rows for. */
export function mappedFolders(contributing: string): string[] {
  return [...contributing.matchAll(row)].map(([, path]) => path!);
}

/** CONTRIBUTING.md with the last column of its map as the table of walls has it. */
export function withWalls(contributing: string): string {
  return contributing.replace(row, (line, path: string, what: string) => {
    const room = rooms.find((one) => one.path === path);
    return room ? `| \`${path}\` |${what}| ${mayImport(room)} |` : line;
  });
}

function mayImport({ values = [], types = [], packages = [], onePackageAFile = [] }: Room): string {
  if (values.includes(everything)) return 'all';
  const sentences = [
    values.map(quoted).join(' '),
    types.length > 0 && `types of ${types.map(quoted).join(' ')}`,
    packages.length > 0 && packages.join(', '),
    onePackageAFile.length > 0 && `one of ${onePackageAFile.join(', ')} a file`,
  ];
  return sentences.filter((sentence) => sentence).join('; ') || '–';
}

const quoted = (path: string): string => `\`${path}\``;
