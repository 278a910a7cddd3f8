import assert from 'node:assert/strict'
import { isoDate } from '../../../src/base/iso-date.ts'
import { Problem } from '../../../src/base/problem.ts'
import { accessTo } from '../../../src/core/access.ts'
import { createDocument } from '../../../src/core/documents/create-document.ts'
import { addPermission } from '../../../src/core/documents/rights/add-permission.ts'
import type { Repository } from '../../../src/core/session.ts'
import type { Principal } from '../../../src/model/rights/principal.ts'
import type { TestServer } from '../../../src/testing.ts'
import { findMisfound } from './search-snapshot.ts'
import { described, findContradictions, takeSnapshot } from './snapshot.ts'
import type { Actor, Step } from './step.ts'
import { takeStep } from './take-step.ts'

/** A server on which histories are replayed, each below a folder of its own. */
export interface Stage {
  readonly server: TestServer
  readonly principals: ReadonlyMap<Actor, Principal>
}

export async function prepareStage(server: TestServer): Promise<Stage> {
  await server.addUser('anna', ['members'])
  await server.addUser('ben', ['members'])
  const principals = new Map<Actor, Principal>()
  for (const name of ['Administrator', 'anna', 'ben'] as const) {
    const principal = await server.services.principals.find(name)
    assert.ok(principal, `there is a user ${name}`)
    principals.set(name, principal)
  }
  return { server, principals }
}

/** What came of each step, and what there was in the end. */
export interface Replay {
  readonly outcomes: readonly string[]
  readonly end: readonly object[]
}

/** Takes the steps one by one, a second apart, and looks for contradictions after each. */
export async function replay({ server, principals }: Stage, name: string, history: readonly Step[]): Promise<Replay> {
  const stored = server.services.repositories.get('default')
  assert.ok(stored)
  let second = 0
  const repository: Repository = { ...stored, now: () => isoDate(new Date(Date.UTC(2031, 0, 1) + second * 1_000)) }
  const path = `/${name}`
  await createTop(repository, principals, name)
  const outcomes: string[] = []
  for (const [index, { by, ...action }] of history.entries()) {
    second += 1
    const { documents } = await takeSnapshot(repository, path)
    const standing = {
      documents,
      listVersions: (live: { id: string }) => repository.store.reader.documents.listVersions(live.id),
    }
    const outcome = await outcomeOf(
      accessTo(repository, principals.get(by) as Principal).write((session) => takeStep(session, action, standing)),
    )
    outcomes.push(`${index} ${by} ${JSON.stringify(action)}: ${outcome}`)
    const snapshot = await takeSnapshot(repository, path)
    const contradictions = [...findContradictions(snapshot), ...(await findMisfound(repository, snapshot))]
    assert.deepEqual(contradictions, [], outcomes.join('\n'))
  }
  return { outcomes, end: described(await takeSnapshot(repository, path)) }
}

async function createTop(repository: Repository, principals: Stage['principals'], name: string): Promise<void> {
  await accessTo(repository, principals.get('Administrator') as Principal).write(async (session) => {
    const parent = await session.tx.documents.findByPath('/')
    assert.ok(parent)
    const top = await createDocument(session, { parent, type: 'Workspace', name, properties: { 'dc:title': 'top' } })
    await addPermission(session, top.id, { users: ['anna'], permission: 'Everything' })
  })
}

/** Refusals are outcomes like any other; anything else that goes wrong is a defect. */
async function outcomeOf(step: Promise<void>): Promise<string> {
  try {
    await step
    return 'done'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
