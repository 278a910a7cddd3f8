import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { aUser } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** Keeps transactions open that copy or grant something, and tells when one of them has come so far. */
function createBrake() {
  let reached = Promise.withResolvers<void>()
  let isOn = false
  const plugin = definePlugin({
    name: 'brake',
    listeners: [
      {
        name: 'brake',
        when: 'inline',
        events: ['documentCreatedByCopy', 'beforeDocumentSecurityModification'],
        async handle() {
          if (!isOn) return
          isOn = false
          reached.resolve()
          await sleep(700)
        },
      },
    ],
  })
  return {
    plugin,
    async during(work: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
      reached = Promise.withResolvers()
      isOn = true
      const working = work()
      await reached.promise
      await meanwhile()
      await working
    },
  }
}

const brake = createBrake()

onEachServer(
  'the rights of somebody who is removed while a transaction is under way',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const call = operationsOn(server)
    const create = async (name: string): Promise<unknown> => {
      const answer = await administrator().post('/user', aUser(name, { password: name }))
      // On a busy machine it takes longer than a request waits for it.
      if (/was removed/.test(answer.text)) return create(name)
      return requireStatus(201, answer)
    }
    const replace = async (name: string) => {
      requireStatus(204, await administrator().delete(`/user/${name}`))
      await create(name)
    }

    test('do not go to the next one of that name by a copy', async () => {
      await create('passer')
      const [tree, place] = [await bench.create('Folder'), await bench.create('Folder')]
      const { uid } = await bench.create('File', {}, { parent: tree.path, name: 'inside' })
      await bench.restrict(tree.uid)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('passer', 'ReadWrite')] }])
      await brake.during(
        async () =>
          requireStatus(200, await call('Document.Copy', { input: tree.uid, params: { target: place.uid, name: 'copy' } })),
        () => replace('passer'),
      )
      const copied = requireStatus(200, await administrator().get(`/path${place.path}/copy/inside`))
      const { text } = await administrator().get(`/id/${copied.uid}/@acl`)
      assert.ok(!text.includes('passer'), text)
      requireStatus(403, await server.as('passer').get(`/id/${copied.uid}`))
    })

    test('do not go to the next one of that name by a grant', async () => {
      await create('walker')
      const { uid } = await bench.create('File')
      await bench.restrict(uid)
      await brake.during(
        async () =>
          requireStatus(
            200,
            await call('Document.AddPermission', { input: uid, params: { permission: 'Read', username: 'walker' } }),
          ),
        () => replace('walker'),
      )
      const { text } = await administrator().get(`/id/${uid}/@acl`)
      assert.ok(!text.includes('walker'), text)
      requireStatus(403, await server.as('walker').get(`/id/${uid}`))
    })
  },
  { plugins: [brake.plugin] },
)
