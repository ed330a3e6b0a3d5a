export { chunkDocument } from '../../src/knowledge/chunk-document'
export { readDocument } from '../../src/knowledge/read/read-document'
export { readUnits } from '../../src/models/offline/read-units'
