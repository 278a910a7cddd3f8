import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { DirectoryReader } from '../../store/directories.ts'
import type { Store } from '../../store/store.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../directories/people.ts'
import { listAllGroups } from './group-inheritance.ts'
import type { PrincipalRules } from './principal-rules.ts'
import { createPrincipals, type Principals } from './principals.ts'

const rules: PrincipalRules = {
  administratorsGroups: ['g0'],
  reservedGroups: [],
  reservedUsers: [],
  defaultAdministrators: ['u0'],
  defaultGroup: 'g5',
  anonymousUser: { name: 'Guest', properties: { firstName: 'Guest' } },
  virtualUsers: [{ name: 'virtual', password: 'secret', groups: ['g4'] }],
  groupComputers: [{ name: 'even', groups: [], groupsOf: (user) => (/[02468]$/.test(user) ? ['g3', 'computed'] : []) }],
}

interface Links {
  readonly members: readonly (readonly [group: number, user: number])[]
  readonly nested: readonly (readonly [group: number, member: number])[]
}

const users = Array.from({ length: 8 }, (_, number) => `u${number}`)
const everybody = [...users, 'Guest', 'virtual', 'transient/ann@example.org', 'system', 'nobody', 'no\0body', '']

async function store(links: Links, { transact }: Store): Promise<void> {
  await transact(async ({ directories }) => {
    for (const id of users) await directories.insert(userDirectory, { id, values: { username: id } })
    for (let group = 0; group < 6; group++) {
      const id = `g${group}`
      await directories.insert(groupDirectory, { id, values: { groupname: id, grouplabel: `Group ${group}` } })
      const linked = (pairs: Links['members']) => pairs.filter(([source]) => source === group).map(([, target]) => target)
      await directories.replaceTargets(
        groupMembers,
        id,
        linked(links.members).map((user) => users[user] ?? 'Guest'),
      )
      await directories.replaceTargets(
        subGroups,
        id,
        linked(links.nested).map((member) => `g${member}`),
      )
    }
  })
}

/** Counts what is asked of the directories. */
function counted(opened: Store): { store: Store; asked: string[] } {
  const asked: string[] = []
  const directories = new Proxy(opened.reader.directories, {
    get: (target, name) => {
      // What the engine knows by itself costs no statement.
      if (name !== 'findGeneration') asked.push(String(name))
      return target[name as keyof DirectoryReader]
    },
  })
  return { asked, store: { ...opened, reader: { ...opened.reader, directories } } }
}

async function show(principals: Principals, name: string) {
  const user = await principals.findUser(name)
  if (user === undefined) return undefined
  const { principal, properties, ownGroups, isStored } = user
  const labels = await user.groupLabels()
  return { ...{ principal, properties, ownGroups, isStored }, labels: principal.groups.map((group) => labels.get(group)) }
}

const pairs = (sources: number, targets: number) =>
  fc.array(fc.tuple(fc.nat({ max: sources - 1 }), fc.nat({ max: targets - 1 })), { maxLength: 12 })

onEachEngine('users that are asked for at the same time', (engine) => {
  test('are the same as each by itself, whatever groups are in which', async () => {
    const opened = await engine.openStore()
    await fc.assert(
      fc.asyncProperty(fc.record({ members: pairs(6, 9), nested: pairs(6, 6) }), async (links) => {
        await store(links, opened)
        const together = createPrincipals(opened, rules)
        const all = await Promise.all(everybody.map((name) => show(together, name)))
        for (const [index, name] of everybody.entries()) {
          assert.deepEqual(all[index], await show(createPrincipals(opened, rules), name), name)
        }
        for (const [index, name] of users.entries()) {
          const expected = await listAllGroups(opened.reader.directories, rules, name)
          assert.deepEqual(all[index]?.principal.groups.toSorted(), expected.toSorted(), name)
          assert.equal(all[index]?.principal.isAdministrator, expected.includes('g0'))
        }
      }),
      { numRuns: 25 },
    )
  })

  test('cost as many statements as one', async () => {
    const { store: watched, asked } = counted(await engine.openStore())
    await store({ members: users.map((_, user) => [user % 6, user]), nested: [[5, 1]] }, watched)
    await show(createPrincipals(watched, rules), 'u1')
    const forOne = asked.splice(0)
    assert.ok(forOne.length <= 5, forOne.join())
    const principals = createPrincipals(watched, rules)
    await Promise.all(users.map((name) => show(principals, name)))
    const isLookUp = (name: string) => name !== 'generation'
    assert.deepEqual(asked.splice(0).filter(isLookUp), forOne.filter(isLookUp))
    await Promise.all(users.map((name) => show(principals, name)))
    assert.deepEqual(asked, engine.name === 'sqlite' ? [] : ['generation'])
  })

  test('fail each by themselves', async () => {
    const opened = await engine.openStore()
    await store({ members: [[1, 2]], nested: [] }, opened)
    const groupsOf = (user: string) => {
      if (user === 'u1') throw new Error('no idea about u1')
      return []
    }
    const principals = createPrincipals(opened, { ...rules, groupComputers: [{ name: 'picky', groups: [], groupsOf }] })
    const [one, two] = await Promise.allSettled(['u1', 'u2'].map((name) => principals.find(name)))
    assert.equal(one?.status === 'rejected' && one.reason.message, 'no idea about u1')
    assert.deepEqual(two?.status === 'fulfilled' && two.value?.groups, ['g1', 'g5'])
  })

  test('are as of now, each time', async () => {
    const opened = await engine.openStore()
    await store({ members: [[1, 1]], nested: [] }, opened)
    const principals = createPrincipals(opened, rules)
    const groups = async () => (await Promise.all(['u1', 'u3'].map((name) => principals.find(name)))).map((one) => one?.groups)
    assert.deepEqual(await groups(), [['g1', 'g5'], ['g5']])
    await opened.transact(({ directories }) => directories.replaceTargets(groupMembers, 'g1', ['u3']))
    assert.deepEqual(await groups(), [['g5'], ['g1', 'g5']])
  })
})
