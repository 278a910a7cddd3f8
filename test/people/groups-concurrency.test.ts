import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupMembers } from '../../src/core/directories/people.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

const writers = 20

onEachServer('groups that many change at once', (server) => {
  const admin = () => server.as('Administrator')
  const allAtOnce = (write: (writer: number) => Promise<ApiAnswer>) =>
    Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  const statusesOf = (answers: readonly ApiAnswer[]) => {
    const counts: { [status: string]: number } = {}
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  test('have every user that was added, each at a place of its own', async () => {
    await createGroup(admin(), 'full')
    for (let writer = 0; writer < writers; writer++) await server.addUser(`user-${writer}`)
    const added = await allAtOnce((writer) =>
      admin().post(writer % 2 ? `/group/full/user/user-${writer}` : `/user/user-${writer}/group/full`),
    )
    assert.deepEqual(statusesOf(added), { 201: writers })
    const { memberUsers } = await readGroup(admin(), 'full')
    assert.deepEqual(memberUsers.toSorted(), Array.from({ length: writers }, (_, writer) => `user-${writer}`).sort())
    const removed = await allAtOnce((writer) => admin().delete(`/group/full/user/user-${writer}`))
    assert.deepEqual(statusesOf(removed), { 200: writers })
    assert.deepEqual((await readGroup(admin(), 'full')).memberUsers, [])
  })

  test('have a user once that was added many times', async () => {
    await createGroup(admin(), 'once')
    assert.deepEqual(statusesOf(await allAtOnce(() => admin().post('/group/once/user/user-1'))), { 201: writers })
    assert.deepEqual((await readGroup(admin(), 'once')).memberUsers, ['user-1'])
  })

  test('have every parent that was given to their members', async () => {
    await createGroup(admin(), 'roof')
    const sent = (writer: number) => aGroup(`room-${writer}`, { parentGroups: ['roof'] })
    assert.deepEqual(statusesOf(await allAtOnce((writer) => admin().post('/group', sent(writer)))), { 201: writers })
    assert.equal((await readGroup(admin(), 'roof')).memberGroups.length, writers)
  })

  test('are created once and deleted once', async () => {
    const created = await allAtOnce((writer) => admin().post('/group', aGroup('single', { memberUsers: [`user-${writer}`] })))
    assert.deepEqual(statusesOf(created), { 201: 1, 409: writers - 1 })
    assert.equal((await readGroup(admin(), 'single')).memberUsers.length, 1)
    assert.deepEqual(statusesOf(await allAtOnce(() => admin().delete('/group/single'))), { 204: 1, 404: writers - 1 })
  })

  test('have the members of one of those who replaced them, not a mixture', async () => {
    await createGroup(admin(), 'replaced')
    const lists = Array.from({ length: writers }, (_, writer) => [`a-${writer}`, `b-${writer}`, `c-${writer}`])
    const answers = await allAtOnce((writer) =>
      admin().put('/group/replaced', aGroup('replaced', { memberUsers: lists[writer] })),
    )
    assert.deepEqual(statusesOf(answers), { 200: writers })
    const { memberUsers } = await readGroup(admin(), 'replaced')
    assert.ok(
      lists.some((list) => list.join() === memberUsers.join()),
      memberUsers.join(),
    )
  })

  test('leave nobody in a group that is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      // A name of its own: that of a removed group is free again only when its rights are taken away.
      const doomed = `doomed-${round}`
      await createGroup(admin(), doomed)
      const answers = await allAtOnce((writer) =>
        writer === 7 ? admin().delete(`/group/${doomed}`) : admin().post(`/group/${doomed}/user/user-${writer}`),
      )
      assert.equal(answers[7]?.status, 204)
      assert.deepEqual(new Set(Object.keys(statusesOf(answers))).difference(new Set(['201', '204', '404'])), new Set())
      const left = await server.asSystem(({ tx }) => tx.directories.listTargets(groupMembers, doomed))
      assert.deepEqual(left, [])
    }
  })

  test('leave no user in a group who is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const leaver = `leaver-${round}`
      await server.addUser(leaver)
      await createGroup(admin(), `left-${round}`)
      const answers = await allAtOnce((writer) =>
        writer === 7 ? admin().delete(`/user/${leaver}`) : admin().post(`/group/left-${round}/user/${leaver}`),
      )
      assert.equal(answers[7]?.status, 204)
      assert.deepEqual((await readGroup(admin(), `left-${round}`)).memberUsers, [])
    }
  })
})
