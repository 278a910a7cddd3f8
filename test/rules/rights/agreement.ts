import assert from 'node:assert/strict'
import { openSession } from '../../../src/core/access.ts'
import { hasPermission } from '../../../src/core/permissions.ts'
import type { Session } from '../../../src/core/session.ts'
import type { Document } from '../../../src/model/document.ts'
import type { Acl } from '../../../src/model/rights/acl.ts'
import { systemPrincipal } from '../../../src/model/rights/principal.ts'
import { listedChildren } from '../../support/listed-children.ts'
import { effectiveList, isAdministrator, isGranted, namesOf } from './oracle.ts'
import { users } from './step.ts'
import type { World } from './world.ts'

const asked = ['Browse', 'Read', 'ReadChildren', 'WriteProperties', 'RemoveChildren', 'WriteSecurity', 'Everything', 'Fly']

/**
 * For every user and document: what the contract says, what a check answers and what a query shows are the same, and the
 * stored list is the one that the ACLs from the document up to the root make.
 */
export async function requireAgreement(world: World): Promise<void> {
  const documents = await readAll(world)
  const levelsOf = (id: string) => levelsFrom(world, documents, id)
  await requireStoredLists(world, documents, levelsOf)
  for (const user of users) {
    const principal = await world.principals.find(user)
    assert.ok(principal)
    assert.deepEqual([...principal.names].sort(), expectedNames(world, user), `the names of ${user}`)
    const session = openSession(world.repository, principal)
    const may = (id: string, permission: string) =>
      isAdministrator(world.people, user) || isGranted(levelsOf(id), namesOf(world.people, user), permission, world.clock.now)
    await requireChecks(session, documents, may)
    await requireQueries(session, world, documents, may)
  }
}

async function readAll({ repository, parents, versions }: World): Promise<ReadonlyMap<string, Document>> {
  const session = openSession(repository, systemPrincipal())
  const found = await session.reader.documents.findAll([...parents.keys(), ...versions.keys()])
  for (const id of versions.keys()) if (!found.some((one) => one.id === id)) versions.delete(id)
  assert.equal(found.length, parents.size + versions.size, 'every document is there')
  return new Map(found.map((document) => [document.id, document]))
}

/** The own ACLs of the document, of its folder and so on; a version has those of its live document, or none. */
function levelsFrom(world: World, documents: ReadonlyMap<string, Document>, id: string): readonly (readonly Acl[])[] {
  const levels: (readonly Acl[])[] = []
  let above: string | null = world.versions.get(id) ?? id
  if (!world.parents.has(above)) return []
  for (; above !== null; above = world.parents.get(above) ?? null) levels.push(documents.get(above)?.acls ?? [])
  return levels
}

function expectedNames({ people }: World, user: string): readonly string[] {
  const names = namesOf(people, user)
  // A default administrator belongs to the administrators' groups without being listed, and so to the groups these are in.
  const all = user === 'Administrator' ? [...names, ...namesOf(people, 'administrators')] : [...names]
  return [...new Set(all)].sort()
}

async function requireStoredLists(
  { repository }: World,
  documents: ReadonlyMap<string, Document>,
  levelsOf: (id: string) => readonly (readonly Acl[])[],
): Promise<void> {
  for (const { id, acpId } of documents.values()) {
    const stored = await repository.store.reader.acps.find(acpId)
    assert.deepEqual(stored?.aces, effectiveList(levelsOf(id)), `the stored list of ${id}`)
  }
}

type May = (id: string, permission: string) => boolean

async function requireChecks(session: Session, documents: ReadonlyMap<string, Document>, may: May): Promise<void> {
  for (const document of documents.values()) {
    for (const permission of asked) {
      const answer = await hasPermission(session, document, permission)
      assert.equal(answer, may(document.id, permission), `${permission} of ${session.principal.name} on ${document.id}`)
    }
  }
}

async function requireQueries(session: Session, world: World, documents: ReadonlyMap<string, Document>, may: May): Promise<void> {
  for (const permission of ['Browse', 'Read']) {
    const readable = await session.repository.acps.readableBy(session, permission)
    for (const { id, acpId } of documents.values()) {
      const isShown = readable === undefined || readable.includes(acpId)
      assert.equal(isShown, may(id, permission), `${session.principal.name} is shown ${id} by ${permission}`)
    }
  }
  for (const folder of new Set(world.parents.values())) {
    const parent = folder === null ? undefined : documents.get(folder)
    if (parent === undefined) continue
    const shown = await listedChildren(session, parent.id)
    const expected = [...world.parents].filter(([id, above]) => above === folder && may(id, 'Browse')).map(([id]) => id)
    assert.deepEqual([...shown].sort(), expected.sort(), `what ${session.principal.name} sees in ${folder}`)
  }
}
