import { checkExits } from './checks/exits'
import { Examined, type Subject, type Surroundings, type Validation } from './checks/findings'
import { checkNode } from './checks/node'
import { checkReferences, checkTrigger } from './checks/references'
import { checkShape } from './checks/shape'
import { conditionsFor } from './conditions'
import { pathProblems } from './paths'
import { readGraph, withUsedSlots } from './read-graph'
import { readSlots } from './slots'

/** The checks before a storyline is published (storyline-model, section 6). Never throws, whatever is stored. */
export function validate(subject: Subject, around: Surroundings): Validation {
  const examined = examine(subject, around)
  checkReferences(examined)
  // Past a graph of the wrong shape, further findings would only speak of its ruins.
  if (checkShape(examined)) {
    for (const [key, node] of examined.nodes) checkNode(examined, key, node)
    checkExits(examined, examined.graph.exits ?? [], ['graph', 'exits'], null)
    checkTrigger(examined)
    checkPaths(examined)
  }
  const errors = examined.findings
  return { ok: errors.every(({ severity }) => severity !== 'error'), errors }
}

function examine(subject: Subject, around: Surroundings): Examined {
  const { slots, problems } = readSlots(subject.profile_schema)
  const { graph, foreign } = readGraph(subject.graph, slots)
  const known = foreign ? withUsedSlots(slots, graph) : slots
  const examined = new Examined(subject, around, graph, known, conditionsFor(known))
  for (const { code, path, message } of problems) {
    examined.add(code, ['profile_schema', ...path], message)
  }
  return examined
}

function checkPaths(examined: Examined): void {
  for (const { code, node, message, warning } of pathProblems(examined.graph)) {
    const path = ['graph', 'nodes', ...(node === null ? [] : [node])]
    examined.add(code, path, message, { ...(node === null ? {} : { node }), warning })
  }
}
