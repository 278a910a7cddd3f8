import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('lifecycles', (server) => {
  before(() => server.addUser('bob'))

  test('are told to everybody, with the types that have them', async () => {
    const { status, body } = await server.as('bob').get('/config/lifecycles')
    assert.equal(status, 200)
    const own = body.entries.find(({ name }: { name: string }) => name === 'default')
    const { lifecycles } = gatherPlugins(builtinPlugins)
    const known = lifecycles.find(({ name }) => name === 'default')
    assert.equal(own.initial, known?.initial)
    assert.deepEqual(
      own.states.map(({ name, transitions }: { name: string; transitions: { name: string }[] }) => [
        name,
        transitions.map((transition) => transition.name),
      ]),
      Object.entries(known?.states ?? {}),
    )
    const approve = own.states[0].transitions.find(({ name }: { name: string }) => name === 'approve')
    assert.equal(approve.destination, known?.transitions['approve'])
    assert.ok(own.types.includes('Note') && !own.types.includes('Document'))
  })
})
