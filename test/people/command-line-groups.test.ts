import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'

for (const engine of engines) {
  describe(`quire group, beside a server (${engine})`, () => {
    let server: TestServer
    let quire: ReturnType<typeof commandLineAt>
    before(async () => {
      const place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
      quire = commandLineAt(place)
      for (const name of ['ann', 'ben', 'cem']) await server.addUser(name)
    })
    after(() => server.stop())

    const groupsOf = async (name: string) => {
      const { extendedGroups } = (await server.as(name).get('/me')).body
      return extendedGroups.map((group: { name: string }) => group.name).sort()
    }

    describe('add', () => {
      test('makes a group that the server knows at once', async () => {
        const args = ['group', 'add', 'designers', '--label', 'Design team', '--description', 'Studio people']
        assert.deepEqual(await quire.run(args), { code: 0, printed: 'Group designers was added.', complained: '' })
        const { properties } = (await server.as('ann').get('/group/designers')).body
        assert.equal(properties.grouplabel, 'Design team')
        assert.equal(properties.description, 'Studio people')
      })
      test('shows the group as JSON', async () => {
        assert.deepEqual(await quire.json(['group', 'add', 'interns']), {
          groupname: 'interns',
          grouplabel: null,
          description: null,
          memberUsers: [],
          memberGroups: [],
          parentGroups: [],
        })
      })
      const refused: readonly [what: string, name: string, reason: RegExp][] = [
        ['that exists', 'designers', /Group already exists/],
        ['without a name', ' ', /Group MUST have a name/],
        ['called Everyone', 'Everyone', /The group name/],
        ['with a control character in the name', 'a\u0000b', /control character/],
        ['with a name of 5,000 characters', 'x'.repeat(5_000), /5000 characters/],
      ]
      for (const [what, name, reason] of refused) {
        test(`refuses a group ${what} in one line`, async () => {
          const { code, printed, complained } = await quire.run(['group', 'add', name])
          assert.deepEqual([code, printed], [1, ''])
          assert.match(complained, /^quire: [^\n]+$/)
          assert.match(complained, reason)
        })
      }
    })

    describe('add-user and remove-user', () => {
      test('put users into a group and take them out, from the next request on', async () => {
        assert.deepEqual(await groupsOf('ann'), [])
        const added = await quire.run(['group', 'add-user', 'designers', 'ann', 'ben'])
        assert.deepEqual(added, { code: 0, printed: 'In designers now: ann, ben.', complained: '' })
        assert.deepEqual([await groupsOf('ann'), await groupsOf('ben')], [['designers'], ['designers']])
        const removed = await quire.run(['group', 'remove-user', 'designers', 'ben'])
        assert.deepEqual(removed, { code: 0, printed: 'No longer in designers: ben.', complained: '' })
        assert.deepEqual([await groupsOf('ann'), await groupsOf('ben')], [['designers'], []])
      })
      test('change nothing for one who is in, or not in, already', async () => {
        assert.deepEqual((await quire.json(['group', 'add-user', 'designers', 'ann'])).memberUsers, ['ann'])
        assert.deepEqual((await quire.json(['group', 'remove-user', 'designers', 'cem'])).memberUsers, ['ann'])
      })
      test('make an administrator of a user, and none', async () => {
        await quire.run(['group', 'add-user', 'administrators', 'cem'])
        assert.equal((await server.as('cem').get('/me')).body.isAdministrator, true)
        await quire.run(['group', 'remove-user', 'administrators', 'cem'])
        assert.equal((await server.as('cem').get('/me')).body.isAdministrator, false)
      })
      test('name who or what is not there, and change nothing at all', async () => {
        const nobody = await quire.run(['group', 'add-user', 'designers', 'cem', 'nobody'])
        assert.deepEqual(nobody, {
          code: 1,
          printed: '',
          complained: 'quire: there is no user nobody; quire user list shows those there are',
        })
        assert.deepEqual(await groupsOf('cem'), [])
        const nowhere = await quire.run(['group', 'add-user', 'nowhere', 'cem'])
        assert.equal(nowhere.complained, 'quire: there is no group nowhere; quire group list shows those there are')
      })
      test('need at least one user', async () => {
        const { code, complained } = await quire.run(['group', 'add-user', 'designers'])
        assert.equal(code, 2)
        assert.match(complained, /^quire: <users> is missing; usage: quire group add-user <group> <users…>/)
      })
    })

    describe('add-group and remove-group', () => {
      test('put groups into a group and take them out, with their members', async () => {
        await quire.run(['group', 'add', 'staff'])
        const added = await quire.json(['group', 'add-group', 'staff', 'designers', 'interns'])
        assert.deepEqual(added.memberGroups, ['designers', 'interns'])
        assert.deepEqual(await groupsOf('ann'), ['designers', 'staff'])
        const removed = await quire.json(['group', 'remove-group', 'staff', 'designers'])
        assert.deepEqual(removed.memberGroups, ['interns'])
        assert.deepEqual(await groupsOf('ann'), ['designers'])
      })
      test('change nothing for one that is in, or not in, already', async () => {
        assert.deepEqual((await quire.json(['group', 'add-group', 'staff', 'interns'])).memberGroups, ['interns'])
        assert.deepEqual((await quire.json(['group', 'remove-group', 'staff', 'designers'])).memberGroups, ['interns'])
      })
      test('name a group that is not there, and change nothing', async () => {
        for (const args of [
          ['group', 'add-group', 'staff', 'nowhere'],
          ['group', 'add-group', 'nowhere', 'staff'],
        ]) {
          const { code, complained } = await quire.run(args)
          assert.deepEqual([code, complained], [1, 'quire: there is no group nowhere; quire group list shows those there are'])
        }
        assert.deepEqual((await quire.json(['group', 'members', 'staff'])).memberGroups, ['interns'])
      })
      test('make no circle', async () => {
        const { code, complained } = await quire.run(['group', 'add-group', 'interns', 'staff'])
        assert.equal(code, 1)
        assert.match(complained, /^quire: [^\n]+$/)
        assert.deepEqual((await quire.json(['group', 'members', 'interns'])).memberGroups, [])
      })
    })

    describe('members', () => {
      test('has the users and groups of a group', async () => {
        await quire.run(['group', 'add-user', 'staff', 'ben'])
        const { memberUsers, memberGroups, parentGroups } = await quire.json(['group', 'members', 'staff'])
        assert.deepEqual(
          { memberUsers, memberGroups, parentGroups },
          { memberUsers: ['ben'], memberGroups: ['interns'], parentGroups: [] },
        )
        assert.deepEqual((await quire.json(['group', 'members', 'interns'])).parentGroups, ['staff'])
      })
      test('is a table for people', async () => {
        const { printed } = await quire.run(['group', 'members', 'staff'])
        assert.equal(printed, 'KIND   MEMBER\nuser   ben\ngroup  interns')
        assert.equal((await quire.run(['group', 'members', 'interns'])).printed, 'No members.')
      })
    })

    describe('list', () => {
      test('has all groups by name, or those that begin with a term', async () => {
        const names = (groups: readonly { groupname: string }[]) => groups.map((group) => group.groupname)
        assert.deepEqual(names(await quire.json(['group', 'list'])), [
          'administrators',
          'designers',
          'interns',
          'members',
          'powerusers',
          'staff',
        ])
        assert.deepEqual(names(await quire.json(['group', 'list', 'desi'])), ['designers'])
      })
      test('is a table for people', async () => {
        const { printed } = await quire.run(['group', 'list', 'designers'])
        assert.equal(printed, 'GROUP      LABEL        DESCRIPTION\ndesigners  Design team  Studio people')
        assert.equal((await quire.run(['group', 'list', 'zzz'])).printed, 'No groups.')
      })
    })

    describe('change', () => {
      test('changes what is given and nothing else', async () => {
        const shown = await quire.json(['group', 'change', 'designers', '--label', 'Designers'])
        assert.deepEqual([shown.grouplabel, shown.description, shown.memberUsers], ['Designers', 'Studio people', ['ann']])
      })
      test('is refused for a group that is not there', async () => {
        assert.equal((await quire.run(['group', 'change', 'nowhere', '--label', 'x'])).code, 1)
      })
    })

    describe('remove', () => {
      test('takes the group away from its members, who stay', async () => {
        assert.deepEqual(await quire.run(['group', 'remove', 'designers']), {
          code: 0,
          printed: 'Group designers was removed.',
          complained: '',
        })
        assert.deepEqual(await groupsOf('ann'), [])
        assert.equal((await server.as('ann').get('/group/designers')).status, 404)
      })
      test('is refused for a group that is not there', async () => {
        const { code, complained } = await quire.run(['group', 'remove', 'designers'])
        assert.deepEqual([code, complained], [1, 'quire: there is no group designers; quire group list shows those there are'])
      })
    })
  })
}
