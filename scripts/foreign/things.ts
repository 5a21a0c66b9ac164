export interface Box {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** What two of the sample photographs show, in pixels, as SCRFD, YOLOX-nano and Yolo-FastestV2 agree. */
export interface Thing {
  readonly file: string;
  readonly faces: readonly Box[];
  readonly persons: readonly Box[];
}

const box = (xMin: number, yMin: number, xMax: number, yMax: number): Box => ({ xMin, yMin, xMax, yMax });

export const things: readonly Thing[] = [
  {
    file: 'sample1.jpg',
    faces: [box(416, 350, 603, 591), box(1461, 208, 1683, 435), box(829, 427, 1037, 655)],
    persons: [box(676, 308, 1251, 1277), box(1214, 175, 1850, 1269), box(176, 242, 750, 1265)],
  },
  {
    file: 'sample2.jpg',
    faces: [box(1432, 151, 1650, 391), box(894, 230, 1079, 460), box(359, 136, 541, 426)],
    persons: [box(6, 34, 890, 1330), box(1202, 33, 1911, 1343), box(760, 80, 1400, 1345)],
  },
];
