import { useState } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import { useApi } from '../api/call'
import { Button, CheckList, Dialog, Problem, useToast } from '../parts'
import { Link, to } from '../router'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { type AgentLists, changesOf, type ListName, namesWith } from './choose-agents'

/** Said by the screen that shows it. */
interface Words {
  title: string
  hint: string
  nobody: string
  choose: string
  noAgents: string
  saved: string
}

interface AgentsWithProps {
  /** The list of an agent that the name is in, or is to be in. */
  list: ListName
  name: string
  agents: readonly AgentLists[]
  words: Words
  onChanged: () => void
}

/** The agents that have a skill or a base, and the way to give it to others. */
export function AgentsWith({ list, name, agents, words, onChanged }: AgentsWithProps) {
  const [isChoosing, setChoosing] = useState(false)
  const having = namesWith(agents, list, name)
  return (
    <section class="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="muted">{having.length === 0 ? words.nobody : words.hint}</p>
      {having.length > 0 && (
        <ul class="row holders">
          {having.map((agent) => (
            <li key={agent}>
              <Link to={agentPath(agent)}>
                <bdi>{agent}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon="agents" onClick={() => setChoosing(true)}>
          {words.choose}
        </Button>
      </div>
      {isChoosing && (
        <ChooseAgents
          list={list}
          name={name}
          agents={agents}
          words={words}
          onChanged={onChanged}
          onClose={() => setChoosing(false)}
        />
      )}
    </section>
  )
}

function ChooseAgents(props: AgentsWithProps & { onClose: () => void }) {
  const { list, name, agents, words, onChanged, onClose } = props
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [chosen, setChosen] = useState(() => namesWith(agents, list, name))
  const save = async () => {
    const isDone = await act(async () => {
      const changes = changesOf(agents, list, name, chosen)
      // Where one is refused, those before it have been written.
      if (changes.length > 0)
        await (async () => {
          for (const { agent, body } of changes) await api.patch(to`/v1/agents/${agent}`, body)
        })().finally(onChanged)
    })
    if (!isDone) return
    say(words.saved)
    onClose()
  }
  return (
    <Dialog
      title={words.choose}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {shell('save')}
          </Button>
        </>
      }
    >
      <CheckList
        label={words.title}
        options={agents.map((agent) => ({
          value: agent.name,
          label: agent.name,
          disabled: agent.source === 'system',
        }))}
        value={chosen}
        none={words.noAgents}
        onChange={setChosen}
      />
      <Problem of={problem} />
    </Dialog>
  )
}
