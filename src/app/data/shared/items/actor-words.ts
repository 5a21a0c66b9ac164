import type { Actor } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';

/** "lab key", "This browser", "ada at a terminal". */
export function actorWords(actor: Pick<Actor, 'kind' | 'id' | 'name'> | undefined): string {
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
