export { Evidence } from '../../src/chat/reply/evidence'
export { openLocalBase } from './local-turn'
