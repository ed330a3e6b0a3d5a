import type { Finding, Subject, Surroundings } from './checks/findings'
import { validate } from './validate'

/** Nothing that is named outside the storyline is looked at. */
const NOWHERE: Surroundings = {
  agentExists: true,
  tools: new Set(),
  knowledgeBases: new Set(),
  next: null,
}
const SHAPE: ReadonlySet<string> = new Set(['schema', 'limit_exceeded'])

/** What makes a graph none that the machine could run; everything else that is wrong with a draft it bears. */
export const shapeFaults = (subject: Subject): Finding[] =>
  validate(subject, NOWHERE).errors.filter(({ code }) => SHAPE.has(code))
