import { describe, expect, it } from 'vitest'
import { ingestDocument } from '../../../src/jobs/ingest-document'
import { ingestDocuments } from '../../../src/jobs/ingest-documents'
import type { Job } from '../../../src/jobs/job'
import { NodeDirectory } from '../../support/node-directory'
import { nodeD1 } from '../../support/node-object'

const TENANT = 'tenant'
const BASE = 'base'
const DOCUMENT = 'document'
const VERSION = 'version'
const ALONE = {
  type: 'document.ingest',
  tenantId: TENANT,
  baseId: BASE,
  documentId: DOCUMENT,
  version: VERSION,
} as const
const TOGETHER = {
  type: 'documents.ingest',
  tenantId: TENANT,
  baseId: BASE,
  documents: [{ id: DOCUMENT, version: VERSION }],
} as const

/** A directory with one document, its file, and a base of which only what it holds is told. */
class World {
  readonly directory = new NodeDirectory()
  /** Documents of which the base holds text; null once it was destroyed and nothing came after. */
  held: Set<string> | null = new Set()
  readonly sent: Job[] = []
  /** Run as the base takes text, before and after. */
  before = () => {}
  after = () => {}

  constructor() {
    this.directory.insert('tenants', { id: TENANT })
    this.directory.insert('knowledge_bases', { id: BASE, tenant_id: TENANT, name: 'guides' })
    this.directory.insert('documents', {
      id: DOCUMENT,
      tenant_id: TENANT,
      base_id: BASE,
      name: 'fees.md',
      path: 'fees.md',
      kind: 'md',
      version: VERSION,
      status: 'queued',
    })
  }

  #take() {
    this.before()
    this.held ??= new Set()
    this.held.add(DOCUMENT)
    this.after()
  }

  readonly #base = {
    stageChunks: async () => {
      this.#take()
      return { ok: true, staged: 1 }
    },
    commitDocument: async () => ({ ok: true, chunks: 1 }),
    takeDocuments: async ({ documents }: { documents: unknown[] }) => {
      this.#take()
      return documents.map(() => null)
    },
    deleteDocument: async ({ documentId }: { documentId: string }) => {
      this.held?.delete(documentId)
    },
    destroy: async () => {
      this.held = null
    },
  }

  readonly env = {
    DB: nodeD1(this.directory.db),
    JOBS: { sendBatch: async () => {} },
    FILES: {
      get: async () => ({ arrayBuffer: async () => new TextEncoder().encode('# Fees\n\nNone.') }),
    },
    KNOWLEDGE_BASE: {
      idFromName: (name: string) => name,
      get: () => this.#base,
      getByName: () => this.#base,
    },
  } as unknown as Env

  /** What the request that deletes does before its own job runs. */
  deleteDocument(): void {
    this.directory.db.exec(`DELETE FROM documents WHERE id = '${DOCUMENT}'`)
    this.held?.delete(DOCUMENT)
  }

  /** What the request that deletes a base does, and its job. */
  deleteBase(): void {
    this.deleteDocument()
    this.directory.db.exec(`DELETE FROM knowledge_bases WHERE id = '${BASE}'`)
    this.held = null
  }
}

const alone = (world: World) => ingestDocument(world.env, ALONE)
const together = (world: World) =>
  ingestDocuments(world.env, { ...TOGETHER, documents: [...TOGETHER.documents] })

describe.each([
  ['alone', alone],
  ['together with others', together],
])('a document that is ingested %s', (_, ingest) => {
  it('stays out of the base when it is deleted before the base takes its text', async () => {
    const world = new World()
    world.before = () => world.deleteDocument()
    await ingest(world)
    expect(world.held).toEqual(new Set())
  })

  it('leaves nothing in a base that is deleted meanwhile', async () => {
    const world = new World()
    world.before = () => world.deleteBase()
    await ingest(world)
    expect(world.held).toBeNull()
  })

  it('is taken out by the next attempt when the first died right after the base took it', async () => {
    const world = new World()
    world.before = () => world.deleteDocument()
    world.after = () => {
      throw new Error('killed')
    }
    await ingest(world).catch(() => {})
    expect(world.held).toEqual(new Set([DOCUMENT]))
    world.after = () => {}
    await ingest(world)
    expect(world.held).toEqual(new Set())
  })

  it('is kept when nobody deletes it', async () => {
    const world = new World()
    await ingest(world)
    expect(world.held).toEqual(new Set([DOCUMENT]))
  })
})
