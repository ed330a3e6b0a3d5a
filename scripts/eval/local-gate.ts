export { readGate } from '../../src/knowledge/gate'
export { leastCosine } from '../../src/knowledge/least-cosine'
export { openLocalBase } from './local-turn'
