import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addGroup, assertRefused } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('UserManager.ExportGroups', (server) => {
  const exported = (user = 'Administrator') => operationsOn(server, user)('UserManager.ExportGroups')
  const many = Array.from({ length: 12_001 }, (_, index) => `member-${index}`)

  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('keeper', ['powerusers'])
    await addGroup(server, 'empty', { label: '=HYPERLINK("http://evil.example","Open")' })
    await addGroup(server, 'crew', { label: 'The "crew", of old', users: ['bob', '@sum', 'gone'], groups: ['empty', '+inner'] })
    await addGroup(server, 'crowd', { users: many })
  })

  test('gives a CSV file with a line for each member, users first, in the order of the group', async () => {
    const answer = await exported()
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(answer.headers.get('content-disposition') ?? '', /groups\.csv/)
    const lines = answer.text.split(/\r?\n/)
    assert.equal(lines[0], 'groupname,grouplabel,description,memberType,member')
    assert.deepEqual(
      lines.filter((line) => line.startsWith('crew,')),
      [
        ['user', 'bob'],
        ['user', "'@sum"],
        ['user', 'gone'],
        ['group', 'empty'],
        ['group', "'+inner"],
      ].map(([type, member]) => `crew,"The ""crew"", of old",,${type},${member}`),
    )
  })

  test('lists a group without members once, and nothing in it is a formula', async () => {
    const { text } = await exported()
    const line = text.split(/\r?\n/).filter((one) => one.startsWith('empty,'))
    assert.deepEqual(line, [`empty,"'=HYPERLINK(""http://evil.example"",""Open"")",,,`])
    assert.doesNotMatch(text, /(^|,)"?[=+\-@]/m)
  })

  test('lists all members of a group that takes several pages to read', async () => {
    const { text } = await exported()
    const members = text.split(/\r?\n/).flatMap((line) => (line.startsWith('crowd,') ? [line.split(',')[4]] : []))
    assert.deepEqual(members, many)
  })

  test('is for whoever looks after users, also as a step of a chain', async () => {
    assert.equal((await exported('keeper')).status, 200)
    assertRefused(await exported('bob'), 403, /User is not allowed to export groups$/)
    const chained = await operationsOn(server, 'bob')('RunOperation', { params: { id: 'UserManager.ExportGroups' } })
    assertRefused(chained, 403, /User is not allowed to export groups$/)
  })
})
