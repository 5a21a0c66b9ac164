/** The types that each tab shows: pictures and point clouds have theirs, everything else is a file. */
export const imageTypes: readonly string[] = ['image/jpeg', 'image/png'];
export const pointCloudTypes: readonly string[] = ['pointcloud/pcd'];
