import { cornersOfCentres, cornersOfCorners, type BoxUnit } from '../../attach/boxes.ts';
import { cornersOfDistances } from '../../attach/distances.ts';
import type { GridRow } from '../../attach/grid.ts';
import { onAnchors, type AnchorRow } from '../../attach/on-anchors.ts';
import { onGrid } from '../../attach/on-grid.ts';
import type { Head } from '../../structure/family.ts';

const forms = ['centre and size', 'corner and size', 'two corners', 'two corners, y first'];
const formsOfGrids = ['offsets in a grid', 'distances in a grid'];
const formsOfAnchors = ['anchors as in YOLOv5', 'anchors as in YOLOv3'];

/** The meanings that four numbers may have. */
export function boxForms(has: { readonly grid: boolean; readonly levels: boolean }): readonly string[] {
  return [...forms, ...(has.grid || has.levels ? formsOfGrids : []), ...(has.levels ? formsOfAnchors : [])];
}

/** Where the candidates of a table lie; each throws a FitError in words where they lie nowhere. */
export interface Places {
  readonly gridRows: () => readonly GridRow[];
  readonly anchorRows: () => readonly AnchorRow[];
}

/** Four numbers [T,4] of the candidates at `index`, as the options say them → corners [T,4] as shares. */
export function cornersAsSaid(head: Head, four: string, index: string, places: Places): string {
  const { build } = head;
  const unit = head.choice('boxUnit') as BoxUnit;
  const isActivated = head.choice('activation') === 'none';
  const onAnchorsOf = (form: 'yolo-v3' | 'yolo-v5') =>
    cornersOfCentres(head, onAnchors(head, four, index, places.anchorRows(), { form, isActivated }), 'pixels');
  switch (head.choice('boxForm')) {
    case 'corner and size':
      return cornersOfCorners(head, build.add('MatMul', [four, build.floats([4, 4], cornerAndSize)]), unit);
    case 'two corners':
      return cornersOfCorners(head, four, unit);
    case 'two corners, y first': {
      const xFirst = build.add('Gather', [four, build.ints([4], [1, 0, 3, 2])], { axis: { int: 1 } });
      return cornersOfCorners(head, xFirst, unit);
    }
    case 'offsets in a grid':
      return cornersOfCentres(head, onGrid(head, four, index, places.gridRows()), 'pixels');
    case 'distances in a grid':
      return cornersOfDistances(head, four, index, { rows: places.gridRows(), offset: 0.5, isClipped: true });
    case 'anchors as in YOLOv5':
      return onAnchorsOf('yolo-v5');
    case 'anchors as in YOLOv3':
      return onAnchorsOf('yolo-v3');
    default:
      return cornersOfCentres(head, four, unit);
  }
}

/** x, y, width, height → x, y, x + width, y + height */
const cornerAndSize = [1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1];
