export const OFFLINE_EMBEDDER = 'offline-sketch'
