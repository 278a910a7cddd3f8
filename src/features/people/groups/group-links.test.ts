import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { groupDirectory, subGroups } from '../../../core/directories/people.ts'
import type { Store } from '../../../store/store.ts'
import { groupInItself } from './group-circle.ts'
import { linkGroup } from './group-links.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const links = fc.record(
  {
    memberGroups: fc.uniqueArray(fc.constantFrom(...names)),
    parentGroups: fc.uniqueArray(fc.constantFrom(...names)),
  },
  { requiredKeys: [] },
)
const history = fc.array(fc.record({ name: fc.constantFrom(...names), links }), { maxLength: 12 })

type Members = Map<string, readonly string[]>

onEachEngine('linking groups', (engine) => {
  test('is refused for just those changes that put a group into itself, whatever came before', async () => {
    const store = await engine.openStore()
    const property = fc.asyncProperty(history, async (changes) => {
      let expected: Members = new Map(names.map((name) => [name, []]))
      await reset(store)
      for (const { name, links } of changes) {
        const changed = linked(expected, name, links)
        // A group that is sent as its own member is refused even if the parents that are sent would undo it.
        const isRefused = hasCircle(changed) || (links.memberGroups ?? []).includes(name)
        const change = store.transact((tx) => linkGroup(tx.directories, name, links))
        if (isRefused) await assert.rejects(change, groupInItself.is)
        else await change
        if (!isRefused) expected = changed
        assert.deepEqual(await stored(store), sorted(expected))
      }
    })
    await fc.assert(property, { numRuns: 25 })
  })
})

function linked(
  members: Members,
  name: string,
  { memberGroups, parentGroups }: { memberGroups?: string[]; parentGroups?: string[] },
): Members {
  const after = new Map(members)
  if (memberGroups !== undefined) after.set(name, memberGroups)
  if (parentGroups === undefined) return after
  for (const parent of names) {
    const others = (after.get(parent) ?? []).filter((member) => member !== name)
    after.set(parent, parentGroups.includes(parent) ? [...others, name] : others)
  }
  return after
}

function hasCircle(members: Members): boolean {
  const isAbove = (group: string, sought: string, seen: Set<string>): boolean =>
    (members.get(group) ?? []).some((member) => {
      if (member === sought) return true
      if (seen.has(member)) return false
      return isAbove(member, sought, seen.add(member))
    })
  return names.some((name) => isAbove(name, name, new Set()))
}

function sorted(members: Members): object {
  return Object.fromEntries(names.map((name) => [name, [...(members.get(name) ?? [])].sort()]))
}

async function stored({ reader }: Store): Promise<object> {
  const members: Members = new Map()
  for (const name of names) members.set(name, await reader.directories.listTargets(subGroups, name))
  return sorted(members)
}

async function reset(store: Store): Promise<void> {
  await store.transact(async ({ directories }) => {
    for (const name of names) {
      await directories.insert(groupDirectory, { id: name, values: { groupname: name } })
      await directories.replaceTargets(subGroups, name, [])
    }
  })
}
