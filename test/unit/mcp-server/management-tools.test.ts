import { describe, expect, it } from 'vitest'
import { describeTools, toRequest } from '../../../src/mcp-server/management-tools.lazy'
import { ROUTES } from '../../../src/routes/table'

const tools = describeTools(ROUTES)
const toolOf = (name: string) => {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no ${name}`)
  return tool
}

describe('describeTools', () => {
  it('every argument has one place, and what is required is described', () => {
    for (const { name, inputSchema, places } of tools) {
      const properties = Object.keys((inputSchema.properties ?? {}) as object)
      expect(Object.keys(places).sort(), name).toEqual(properties.toSorted())
      for (const field of inputSchema.required as string[])
        expect(properties, name).toContain(field)
      const text = JSON.stringify(inputSchema)
      expect(text, name).not.toContain('$ref')
    }
  })

  it('a field of the body that a parameter of the path hides has a name of its own', () => {
    expect(toolOf('update_agent').places).toMatchObject({
      name: { in: 'path', field: 'name' },
      new_name: { in: 'body', field: 'name' },
    })
    expect(toolOf('clone_agent').places.new_name).toEqual({ in: 'body', field: 'name' })
  })
})

describe('toRequest', () => {
  it('puts every argument where it belongs and leaves out what it does not know', () => {
    const args = { name: 'a/b ?#%', new_name: 'c', task: null, more: 1 }
    expect(toRequest(toolOf('update_agent'), args)).toEqual({
      path: '/v1/agents/a%2Fb%20%3F%23%25',
      body: { name: 'c', task: null },
    })
    expect(toRequest(toolOf('list_documents'), { name: '$&', limit: 2, cursor: null })).toEqual({
      path: '/v1/knowledge-bases/%24%26/documents?limit=2',
      body: null,
    })
  })

  it('never leaves its route', () => {
    for (const name of ['', '.', '..'])
      expect(toRequest(toolOf('get_agent'), { name })).toEqual({
        path: '/v1/agents/%20',
        body: null,
      })
    expect(toRequest(toolOf('get_agent'), { name: '../tenant/keys' })).toEqual({
      path: '/v1/agents/..%2Ftenant%2Fkeys',
      body: null,
    })
  })

  it('says what is wrong with a part of the path', () => {
    expect(toRequest(toolOf('get_agent'), {})).toMatchObject({
      type: 'missing',
      loc: ['path', 'name'],
    })
    for (const name of [7, null, ['a'], '\ud800'])
      expect(toRequest(toolOf('get_agent'), { name })).toMatchObject({ type: 'string_type' })
  })
})
