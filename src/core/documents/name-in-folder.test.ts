import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameAfterCollision } from '../../model/path-segment.ts'
import type { WriteSession } from '../session.ts'
import { freeVariant } from './name-in-folder.ts'

/** A folder whose children have these names, and how often it was asked for them. */
function aFolder(names: Set<string>) {
  const asked = { count: 0 }
  const listTakenNames = async (_: string, candidates: readonly string[]) => {
    asked.count += 1
    return candidates.filter((name) => names.has(name))
  }
  const session = { now: '2031-01-01T00:00:00.000Z', tx: { documents: { listTakenNames } } } as unknown as WriteSession
  return { asked, findFree: () => freeVariant(session, { id: 'folder' }, 'report', nameAfterCollision) }
}

test('the first variant of a name that is taken has the time of the request behind it', async () => {
  assert.equal(await aFolder(new Set()).findFree(), `report.${Date.parse('2031-01-01')}`)
})

test('a free name is found with one look, however many of one name a request makes', async () => {
  const names = new Set<string>()
  const { asked, findFree } = aFolder(names)
  for (let made = 0; made < 5_000; made++) {
    const name = await findFree()
    assert.ok(!names.has(name))
    assert.match(name, /^report\.\d{13}$/)
    names.add(name)
  }
  assert.ok(asked.count < 5_050, `${asked.count} looks`)
})

test('a free name is found with one look where the names to come are taken', async () => {
  const now = Date.parse('2031-01-01')
  const { asked, findFree } = aFolder(new Set(Array.from({ length: 100_000 }, (_, later) => `report.${now + later}`)))
  for (let made = 0; made < 20; made++) await findFree()
  assert.equal(asked.count, 20)
})
