/** Where the items of a map lie, which belong together and which are near: only maps need it. */
export { clusterItems } from './cluster-items'
export { connectItems, nearestTo } from './connect-items'
export { projectVectors } from './project-vectors'
