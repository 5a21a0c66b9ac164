import type { Actor } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';

type Named = Pick<Actor, 'kind' | 'id' | 'name'>;

/** "lab key", "This browser", "ada at a terminal". */
export function actorWords(actor: Named | undefined): string {
  const { kind = '', id = '', name = '' } = actor ?? {};
  switch (kind) {
    case 'key':
      return name || `Key ${id}`;
    case 'browser':
      return 'This browser';
    case 'terminal':
      return id ? `${id} at a terminal` : 'A terminal';
    case 'service':
      return 'The service';
    default:
      return name || `${kind} ${id}`.trim();
  }
}

/** The words for each of several: where two have the same name, with the beginning of the id. */
export function namesApart(actors: readonly Named[]): readonly string[] {
  const words = actors.map(actorWords);
  return words.map((text, at) =>
    words.indexOf(text) === words.lastIndexOf(text) ? text : `${text} (${actors[at]!.id.slice(0, 8)})`,
  );
}
