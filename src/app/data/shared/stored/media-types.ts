/** What each tab shows, as the data service sorts it: pictures and point clouds by their types, all else is a file. */
export const imageTypes: readonly string[] = ['image/jpeg', 'image/png'];
export const pointCloudTypes: readonly string[] = ['pointcloud/pcd'];
