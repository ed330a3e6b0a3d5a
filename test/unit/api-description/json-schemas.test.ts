import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createSchemaWriter } from '../../../src/api-description/json-schemas'
import { nameField, queryInt, whenFrom } from '../../../src/wire/fields'

const Item = z.object({
  id: z.uuid(),
  n: z.int(),
  at: z.iso.datetime(),
  more: z.record(z.string(), z.unknown()),
})

describe('createSchemaWriter', () => {
  it('writes named schemas once and refers to them', () => {
    const writer = createSchemaWriter(new Map([[Item, 'Item']]))
    expect(writer.write(z.array(Item), 'output')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Item' },
    })
    expect(writer.write(Item, 'output')).toEqual({ $ref: '#/components/schemas/Item' })
    expect(writer.components()).toEqual({
      Item: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          n: { type: 'integer' },
          at: { type: 'string', format: 'date-time' },
          more: { type: 'object', additionalProperties: true },
        },
        required: ['id', 'n', 'at', 'more'],
      },
    })
  })

  it('writes a field as it may be sent', () => {
    const writer = createSchemaWriter(new Map())
    expect(writer.write(queryInt({ min: 1, max: 9 }).default(3), 'input')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 3,
    })
    expect(writer.write(nameField, 'input')).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 64,
    })
    expect(writer.write(whenFrom().optional(), 'input')).toEqual({ type: 'string', maxLength: 64 })
  })

  it('writes what a field says of itself, also where it may be null or is left out', () => {
    const writer = createSchemaWriter(new Map([[Item, 'Item']]))
    const said = z.string().describe('Of the user.')
    const fields = z.object({
      said,
      none: said.nullable(),
      out: z.int().nullable().optional().describe('Of nobody.'),
    })
    expect(writer.write(fields, 'input')).toMatchObject({
      properties: {
        said: { type: 'string', description: 'Of the user.' },
        none: { type: ['string', 'null'], description: 'Of the user.' },
        out: { type: ['integer', 'null'], description: 'Of nobody.' },
      },
    })
  })

  it('writes what may be null as one schema where it can', () => {
    const writer = createSchemaWriter(new Map([[Item, 'Item']]))
    expect(writer.write(z.string().max(5).nullable(), 'output')).toEqual({
      type: ['string', 'null'],
      maxLength: 5,
    })
    expect(writer.write(z.int().nullable().nullable(), 'output')).toEqual({
      type: ['integer', 'null'],
    })
    expect(writer.write(z.enum(['a']).nullable(), 'output')).toEqual({
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    })
    expect(writer.write(Item.nullable(), 'output')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }],
    })
  })

  it('refuses one name for two forms', () => {
    const Both = z.object({ n: z.int().default(1) })
    const writer = createSchemaWriter(new Map([[Both, 'Both']]))
    writer.write(Both, 'input')
    expect(writer.components()).toHaveProperty('Both')
    writer.write(Both, 'output')
    expect(() => writer.components()).toThrow('Both')
  })
})
