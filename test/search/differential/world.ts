import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../../src/base/log.ts'
import { repeatTarget } from '../../../src/core/documents/proxies/proxy.ts'
import type { WriteSession } from '../../../src/core/session.ts'
import type { Document } from '../../../src/model/document.ts'
import type { Model } from '../../../src/model/model.ts'
import { grant } from '../../../src/model/rights/acl.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Random } from '../../faults/kill/random.ts'
import type { Candidate } from '../../support/nxql/evaluator.ts'
import { candidatesOf } from './candidates.ts'
import { happens, oneOf } from './chance.ts'
import { acpCount, names, someDocuments, someSystemFields } from './random-documents.ts'
import type { Subjects } from './random-leaf.ts'
import { aModel } from './random-model.ts'
import { askedProperties, someProperties } from './random-properties.ts'

/** A model and documents that chance made, the same in both engines and in memory. */
export interface World {
  readonly model: Model
  readonly subjects: Subjects
  readonly candidates: readonly Candidate[]
  readonly engines: readonly EngineWorld[]
  close(): Promise<void>
}

export interface EngineWorld {
  readonly store: Store
  /** The ids that the lists of entries have here. */
  readonly acpIds: readonly number[]
}

export interface PostgresPlace {
  readonly url: string
  readonly schema: string
}

export async function createWorld(random: Random, postgres: PostgresPlace, size: number): Promise<World> {
  const model = aModel(random)
  const documents = someDocuments(random, model, size)
  const changes = someChanges(random, model, documents)
  const folder = await mkdtemp(join(tmpdir(), 'quire-queries-'))
  const place = { repository: 'default', dataFolder: folder, cachedDocuments: 100, databaseSchema: postgres.schema }
  const stores = [
    await openStore(place, model, silentLog),
    await openStore({ ...place, databaseUrl: postgres.url }, model, silentLog),
  ]
  const engines: EngineWorld[] = []
  for (const store of stores) engines.push(await fill(store, documents, changes))
  const stored = await readAll(stores[0] as Store, documents)
  return {
    model,
    subjects: { properties: askedProperties(model), documents: stored, types: [...new Set(stored.map(({ type }) => type))] },
    candidates: candidatesOf(model, stored),
    engines,
    async close() {
      for (const store of stores) await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Change = (tx: Parameters<Parameters<Store['transact']>[0]>[0]) => Promise<unknown>

/** Documents are not only made: they are written again, moved, and removed, and their proxies with them. */
function someChanges(random: Random, model: Model, documents: readonly Document[]): readonly Change[] {
  const live = documents.filter(({ isProxy, isVersion, parentId }) => !isProxy && !isVersion && parentId !== null)
  return live.flatMap((document): Change[] => {
    const changes: Change[] = []
    if (happens(random, 0.4)) changes.push(rewriting(random, model, document))
    if (happens(random, 0.1)) changes.push(renaming(document, `${oneOf(random, names)}-${document.id}`))
    if (happens(random, 0.05)) changes.push(removing(document))
    return changes
  })
}

function rewriting(random: Random, model: Model, { id, type, facets }: Document): Change {
  const properties = someProperties(random, model, { type, facets })
  const { acls: _, ...fields } = someSystemFields(random)
  return async (tx) => {
    const before = await tx.documents.findForUpdate(id)
    if (before === undefined) return
    const after = { ...before, ...fields, properties }
    await tx.documents.update(before, after)
    await repeatTarget({ tx, model } as WriteSession, after, await tx.documents.listProxyIds(after.id))
  }
}

function renaming({ id }: Document, name: string): Change {
  return async (tx) => {
    const document = await tx.documents.find(id)
    if (document?.path === undefined || document.path === null || document.parentId === null) return
    const path = `${document.path.slice(0, document.path.lastIndexOf('/'))}/${name}`
    await tx.documents.move(document, { parentId: document.parentId, name, path, position: document.position })
  }
}

function removing({ id }: Document): Change {
  return async (tx) => {
    const document = await tx.documents.find(id)
    if (document !== undefined && (await isWithoutTies(tx, document))) await tx.documents.removeSubtree(document)
  }
}

/** Nothing below it, and nothing that shows it or was made of it: what then happens to those is a matter of other tests. */
async function isWithoutTies({ documents }: Parameters<Change>[0], { id }: Document): Promise<boolean> {
  const children = await documents.listChildIds(id)
  return [children, await documents.listProxyIds(id), await documents.listVersions(id)].every(({ length }) => length === 0)
}

async function fill(store: Store, documents: readonly Document[], changes: readonly Change[]): Promise<EngineWorld> {
  const acpIds = await store.transact(async (tx) => {
    const ids: number[] = []
    for (let list = 0; list < acpCount; list++) ids.push(await tx.acps.intern([grant(`reader-${list}`, 'Browse')]))
    return ids
  })
  await store.transact(async (tx) => {
    for (const document of documents) await tx.documents.insert({ ...document, acpId: acpIds[document.acpId] ?? 0 })
  })
  for (const change of changes) await store.transact(change)
  return { store, acpIds }
}

async function readAll(store: Store, documents: readonly Document[]): Promise<readonly Document[]> {
  return store.reader.documents.findAll(documents.map(({ id }) => id))
}
