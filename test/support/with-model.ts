import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Beside, type Parley, startParley } from './harness'
import { type OpenAiServer, startOpenAi } from './openai-server'

/** Of the block that runs; files of one process run one after the other. */
export let parley: Parley
export let model: OpenAiServer

/** For a block of tests: a Worker whose model says what `model.script` says. Each test begins with no call counted. */
export function withModel(vars: Record<string, string> = {}, beside: Beside = {}): void {
  beforeAll(async () => {
    model = await startOpenAi()
    parley = await startParley({ ...model.vars, ...vars }, beside)
  })
  beforeEach(() => {
    model.calls.length = 0
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
  })
}
