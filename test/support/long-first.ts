import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What a run begins with, and in which order: after these come the largest files, and a small file that takes long would
 * run alone at the end.
 */
const FIRST = [
  'unit/knowledge/read/hostile-text',
  'unit/scripts/eval-questions',
  'unit/scripts/list-routes',
  'system/chat-page',
  'system/chat-turns',
  'system/account',
  'system/widget',
  'system/widget-talk',
  'system/widget-sign-in',
  'system/chat-states',
  'system/chat-page-looks',
  'system/login-page',
  'system/pwa',
  'system/history',
  'system/docs',
  'system/speech',
]

/** For vitest's configuration. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place === -1 ? FIRST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
